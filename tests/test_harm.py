"""Chat replies keep every byte outside the one sentence that is hedged (all of them: `python -m tests.bench harm`)."""

import numpy as np

from ralc.english import answered_order, orders_writing
from tests import harm
from tests.cases import cases

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
@cases
def test_what_is_written_on_order_or_said_as_somebody_else_is_seen(question, ordered):
    assert orders_writing(question) == ordered


@cases
def test_what_points_back_at_writing_goes_on_with_it(order, question, goes_on):
    assert (answered_order(order, question) == order) == goes_on
