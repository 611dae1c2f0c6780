"""Windows of characters: nothing is lost, nothing is too long, nothing is blank."""

from hypothesis import given
from hypothesis import strategies as st

from sensecheck.encoders.transformer import character_windows

TEXTS = st.lists(st.sampled_from(["word", "longerword" * 5, " ", "\n", " " * 60, "漢字"]), max_size=60).map(
    "".join
)


@given(TEXTS)
def test_windows_cover_a_text_in_order_and_keep_to_the_limit(text: str) -> None:
    windows = character_windows(text, 50, 20)

    read = 0
    for (start, end), after in zip(windows, [*windows[1:], (len(text), len(text))], strict=True):
        assert 0 <= start <= end <= len(text)
        assert not text[read:start].strip()
        assert (start, end) <= after
        assert len(text[start:end].strip()) <= 50
        read = max(read, end)
    assert read == len(text)


@given(TEXTS)
def test_no_window_is_blank_unless_the_text_is(text: str) -> None:
    windows = character_windows(text, 50, 20)

    assert all(text[a:b].strip() for a, b in windows) or not text.strip()


def test_words_stay_whole() -> None:
    text = " ".join(f"word{n}" for n in range(100))

    for start, end in character_windows(text, 120, 40):
        assert text[start:end].split()[0] in text.split()
        assert text[start:end].split()[-1] in text.split()
