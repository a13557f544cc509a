"""What harnesses for evaluation save, as rows: lm-evaluation-harness, inspect_ai."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ralc.io.rows import Row, is_missing, list_cell, read_rows
from ralc.precomputed.entries import (
    columns_of,
    converted,
    count_left,
    last_turn,
    list_of,
    listed,
    object_of,
    objects,
)

#: What inspect_ai calls correct, incorrect and not answered.
_INSPECT = {"C": 1, "I": 0, "N": 0}
#: What of a logged document says what is right or wrong, by its column here.
_KEYS = {"choices": "choices", "best_answer": "best_answer", "incorrect_answers": "wrong"}


def from_lm_eval(
    path: str | Path, *, correct: str | None = None, filter_name: str | None = None
) -> list[Row]:
    """Return the rows of the samples that lm-evaluation-harness logged (``--log_samples``, ``samples_*.jsonl``).

    For tasks that generate: ``resps`` are the answers as they came (several with ``repeats``). ``doc_id`` becomes
    ``question_id``, the document's ``question`` (else the prompt) the question. Its ``choices``, ``correct_answers``
    and ``incorrect_answers`` are taken, and ``target`` is what is accepted, or names the right choice.
    `correct` names the metric whose 0 or 1 is the outcome (``exact_match``). Of a task with several filters one is
    taken: `filter_name`, or the first in the file. A document that is logged twice with the same answers is one.
    """
    logged = read_rows(path, "jsonl")
    known = list(dict.fromkeys(row.get("filter", "none") for *_, row in logged))
    chosen = filter_name or known[0]
    if chosen not in known:
        raise ValueError(f"{path}: no filter {chosen!r}; filters are {', '.join(map(repr, known))}")
    if len(known) > 1 and filter_name is None:
        print(f"{path}: filter {chosen!r} is taken, of {', '.join(known)} (--filter-name)", file=sys.stderr)
    if correct and not any(correct in row for *_, row in logged):
        metrics = dict.fromkeys(name for *_, row in logged for name in row.get("metrics", []))
        raise ValueError(f"{path}, column {correct!r}: is missing; metrics are {', '.join(metrics)}")

    def of_lm_eval(row: dict[str, Any]) -> dict[str, Any] | None:
        if row.get("filter", "none") != chosen:
            return None
        answers = list_of(row["resps"], "resps")[0]
        if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
            raise TypeError("resps holds likelihoods and no text; take a task that generates answers")
        names = {"question_id": str(row["doc_id"]), "question": _document_question(row), "answers": answers}
        graded = {"correct": _graded(row, correct, answers)} if correct else {}
        return names | _document_key(row) | graded | {"copy": tuple(answers)}

    return converted(logged, of_lm_eval)


def _graded(row: dict[str, Any], metric: str, answers: list[str]) -> list[Any]:
    """Return the outcome of each answer: a metric is of the one that the filter took, and of its copies."""
    value = None if is_missing(row.get(metric)) else row[metric]
    if len(answers) == 1 or value is None:
        return [value] * len(answers)
    first, (taken, *_) = answers[0].strip(), list_of(row["filtered_resps"], "filtered_resps")
    name = row.get("filter", "none")
    if name.startswith("maj") or not (taken == "[invalid]" or str(taken) in first):
        raise ValueError(
            f"column {metric!r}: says whether one of {len(answers)} answers is right, by the filter {name!r} "
            "not the first; take a filter that does (--filter-name), or leave --correct out and have them graded"
        )
    return [value if answer.strip() == first else None for answer in answers]


def _document_key(row: dict[str, Any]) -> dict[str, Any]:
    """Return what a logged document says is right and wrong; of choices the target is the key."""
    document = row["doc"] if isinstance(row.get("doc"), dict) else {}
    key = {here: document[there] for there, here in _KEYS.items() if document.get(there)}
    accepted = _targets(row.get("target"))
    if "choices" in key:
        target = row.get("target")
        whole = isinstance(target, int) and not isinstance(target, bool)
        return key | {"correct_choice": target if whole else accepted[0]} if whole or accepted else {}
    accepted = list_of(document.get("correct_answers") or accepted, "correct_answers")
    return key | ({"accepted": accepted} if accepted else {})


def _targets(target: Any) -> list[str]:
    """Return what a task's target accepts; of a worked solution (GSM8K's) its end."""
    several = target if isinstance(target, list) else _texts_in(str(target)) or [target]
    return [one.rpartition("####")[2].strip() for one in several if isinstance(one, str) and one.strip()]


def _texts_in(target: str) -> list[str]:
    """Return the texts of a target that is a list of them as a text; none of any other: "[2, 5)" is an answer."""
    try:
        found = list_cell(target) if target.startswith("[") else []
    except ValueError:
        return []
    return found if all(isinstance(one, str) for one in found) else []


def _document_question(row: dict[str, Any]) -> str:
    """Return the question of a logged document, else the prompt that was sent."""
    if isinstance(row.get("doc"), dict) and isinstance(row["doc"].get("question"), str):
        return row["doc"]["question"]
    arguments = row["arguments"]
    first = arguments["gen_args_0"]["arg_0"] if isinstance(arguments, dict) else arguments[0][0]
    return str(first)


def from_inspect(path: str | Path, *, correct: str | None = None) -> list[Row]:
    """Return the rows of a log of inspect_ai (``.json``): epochs of a sample are samples of one question.

    ``id`` becomes ``question_id``, the last turn of ``input`` the question, ``target`` what is accepted, or which of
    the ``choices`` is right. `correct` names the scorer whose value is the outcome (``includes``). Samples that
    ended in an error are left out and counted. An epoch that is logged twice is one.
    """
    if Path(path).suffix.lower() != ".json":
        raise ValueError(
            f"{path}: is no .json log; write one: inspect log convert {path} --to json --output-dir ."
        )
    left: list[str] = []
    logged = objects(path, "samples")
    scorers = dict.fromkeys(name for row in logged for name in row.cells.get("scores") or {})
    if correct and correct not in scorers:
        raise ValueError(
            f"{path}, column {correct!r}: is missing; scorers are {', '.join(scorers) or 'none'}"
        )

    def of_inspect(sample: dict[str, Any]) -> dict[str, Any] | None:
        replies = list_of(object_of(sample["output"], "output")["choices"], "choices")
        if sample.get("error") or not replies:
            left.append(str(sample["id"]))
            return None
        answers = [last_turn([one["message"]]) for one in replies]
        row = {
            "question_id": str(sample["id"]),
            "question": last_turn(sample["input"]),
            "answers": answers,
        } | _target(sample)
        if "epoch" in sample:
            row["copy"] = sample["epoch"]
        if all(one.get("logprobs") for one in replies):
            row |= columns_of(answers, [listed(one["logprobs"]["content"]) for one in replies])
        if correct:
            row["correct"] = [_scored(sample, correct), *[None] * (len(replies) - 1)]
        return row

    rows = converted(logged, of_inspect)
    count_left(path, left, "ended in an error")
    return rows


def _target(sample: dict[str, Any]) -> dict[str, Any]:
    """Return what a sample accepts: letters are those of its choices."""
    target = sample["target"]
    several = [one for one in ([target] if isinstance(target, str) else target) if one.strip()]
    if choices := sample.get("choices"):
        if len(several) > 1:
            raise ValueError(f"column 'target': {', '.join(several)} are right, and one choice can be")
        return {"choices": choices, **({"correct_choice": several[0]} if several else {})}
    return {"accepted": several} if several else {}


def _scored(sample: Mapping[str, Any], scorer: str) -> Any:
    """Return the outcome by a scorer; None of a sample without it."""
    value = ((sample.get("scores") or {}).get(scorer) or {}).get("value")
    return None if is_missing(value) else _INSPECT.get(value, value) if isinstance(value, str) else value
