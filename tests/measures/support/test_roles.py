"""Claims that tell who did what to whom the other way round."""

import pytest

from sensecheck.measures.support.roles import role_swaps

SWAPPED = [
    ("Bob beat Alice.", "Alice beat Bob."),
    ("Dogs chase cats.", "Cats chase dogs."),
    ("Rome was conquered by Greece.", "Rome conquered Greece."),
    ("Rome conquered Greece.", "Rome was conquered in 146 BC by Greece."),
    ("Petra Lund was overtaken by Sofia Brink.", "In the last lap Petra Lund overtook Sofia Brink."),
    ("Harold defeated William.", "William, who had landed in Sussex, decisively defeated King Harold."),
    ("Tevase blocks Arlin.", "The protein Arlin blocks the enzyme Tevase."),
    ("The Moon is larger than the Earth.", "The Earth is much larger than the Moon."),
    ("Bees are less common than wasps.", "Wasps are less common than bees."),
    ("The school has more boys than girls.", "The school has more girls than boys."),
    ("He moved from Paris to London.", "He moved from London to Paris."),
    ("They studied the effect of sleep on diet.", "They studied the effect of diet on sleep."),
    ("Ann's teacher Bob wrote it.", "Bob's teacher Ann wrote it."),
    ("Ann was Bob's teacher.", "Bob was Ann's teacher."),
    ("Lavoisier, a student of Du Pont, built mills.", "Du Pont, a student of Lavoisier, built mills."),
    ("Ann sold the house to Bob.", "Bob sold the house to Ann."),
    ("Northgate sold the dairy to Halden.", "Northgate bought the dairy from Halden."),
    ("Smoke caused the fire.", "The fire caused smoke."),
    ("Poverty often led to war.", "War has led to poverty."),
    (
        "The dam broke because the river flooded the town.",
        "The river flooded the town because the dam broke.",
    ),
    ("The king died after the war ended.", "After the king died, the war ended."),
    ("The king died before the war ended.", "The king died after the war ended."),
    ("Ann's father had worked for Luis.", "Luis had worked for Ann's father."),
    ("He was told by Washington to go.", "He told Washington to go."),
]
KEPT = [
    ("Greece was conquered by Rome.", "Rome conquered Greece."),
    ("Bob beat Alice.", "Bob beat Alice."),
    ("Luis married Ana in 2004.", "Ana married Luis in 2004."),
    ("France borders Spain.", "Spain borders France."),
    ("Six equals half a dozen.", "Half a dozen equals six."),
    ("Bob met Alice.", "Alice met Bob."),
    ("Cats resemble dogs.", "Dogs resemble cats."),
    ("Bob and Alice sang.", "Alice and Bob sang."),
    ("A treaty between France and Spain was signed.", "A treaty between Spain and France was signed."),
    ("They sell plums, ripe pears and apples.", "They sell apples, ripe pears and plums."),
    ("The distance from Rome to Paris is long.", "The distance from Paris to Rome is long."),
    ("In 1990 Bob visited Alice in Paris.", "In Paris Bob visited Alice in 1990."),
    ("Paris is the capital of France.", "The capital of France is Paris."),
    ("Bob's teacher is Alice.", "Alice is Bob's teacher."),
    ("Halden sold the dairy to Northgate.", "Northgate bought the dairy from Halden."),
    ("The war ended after the king died.", "The king died before the war ended."),
    ("Marta taught Julian.", "Marta taught Julian, and Julian taught Marta's son."),
    ("Marta taught Julian.", "Julian taught Marta's son."),
    ("Dogs chase cat owners.", "Cats chase dogs."),
    ("The king of France attacked Spain.", "Spain attacked France."),
    ("Bob did not beat Alice.", "Alice beat Bob."),
    ("Rome attacked Greece by sea.", "Rome attacked Greece."),
    ("Trains run from Bath to York.", "Buses run from York to Bath and trains from Bath to York."),
    ("She told him.", "He told her."),
    ("Bob sleeps.", "The weather is fine."),
    ("", ""),
    ("the the", "the"),
]


@pytest.mark.parametrize(("claim", "sentence"), SWAPPED)
def test_exchanged_roles_are_found(claim: str, sentence: str) -> None:
    assert role_swaps(claim, sentence)


@pytest.mark.parametrize(("claim", "sentence"), KEPT)
def test_roles_that_are_kept_are_no_swap(claim: str, sentence: str) -> None:
    assert role_swaps(claim, sentence) == []


@pytest.mark.parametrize(("claim", "sentence"), [*SWAPPED, *KEPT])
def test_nothing_is_the_other_way_round_than_itself(claim: str, sentence: str) -> None:
    assert role_swaps(claim, claim) == []
    assert role_swaps(sentence, sentence) == []


def test_the_spans_reach_from_one_party_to_the_other() -> None:
    claim, sentence = "In May, Bob beat Alice.", "As we know, Alice beat Bob in May."

    [(mine, theirs)] = role_swaps(claim, sentence)

    assert claim[slice(*mine)] == "Bob beat Alice"
    assert sentence[slice(*theirs)] == "Alice beat Bob"
