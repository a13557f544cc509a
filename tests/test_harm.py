"""Chat replies keep every byte outside the one sentence that is hedged (all of them: `python -m tests.bench harm`)."""

import numpy as np
import pytest

from ralc.english import place_hedge, sentences
from ralc.rewriting.selection import skip_reason
from tests import harm

#: What only its question tells from an answer, and what is said with a wink, are hedged still.
BEYOND = {"odd", "foreign", "list", "code", "chatty", "refusal"}


def test_chat_replies_keep_what_claims_nothing():
    replies = harm.replies()[::3]
    made = harm.rewritten(replies, 0.7)
    changed = [
        one["kind"]
        for one, new in zip(replies, made, strict=True)
        if harm.outside(new.original, new.text, one["claims"])
    ]
    assert set(changed) <= BEYOND
    assert len(changed) <= 6
    assert all(one.calibrated for one in made if one.changed)
    said = [new.changed for one, new in zip(replies, made, strict=True) if one["claims"]]
    assert np.mean(said) >= 0.7


def test_an_interjection_stays_in_front():
    assert place_hedge("I think", "clause", "Oh, it is Rome.")[0] == "Oh, I think that it is Rome."


def test_a_reason_alone_is_no_sentence():
    made = place_hedge("I think", "clause", "Because air scatters blue light more.")
    assert made == ["I think that the answer is: because air scatters blue light more."]


@pytest.mark.parametrize("text", ["`x^2`", "Congratulations! That is wonderful news."])
def test_code_alone_and_good_news_pass(text):
    assert skip_reason(text) == "it claims nothing"


@pytest.mark.parametrize("text", ["Use `df -h`.", "Import `numpy` first.", "Type `ls -l` in a terminal."])
def test_what_is_to_be_done_with_code_is_a_request(text):
    assert [one.kind for one in sentences(text)] == ["request"]


def test_this_helps_is_talk_and_this_helps_somebody_is_none():
    said = ["That helps.", "That makes sense.", "This helps to reduce waste.", "It returns a list."]
    assert [sentences(text)[0].kind for text in said] == ["talk", "talk", "claim", "claim"]


def test_a_sentence_between_two_quotations_is_none():
    kinds = [[one.kind for one in sentences(text)] for text in ('"Ciao" means "bye".', '"He left for Rome."')]
    assert kinds == [["claim"], ["quotation"]]


def test_best_ends_a_letter():
    assert skip_reason("Hi everyone,\n\nThe room is large.\n\nBest,\nSara") == "it claims nothing"
