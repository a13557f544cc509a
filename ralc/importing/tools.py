"""What tools for the uncertainty of language models and for their evaluation save, as rows."""

import ast
from pathlib import Path
from typing import Any

from ralc.importing.entries import Entries, Placed, cells, converted, last_turn, lines, list_of
from ralc.textfiles import json_value, list_cell, placed, read_text

#: What of a result of uqlm is a list in each row.
_LISTS = ("sampled_responses", "logprob", "sampled_logprob")


def from_uqlm(path: str | Path) -> Placed:
    """Return the rows of a result of uqlm: ``UQResult.to_dict()`` as ``.json``, or ``UQResult.to_df()`` as ``.csv``.

    The response and the sampled responses are the answers; where all of them have log-probabilities (a result of
    ``WhiteBoxUQ``), they are taken. The prompt is the question: give `question_id` or shorten the prompt yourself
    where the run's questions are worded otherwise.
    """
    return converted(_uqlm_entries(Path(path)), _of_uqlm)


def _uqlm_entries(path: Path) -> Entries:
    """The rows of a result, by the names that its table has."""
    if path.suffix == ".csv":
        return cells(path)
    with placed(str(path)):
        data = json_value(read_text(path), str(path)).get("data", {})
        columns = {
            {"prompts": "prompt", "responses": "response"}.get(name, name): data[name] for name in data
        }
        lacking = [name for name in ("prompt", "response") if name not in columns]
        if lacking:
            raise ValueError(f"{path}: no result of uqlm: {', '.join(lacking)} is missing")
        told = {
            name: list_of(columns[name])
            for name in ("prompt", "response", *_LISTS)
            if columns.get(name) is not None
        }
        rows = [dict(zip(told, row, strict=True)) for row in zip(*told.values(), strict=True)]
    return ((f"{path}, entry {number}", row) for number, row in enumerate(rows, 1))


def _of_uqlm(entry: dict[str, Any]) -> dict[str, Any]:
    sampled, own, others = (_uqlm_list(entry.get(name)) for name in _LISTS)
    row = {"question": last_turn(entry["prompt"]), "answers": [entry["response"], *sampled]}
    tokens = [own, *others]
    if own and len(tokens) == len(row["answers"]):
        row["token_logprobs"] = [
            [token["logprob"] for token in list_of(answer or [])] or None for answer in tokens
        ]
    return row


def _uqlm_list(value: Any) -> list[Any]:
    """A list, which in a cell is written as Python does; what is missing is empty."""
    return list_of((ast.literal_eval(value) if isinstance(value, str) and value else value) or [])


def from_lm_eval(path: str | Path, *, correct: str | None = None, filter_name: str | None = None) -> Placed:
    """Return the rows of the samples that lm-evaluation-harness logged (``--log_samples``, ``samples_*.jsonl``).

    For tasks that generate: ``resps`` are the answers as they came (several with ``repeats``). ``doc_id`` becomes
    ``question_id``, the document's ``question`` (else the prompt) the question, and ``target`` what is accepted.
    `correct` names the metric whose 0 or 1 is the outcome (``exact_match``). Of a task with several filters one is
    taken: `filter_name`, or the first in the file.
    """
    logged = list(lines(path))
    known = list(dict.fromkeys(row.get("filter", "none") for _, row in logged))
    chosen = filter_name or known[0]
    if chosen not in known:
        raise ValueError(f"{path}: no filter {chosen!r}; filters are {', '.join(map(repr, known))}")

    def of_lm_eval(row: dict[str, Any]) -> dict[str, Any] | None:
        if row.get("filter", "none") != chosen:
            return None
        answers = list_of(row["resps"])[0]
        if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
            raise TypeError("resps holds likelihoods and no text; take a task that generates answers")
        converted = {
            "question_id": str(row["doc_id"]),
            "question": _document_question(row),
            "answers": answers,
        }
        if accepted := _targets(row.get("target")):
            converted["accepted"] = accepted
        return converted | ({"correct": _graded(row, correct, answers)} if correct else {})

    return converted(logged, of_lm_eval)


def _graded(row: dict[str, Any], metric: str, answers: list[str]) -> list[Any]:
    """The outcome of each answer: a metric is of the one that the filter took, and of those that are the same."""
    if metric not in row:
        raise ValueError(f"column {metric!r}: is missing; metrics are {', '.join(row.get('metrics', []))}")
    if len(answers) == 1:
        return [row[metric]]
    first, (taken, *_) = answers[0].strip(), list_of(row["filtered_resps"])
    if row["filter"].startswith("maj") or not (taken == "[invalid]" or str(taken) in first):
        raise ValueError(
            f"column {metric!r}: says whether one of {len(answers)} answers is right, by the filter {row['filter']!r} "
            "not the first; take a filter that does (--filter-name), or leave --correct out and have them graded"
        )
    return [row[metric] if answer.strip() == first else None for answer in answers]


def _targets(target: Any) -> list[str]:
    """What a task's target accepts; of a worked solution (GSM8K's) its end. A number is that of a choice."""
    if isinstance(target, str) and target.startswith("["):
        target = list_cell(target, "column 'target'")
    listed = target if isinstance(target, list) else [target]
    return [one.rpartition("####")[2].strip() for one in listed if isinstance(one, str) and one.strip()]


def _document_question(row: dict[str, Any]) -> str:
    """The question of a logged document, else the prompt that was sent."""
    if isinstance(row.get("doc"), dict) and isinstance(row["doc"].get("question"), str):
        return row["doc"]["question"]
    arguments = row["arguments"]
    first = arguments["gen_args_0"]["arg_0"] if isinstance(arguments, dict) else arguments[0][0]
    return str(first)
