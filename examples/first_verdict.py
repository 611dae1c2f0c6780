"""One answer, one verdict: `python examples/first_verdict.py`."""

from sensecheck import Sense

sense = Sense.load()
verdict = sense.means(
    "Apollo 11 landed on the Moon in 1963.",
    "Apollo 11 landed on the Moon in 1969.",
)

print(verdict.explain())
print("It may be shown." if verdict else "It may not be shown.")
