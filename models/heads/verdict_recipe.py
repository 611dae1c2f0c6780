"""What the verdict head looks at: how a judge's feedback begins and ends, and words of praise and blame."""

from sensecheck.measures.heads.features import Cue, HeadRecipe, SentencePart

_BLAME = (
    r"\b(?:fail(?:s|ed|ing|ure)?|incorrect(?:ly)?|wrong(?:ly)?|errors?|mistakes?|inaccura\w+|irrelevant"
    r"|confus\w+|misunder\w+|insufficient|inadequate|poor(?:ly)?|lack(?:s|ed|ing)?|missing|unrelated"
    r"|falls? short|fell short|contradict\w*|hallucinat\w*|unsupported|nonsens\w+)\b"
)
_NOT = (
    r"\b(?:does|did|do|is|was|are|were|has|have) not\b|\b(?:doesn|didn|isn|wasn|aren|hasn|haven)['’]t\b"
    r"|\bunable\b|\bnever\b|\bwithout (?:\w+ )?(?:any|provid\w+|address\w+|explain\w+)"
)
_PRAISE = (
    r"\b(?:excellent(?:ly)?|perfect(?:ly)?|outstanding|comprehensive(?:ly)?|exceptional\w*|thorough(?:ly)?"
    r"|effective(?:ly)?|successful(?:ly)?|accurate(?:ly)?|impressive\w*|exemplary|fully|correct(?:ly)?"
    r"|insightful|well[- ]\w+|good job|great job|strong)\b"
)
_MINOR = (
    r"\b(?:minor|slight(?:ly)?|small|could (?:have|be)|a bit|a little|room for|more (?:detail|depth)|further"
    r"|enhance\w*|improve\w*)\b"
)
_TWICE = r"(?s:.{0,600}?)"

RECIPE = HeadRecipe(
    classes=("fail", "pass"),
    parts=(SentencePart("first", 16), SentencePart("last", 16)),
    cues=(
        Cue("blame_first", "opening", _BLAME),
        Cue("blame_later", "rest", _BLAME),
        Cue("blame_last", "last", _BLAME),
        Cue("much_blame", "answer", _BLAME + _TWICE + _BLAME + _TWICE + _BLAME),
        Cue("not_first", "opening", _NOT),
        Cue("not_later", "rest", _NOT),
        Cue("not_last", "last", _NOT),
        Cue("often_not", "answer", "(?:" + _NOT + ")" + _TWICE + "(?:" + _NOT + ")"),
        Cue("praise_first", "opening", _PRAISE),
        Cue("praise_later", "rest", _PRAISE),
        Cue("praise_last", "last", _PRAISE),
        Cue("much_praise", "answer", _PRAISE + _TWICE + _PRAISE + _TWICE + _PRAISE),
        Cue("minor", "rest", _MINOR),
        Cue("minor_last", "last", _MINOR),
        Cue("but_first", "opening", r"\b(?:however|but|although|though|despite)\b"),
        Cue("but_later", "rest", r"\b(?:however|but|although|though|despite)\b"),
        Cue(
            "significant", "answer", r"\b(?:significant(?:ly)?|major|serious(?:ly)?|severe(?:ly)?|critical)\b"
        ),
        Cue(
            "attempt", "answer", r"\b(?:attempt(?:s|ed)?|tries|tried|limited|some understanding|partially)\b"
        ),
        Cue(
            "no_fault",
            "answer",
            r"\bno (?:\w+ )?(?:errors?|mistakes?|issues?|problems?)\b|\bnothing (?:is )?missing",
        ),
    ),
)
