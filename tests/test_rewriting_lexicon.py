"""The sentences of the lexicon, by a model and without one, and the statements that they are made from."""

import pandas as pd

from ralc.rewriting import STATEMENTS, parse_lexicon, render_lexicon
from ralc.rewriting.lexicon_sentences import carries, draw_statements
from tests.rewriting import MODEL, responses

HEDGES = pd.DataFrame({"expression": ["perhaps", "I am sure"], "frame": ["adverb", "clause"]})
HOW = {"sentences": 14, "seed": 1}


def test_statements_are_drawn_evenly_and_apart_from_each_other():
    few = draw_statements(["perhaps", "maybe"], 4, seed=3)
    assert few.groupby("expression")["n"].agg(["sum", "max"]).to_numpy().tolist() == [[4, 1], [4, 1]]
    many = draw_statements(["maybe"], 20, seed=3)
    assert (len(many), many["n"].sum(), set(many["n"])) == (12, 20, {1, 2})
    alone = draw_statements(["maybe"], 4, seed=3)
    pd.testing.assert_frame_equal(alone, few[few["expression"] == "maybe"].reset_index(drop=True))
    assert not draw_statements(["maybe"], 4, seed=4).equals(alone)


def test_lexicon_sentences_carry_their_expression_or_are_templates():
    requests = render_lexicon(HEDGES, model=MODEL, **HOW)
    assert set(requests["statement"]) == set(STATEMENTS)
    answers = responses(requests, {"perhaps": ['"Perhaps it is so."']}, named="expression")
    table = parse_lexicon(HEDGES, requests, answers, method="llm", **HOW)
    assert table["expression"].value_counts().to_dict() == {"perhaps": 14, "I am sure": 14}
    assert all(carries(row.sentence, row.expression) for row in table.itertuples())
    origins = table.groupby("expression")["origin"].value_counts()
    assert origins["perhaps", "model"] == 12
    assert origins["perhaps", "template"] == 2
    assert origins["I am sure", "template"] == 14


def test_lexicon_sentences_are_put_together_without_a_model():
    table = parse_lexicon(HEDGES, None, None, method="guided", **HOW)
    assert table["expression"].value_counts().to_dict() == {"perhaps": 14, "I am sure": 14}
    assert set(table["origin"]) == {"grammar"}
    assert all(carries(row.sentence, row.expression) for row in table.itertuples())
    # Two of the statements are taken twice, in two places.
    assert table["sentence"].is_unique


def test_an_llm_sentence_without_its_expression_is_replaced():
    how = {"sentences": 1, "seed": 1}
    requests = render_lexicon(HEDGES[:1], model=MODEL, **how)
    answers = responses(requests, {"perhaps": ["The movie is good."]}, named="expression")
    table = parse_lexicon(HEDGES, requests, answers, method="llm", **how)
    assert table["origin"].tolist() == ["template"]
