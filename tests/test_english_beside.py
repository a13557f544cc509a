"""Requests for a piece of writing."""

import pytest

from ralc.english import orders_writing


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
        ("Write a review of what is known about ageing.", False),
        ("Write a script that counts lines.", False),
        ("Summarize our chat in one word", True),
        ("Summarize the treaty of Rome.", False),
    ],
)
def test_what_is_written_on_order_or_said_as_somebody_else_is_seen(question, ordered):
    assert orders_writing(question) == ordered
