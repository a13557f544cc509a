"""What was never answered is missing: no signal, no outcome, no call, no number."""

import pandas as pd

from ralc import clustering, schemas
from ralc.conditions import having
from ralc.datasets import questions_table
from ralc.grading import LLMGrader, ReferenceGrader
from ralc.pipeline import confidence, fitted_maps, perceived_confidence
from ralc.pipeline.rewrite_plan import Retrieval
from ralc.protocols import resolve
from ralc.registry import SIGNALS, UNANSWERED
from ralc.sampling import Sampling
from tests.synthetic import make_lexicon

MODEL = {"engine": "embedded", "model": "m"}


def asked(count: int = 4) -> pd.DataFrame:
    """Questions q0, q1, ... of which the last is never answered."""
    row = {"format": "short_answer", "question": "Capital of Kenya?", "accepted": ["Nairobi"], "subject": "s"}
    table = questions_table([{**row, "question_id": f"q{place}"} for place in range(count)], "d")
    return table.assign(split=["train"] + ["test"] * (count - 1))


def sampled(questions: pd.DataFrame) -> pd.DataFrame:
    """Three samples a question, one of which failed; of the last question all did."""
    rows = []
    for question in questions["question_id"]:
        lost = question == questions["question_id"].iloc[-1]
        reasons = ["error"] * 3 if lost else ["error", "stop", "stop"]
        told = [("direct", i, why) for i, why in enumerate(reasons)] + [
            ("hedged", 0, "error" if lost else "stop")
        ]
        rows += [(question, *of, "" if why == "error" else "Nairobi", why) for *of, why in told]
    return pd.DataFrame(rows, columns=["question_id", "prompt", "sample", "text", "finish_reason"])


def answered(samples: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    clusters = clustering.LexicalClusterer().result(samples, asked())
    return clusters, schemas.check(clustering.original_answers(samples, clusters), "answers")


def test_samples_that_failed_are_in_no_cluster_and_not_counted():
    clusters, answers = answered(sampled(asked()))
    assert clusters.groupby("question_id").size().to_dict() == {"q0": 2, "q1": 2, "q2": 2}
    direct = having(answers, prompt="direct").set_index("question_id")
    assert direct["samples"].tolist() == [2, 2, 2, 0]
    assert direct.loc["q0", ["text", "support", "members"]].tolist() == ["Nairobi", 2, [1, 2]]
    assert direct.loc["q3", "members"] == []
    hedged = having(answers, prompt="hedged").set_index("question_id")
    assert hedged["samples"].fillna(-1).tolist() == [-1, -1, -1, 0]


def test_a_question_without_answers_has_no_grade_and_nobody_is_asked():
    _, answers = answered(sampled(asked()))
    grades = schemas.check(ReferenceGrader().result(answers, asked()), "grades")
    lost = having(grades, question_id="q3")
    assert set(lost["grade"]) == {UNANSWERED}
    assert lost["outcome"].isna().all()
    assert (grades.loc[grades["question_id"] != "q3", "outcome"] == 1).all()
    requests = LLMGrader().ask(answers, asked(), model=MODEL)
    assert "q3" not in set(requests["question_id"])
    listed = perceived_confidence.list_answers(answers.assign(target="m"), asked())
    assert listed["item"].tolist() == [
        f"m/q{i}/{prompt}" for prompt in ("direct", "hedged") for i in range(3)
    ]


def computed(questions: pd.DataFrame, signals: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The signals of the answers to questions, and their grades."""
    samples = sampled(questions)
    logprobs = [[-0.1] if one else [] for one in samples["text"]]
    samples = samples.assign(token_logprobs=logprobs, token_ends=None, alternatives=None)
    clusters, answers = answered(samples)
    readings = pd.DataFrame({"item": ["m/q0/direct"], "evaluator": "cue_model", "alpha": 3.0, "beta": 1.0})
    tables = (samples, clusters, answers, readings, questions)
    how = {
        "target": "m",
        "signals": signals,
        "evaluator": "cue_model",
        "protocols": {"ralc": resolve("ralc")},
    }
    return confidence.compute(*tables, **how), ReferenceGrader().result(answers, questions)


def fitted(questions: pd.DataFrame, signals: pd.DataFrame, grades: pd.DataFrame) -> list[dict]:
    how = {"methods": {"default": "platt"}, "protocols": {"ralc": resolve("ralc")}}
    return fitted_maps.fit(questions, signals, grades, **how)


def test_a_question_without_answers_has_no_signal_map_or_hedge():
    """All samples failed became Beta(10.5, 0.5): 95 % certain, and wrong."""
    signals, grades = computed(asked(), list(SIGNALS))
    assert signals.loc[signals["question_id"] == "q3", ["alpha", "beta"]].isna().to_numpy().all()
    own = having(signals, signal="semantic_uncertainty").set_index("question_id")
    assert own.loc["q0", ["alpha", "beta"]].tolist() == [2.5, 0.5]  # 2 of 2, not of 3
    mapped = fitted_maps.apply(asked(), signals, fitted(asked(), signals, grades))
    assert "q3" not in set(mapped["question_id"])
    how = {
        "methods": ["ralc", "constant_hedge"],
        "variants": {"default": {"k": 5, "shortlist": 30, "size": None}},
    }
    chosen = Retrieval(**how).result(asked(), mapped, grades, make_lexicon())
    assert set(chosen["question_id"]) == {"q1", "q2"}


def test_a_training_question_that_was_never_answered_is_counted_with_its_map():
    questions = asked().assign(split=["train", "test", "train", "train"])
    fits = fitted(questions, *computed(questions, ["semantic_uncertainty"]))
    assert [(fit["n"], fit["left_out"], fit["unanswered"]) for fit in fits] == [(2, 1, 1)]


def test_prompts_beyond_the_context_are_told_before_the_first_call(capsys):
    questions = asked()
    questions.loc[1, "question"] = "Who is this? " * 1000
    Sampling(answers=2).ask(questions, model=MODEL)
    told = capsys.readouterr().err
    assert "1 of 4 prompts are too long for a context of 2,048 tokens" in told
    assert "the longest: q1, about 3,2" in told
    Sampling(answers=2).ask(questions, model=MODEL | {"context": 8000})
    Sampling(answers=2).ask(questions, model={"engine": "openai", "model": "m", "base_url": "http://x/v1"})
    assert "too long" not in capsys.readouterr().err
