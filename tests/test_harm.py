"""Chat replies keep every byte outside the one sentence that is hedged (all of them: `python -m tests.bench harm`)."""

import numpy as np
import pytest

from ralc.english import orders_writing
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


#: Of FastChat's questions to chat models, and of MMLU's.
@pytest.mark.parametrize(
    ("question", "ordered"),
    [
        ("Can you help me write a formal email to a partner?", True),
        ("Write a symphony concert review.", True),
        ("Pretend to be a world-famous chef. How would you describe your dish?", True),
        ("Imagine you are a time traveler. What would you tell people about?", True),
        ("Imagine you're standing on a shrinking planet. What is its gravity?", False),
        ("Write 60 over 72 in simplest form.", False),
        ("Write a script that counts lines.", False),
        ("Summarize our chat in one word", True),
        ("Summarize the treaty of Rome.", False),
    ],
)
def test_what_is_written_on_order_or_said_as_somebody_else_is_seen(question, ordered):
    assert orders_writing(question) == ordered
