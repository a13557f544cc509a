"""Where hedges stand in answers: by hand, and the promise that nothing else of an answer is touched."""

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ralc.english import contradicts, misstates, place_hedge, place_note, sentences, words
from ralc.registry import FRAMES
from ralc.rewriting import Reason, skip_reason
from tests.cases import cases

#: A hedge, its frame, an answer, and the plainest place of the hedge in it; nothing where it has none.
PLACES = pd.read_csv(Path(__file__).parent / "data" / "places.csv", keep_default_na=False)


@pytest.mark.parametrize(("hedge", "frame", "answer", "text"), [*PLACES.itertuples(index=False)])
def test_the_plainest_place(hedge, frame, answer, text):
    assert (place_hedge(hedge, frame, answer) or [""])[0] == text


@pytest.mark.parametrize(
    ("hedge", "mean", "answer", "contradicted"),
    [
        ("it is unlikely", 0.2, "The gate is not open.", True),
        ("it is unlikely", 0.2, "The gate is open.", False),
        ("it is possible", 0.4, "The gate is not open.", False),
        ("it is unlikely", 0.2, "Nobody has the key.", True),
        ("it is unlikely", 0.2, "The gate is still open.", True),
        ("it is unlikely", 0.2, "People should lock the gate.", True),
        ("it is unlikely", 0.2, "The gate is shut, unless it rains.", True),
        ("it is unlikely", 0.2, "Lee et al. (2019) shut the gate.", True),
        ("it is unlikely", 0.2, "No key was found.", True),
        ("it is unlikely", 0.2, "There is no key in the box.", True),
        ("it is unlikely", 0.2, "He lost no games.", True),
        ("it is unlikely", 0.2, "The man who had no key is here.", False),
        ("it is unlikely", 0.2, "No key", True),
        ("it is possible", 0.4, "No, the gate is shut.", True),
        ("it is possible", 0.4, "Therefore, the gate is shut.", True),
        ("it is possible", 0.4, "Yes - the gate is shut.", True),
        ("it is possible", 0.4, "No-one shut the gate.", False),
        ("it is possible", 0.4, "Absolutely! The gate is shut.", True),
        ("it is possible", 0.6, "Of course! The gate is shut.", False),
        ("it is possible", 0.6, "Therefore, the gate is shut.", False),
        ("it is unlikely", 0.2, "Sorry about that! The gate is shut.", True),
        ("it is possible", 0.4, "Sorry about that! The gate is shut.", False),
        ("it is unlikely", 0.2, "The gate is shut [3].", True),
        ("it is possible", 0.4, "The gate was shut (Lee, 2019).", True),
        ("it is possible", 0.4, "The gate is shut (see the map).", False),
        ("it is unlikely", 0.2, 'He wrote that "the gate was always shut at night".', True),
        ("it is unlikely", 0.2, 'He wrote "The Gate of the Sun".', False),
        ("it is unlikely", 0.2, "Although the gate is old, it is open.", True),
        ("I am not convinced", 0.2, "The gate is not open.", False),
    ],
)
def test_a_doubt_contradicts_nothing(hedge, mean, answer, contradicted):
    assert contradicts(hedge, "clause", answer, mean) == contradicted


@pytest.mark.parametrize(
    ("draft", "answer", "mean", "misstated"),
    [
        ("I doubt that, as I said, the gate is shut.", "As I said, the gate is shut.", 0.2, True),
        ("As I said, the gate is probably shut.", "As I said, the gate is shut.", 0.7, False),
        ("I think that if it rains, the gate is shut.", "If it rains, the gate is shut.", 0.6, True),
        ("The text probably says that the gate is shut.", "The text says that the gate is shut.", 0.7, True),
        ("The text says that the gate is probably shut.", "The text says that the gate is shut.", 0.7, False),
        ("Definitely. The gate is perhaps shut.", "The gate is shut.", 0.4, True),
        ("No, the gate may be shut.", "No, the gate is shut.", 0.4, True),
        ("It is unlikely that no key was found.", "No key was found.", 0.2, True),
        ("It is unlikely that the gate is shut [3].", "The gate is shut [3].", 0.2, True),
        ("The gate is possibly completely shut.", "The gate is completely shut.", 0.4, True),
        ("It is probably old, and he has the key.", "It is old, and he has the key.", 0.7, True),
        ("It is probably old, and I think he has the key.", "It is old, and he has the key.", 0.7, False),
        ("I think that it is old, and he has the key.", "It is old, and he has the key.", 0.6, False),
        ("Probably shut.", "Shut", 0.7, False),
    ],
)
def test_a_draft_keeps_the_rules_of_places(draft, answer, mean, misstated):
    assert misstates(draft, answer, mean) == misstated


def test_an_unknown_frame_is_named():
    with pytest.raises(ValueError, match="'maybe': frame 'noun' is not one of adverb"):
        place_hedge("maybe", "noun", "Paris")


CHAT = """Sure! Here is what I found:

| Plan | Price |
|------|-------|
| A    | $5    |

The **old bridge** was built in 1357.
It crosses the Vltava, which
is long.

```python
print("It is raining.")
```

Would you like more?
"""


@pytest.mark.parametrize("frame", FRAMES)
def test_every_byte_outside_the_hedged_sentence_stays(frame):
    before, after = CHAT.split("The **old bridge** was built in 1357.")
    for text in place_hedge("quite probably", frame, CHAT)[:1]:
        assert text.startswith(before)
        assert text.endswith(after)
        assert "old bridge** was" in text


def test_what_claims_nothing_takes_no_hedge():
    silent = ["You're welcome!", "Let me check that for you.", "Is there anything else?", "# Rome",
              "Preheat the oven to 200 degrees.", "I'm sorry to hear that.", "Here is a table:", "Thank you so much!",
              "Wow, you're going to love this one.",
              "Once upon a time, a fox lived in a forest.", "Le pont est vieux et la ville aussi.",
              "Subject: Sale\n\nDear Sir,\n\nIt is sold.\n\nCheers,\nAnn",
              "| a | b |\n|---|---|\n| 1 | 2 |"]  # fmt: skip
    assert [text for text in silent if place_hedge("probably", "adverb", text)] == []


@pytest.mark.parametrize(
    "text",
    [
        '"The capital of Peru is Lima."',
        "THE CAPITAL OF PERU IS LIMA.",
        "Because air scatters blue light more.",
    ],
)
def test_what_has_no_place_for_a_hedge_has_a_note(text):
    assert place_hedge("probably", "adverb", text) == []
    assert skip_reason(text) is Reason.NONE
    assert place_note("I'm not sure about that", text) == f"{text} I'm not sure about that."


@cases
def test_a_note_stands_behind_a_short_text_and_before_any_other(text, noted):
    assert place_note("That may be right", text) == noted


@cases
def test_kinds_are_told_by_the_parse(text, kinds):
    assert " ".join(one.kind for one in sentences(text)) == kinds


PIECES = ["The", "the", "Paris", "is", "has", "not", "went", "of", "B.", "\n", ",", "Dr.", "'x'", '"', "that"]


@pytest.mark.parametrize("frame", FRAMES)
@given(answer=st.text(max_size=80) | st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join))
@example(answer="@\xb5/0}")
@example(answer="\U000e0a6fD\xb0z")  # whose end the parser takes for a verb
@example(answer="-")
def test_no_word_of_an_answer_is_lost(frame, answer):
    for text in place_hedge("quite probably", frame, answer):
        assert set(words(answer)) - {"a", "an", "the"} <= set(words(text))  # which count where they are alone
        assert "quite probably" in text.lower()
