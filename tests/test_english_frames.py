"""Where hedges stand in answers: by hand, and the promise that nothing else of an answer is touched."""

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ralc.english import contradicts, misstates, place_hedge, place_note, sentences, words
from ralc.registry import FRAMES
from tests.cases import cases

#: A hedge, its frame, an answer, and the plainest place of the hedge in it; nothing where it has none.
PLACES = pd.read_csv(Path(__file__).parent / "data" / "places.csv", keep_default_na=False)


@pytest.mark.parametrize(("hedge", "frame", "answer", "text"), [*PLACES.itertuples(index=False)])
def test_the_plainest_place(hedge, frame, answer, text):
    assert (place_hedge(hedge, frame, answer) or [""])[0] == text


@cases
def test_a_doubt_contradicts_nothing(hedge, mean, answer, contradicted):
    assert contradicts(hedge, "clause", answer, mean) == contradicted


@cases
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
