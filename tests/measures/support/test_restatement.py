"""Claims that say a sentence of the passages again, and claims that only look like it."""

import pytest

from sensecheck.measures.support.restatement import restated_sentence
from sensecheck.measures.support.source import source_of

MUSEUM = "The museum opens at 10. It closes at 17:30 on weekdays."
TOOL = "Tidepool runs on Linux (kernel 4.18 or newer), macOS 12 and later, and Windows 10 or 11."
SHOP = "Underwear and pierced jewellery cannot be returned. We deliver to Ireland, France and Germany."


def is_restated(claim: str, question: str | None, passage: str) -> bool:
    sentences = source_of((passage,)).sentences
    return restated_sentence(claim, question, sentences, sentences) is not None


@pytest.mark.parametrize(
    ("claim", "question", "passage"),
    [
        ("It closes at half past five on weekdays.", None, MUSEUM),
        ("The museum closes at half past five.", "When does the museum close?", MUSEUM),
        ("At half past five.", "When does the museum close?", MUSEUM),
        ("At 5:30 pm.", "When does the museum close?", MUSEUM),
        ("Yes, it does.", "Does it run on Windows?", TOOL),
        ("Yes.", "Does it run on macOS?", TOOL),
        ("Yes, it runs on Windows.", "Does it run on Windows?", TOOL),
        ("It runs on Windows.", None, "It runs on Linux, macOS and Windows."),
        ("No, you can't return underwear.", "Can I return it?", "You can't return underwear."),
        ("Yes, we do.", "Do you deliver to France?", SHOP),
        ("It runs for 24 months.", None, "It runs for 24 months and then goes on for a year at a time."),
        ("It charges in four hours.", None, "It charges in four hours at any socket."),
        ("It takes 90 minutes.", None, "It takes an hour and a half."),
    ],
)
def test_what_says_the_same_is_found(claim: str, question: str | None, passage: str) -> None:
    assert is_restated(claim, question, passage)


@pytest.mark.parametrize(
    ("claim", "question", "passage"),
    [
        ("At half past six.", "When does the museum close?", MUSEUM),
        ("At 10.", "When does the museum close?", MUSEUM),
        ("The museum closes at ten.", "When does the museum close?", MUSEUM),
        (
            "At half past five.",
            "When does it close?",
            "It closes at 17:30 on weekdays and at 16:00 on Sundays.",
        ),
        ("Yes, it does.", "Does it run on FreeBSD?", TOOL),
        ("No, it doesn't.", "Does it run on Windows?", TOOL),
        ("No, it does.", "Does it run on Windows?", TOOL),
        ("Yes, you can.", "Can I return underwear?", SHOP),
        ("Yes, we do.", "Do you deliver to Spain?", SHOP),
        ("Yes.", "Are returns free?", "Returns from the United Kingdom are free; from elsewhere you pay."),
        ("Yes.", "Do students pay the full price?", "Students pay half and others the full price."),
        ("Yes, it is.", "Is breakfast included?", "Breakfast is included in all rooms except the attic."),
        ("Yes.", "Can I cancel the order?", "You can cancel the order if it has not been sent."),
        ("You must pay by card.", None, "You can pay by card."),
        ("The train runs to London from Paris.", None, "The train runs from London to Paris."),
        ("Yes.", "Why does it run on Windows?", TOOL),
        ("Yes.", None, TOOL),
        ("Many rooms have a balcony.", None, "Few rooms have a balcony."),
        ("It needs the approval of Ann or Bob.", None, "It needs the approval of both Ann and Bob."),
        ("You get a mug and a shirt.", None, "You get a mug or a shirt."),
        ("The door is blue.", None, "The door is red or blue."),
        ("You need a passport.", None, "You need a passport or an identity card."),
        ("Ann is guilty.", None, "Either Bob or Ann is guilty."),
        ("The winner gets a car.", None, "The winner gets a trip or a car."),
        ("The sauna is open.", None, "The pool is open, and the sauna and the bar are closed."),
        ("The capital of France is Lyon.", None, "The capital of France is Paris, and Lyon is a city."),
        ("The garden has roses.", None, "The garden lacks tulips, violets and roses."),
        ("Smith stole the car.", None, "Smith denies, falsely or rightly, that he stole the car."),
        ("She gave him a book.", None, "He gave her a book."),
        ("The shop is open.", None, "The shop was open."),
        ("All rooms have a view.", None, "Rooms have a view."),
        ("The museum is free.", None, "The museum is free for children."),
        ("Until 5 pm.", "When does the shop open?", "The shop opens at 5 pm."),
        ("At 5 pm.", "When does the bar open?", "The bar opens late, and the kitchen closes at 5 pm."),
        ("In 1990.", "When was Ann born?", "Bob, to whom Ann was married, was born in 1990."),
        ("The gas is steam.", None, "The gas is sulphur, along with argon and steam."),
        ("The gas is mostly steam.", None, "The gas is mostly sulphur, along with argon and steam."),
        (
            "The core has a guarantee of ten years and the cover.",
            None,
            "The core has a guarantee of ten years and of two years the cover.",
        ),
        ("The manager, Ms Day, came.", None, "The manager, Mr Hill, and the owner, Ms Day, came."),
    ],
)
def test_what_only_looks_alike_is_not(claim: str, question: str | None, passage: str) -> None:
    assert not is_restated(claim, question, passage)
