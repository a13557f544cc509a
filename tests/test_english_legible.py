"""What no evaluator of English can read is unread: it has no reading, and is counted."""

import pandas as pd
import pytest

from ralc import evaluators
from ralc.english import unread
from tests.cases import cases

EMPTY = "it is empty"
FOREIGN = "it is not in English"
CODE = "it holds no prose"


@cases
def test_what_cannot_be_read_says_why(text, why):
    assert unread(text) == why


@pytest.mark.parametrize("name", ["cue_model", "cue_model_b"])
def test_an_unread_text_has_no_reading(name):
    evaluator = evaluators.load(name)
    texts = pd.DataFrame({"item": ["a", "b", "c"], "text": ["", "Perhaps Paris.", "Париж."]})
    table = evaluator.readings(texts)
    assert table["alpha"].isna().tolist() == table["beta"].isna().tolist() == [True, False, True]
    with pytest.raises(ValueError, match="text 1 cannot be read: it is not in English"):
        evaluator.read(["Paris.", "Париж."])
