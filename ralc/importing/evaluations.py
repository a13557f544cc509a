"""What harnesses for evaluation save, as rows: lm-evaluation-harness, HELM, inspect_ai."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ralc.importing.archives import members
from ralc.importing.entries import converted, count_left, last_turn, list_of, object_of
from ralc.importing.token_ends import columns_of, listed
from ralc.io.rows import Row, read_listed, read_rows
from ralc.io.text import json_object, list_cell

#: What inspect_ai calls correct, incorrect and not answered.
_INSPECT = {"C": 1, "I": 0, "N": 0}


def from_lm_eval(
    path: str | Path, *, correct: str | None = None, filter_name: str | None = None
) -> list[Row]:
    """Return the rows of the samples that lm-evaluation-harness logged (``--log_samples``, ``samples_*.jsonl``).

    For tasks that generate: ``resps`` are the answers as they came (several with ``repeats``). ``doc_id`` becomes
    ``question_id``, the document's ``question`` (else the prompt) the question, and ``target`` what is accepted.
    `correct` names the metric whose 0 or 1 is the outcome (``exact_match``). Of a task with several filters one is
    taken: `filter_name`, or the first in the file.
    """
    logged = read_rows(path, "jsonl")
    known = list(dict.fromkeys(row.get("filter", "none") for *_, row in logged))
    chosen = filter_name or known[0]
    if chosen not in known:
        raise ValueError(f"{path}: no filter {chosen!r}; filters are {', '.join(map(repr, known))}")

    if len(known) > 1 and filter_name is None:
        print(f"{path}: filter {chosen!r} is taken, of {', '.join(known)} (--filter-name)", file=sys.stderr)

    def of_lm_eval(row: dict[str, Any]) -> dict[str, Any] | None:
        if row.get("filter", "none") != chosen:
            return None
        answers = list_of(row["resps"], "resps")[0]
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
    first, (taken, *_) = answers[0].strip(), list_of(row["filtered_resps"], "filtered_resps")
    name = row.get("filter", "none")
    if name.startswith("maj") or not (taken == "[invalid]" or str(taken) in first):
        raise ValueError(
            f"column {metric!r}: says whether one of {len(answers)} answers is right, by the filter {name!r} "
            "not the first; take a filter that does (--filter-name), or leave --correct out and have them graded"
        )
    return [row[metric] if answer.strip() == first else None for answer in answers]


def _targets(target: Any) -> list[str]:
    """What a task's target accepts; of a worked solution (GSM8K's) its end. A number is that of a choice."""
    listed = target if isinstance(target, list) else _listed_texts(str(target)) or [target]
    return [one.rpartition("####")[2].strip() for one in listed if isinstance(one, str) and one.strip()]


def _listed_texts(target: str) -> list[str]:
    """The texts of a target that is a list of them as a text; none of any other: "[2, 5)" is an answer."""
    try:
        listed = list_cell(target, "") if target.startswith("[") else []
    except ValueError:
        return []
    return listed if all(isinstance(one, str) for one in listed) else []


def _document_question(row: dict[str, Any]) -> str:
    """The question of a logged document, else the prompt that was sent."""
    if isinstance(row.get("doc"), dict) and isinstance(row["doc"].get("question"), str):
        return row["doc"]["question"]
    arguments = row["arguments"]
    first = arguments["gen_args_0"]["arg_0"] if isinstance(arguments, dict) else arguments[0][0]
    return str(first)


def from_helm(path: str | Path) -> list[Row]:
    """Return the rows of a run of HELM (``scenario_state.json``), whose instances were answered in words.

    An instance's ``id`` becomes ``question_id``, its input the question, the references that are tagged correct are
    accepted; where letters stand for them (``output_mapping``), they are the choices. Requests that ask the same, as
    of several trials, are samples. Perturbed instances and requests without an answer are left out and counted.
    """
    left: list[str] = []

    def of_helm(state: dict[str, Any]) -> dict[str, Any] | None:
        instance, letters = object_of(state["instance"], "instance"), state.get("output_mapping") or {}
        if state.get("reference_index") is not None:
            raise ValueError(
                "column 'reference_index': scores a choice and generates no answer; take a run that does"
            )
        said = object_of(state.get("result") or {}, "result").get("completions")
        if not said or instance.get("perturbation"):
            left.append(instance["id"])
            return None
        texts = [object_of(one, "completions")["text"].strip() for one in list_of(said, "completions")]
        row = {
            "question_id": instance["id"],
            "question": object_of(instance["input"], "input")["text"],
            "answers": [letters.get(text, text) for text in texts],
        }
        if all(one.get("tokens") for one in said):
            told = [[(token["text"], token["logprob"]) for token in one["tokens"]] for one in said]
            row |= columns_of(row["answers"], told)
        return row | _references(instance["references"], list(letters.values()))

    rows = converted(read_listed(path, "request_states"), of_helm)
    count_left(path, left, "are perturbed or have no answer")
    return rows


def _references(references: list[dict[str, Any]], choices: list[str]) -> dict[str, Any]:
    """What is accepted of an instance's references, or which of its choices is right."""
    right = [one["output"]["text"] for one in references if "correct" in one["tags"]]
    if choices and right:
        return {"choices": choices, "correct_choice": choices.index(right[0])}
    return {"accepted": right} if right else {}


def from_inspect(path: str | Path, *, correct: str | None = None) -> list[Row]:
    """Return the rows of a log of inspect_ai, ``.eval`` or ``.json``; its epochs are samples of one question.

    ``id`` becomes ``question_id``, the last turn of ``input`` the question, ``target`` what is accepted, or which of
    the ``choices`` is right. `correct` names the scorer whose value is the outcome (``includes``). Samples that
    ended in an error are left out and counted.
    """
    left: list[str] = []

    def of_inspect(sample: dict[str, Any]) -> dict[str, Any] | None:
        replies = list_of(object_of(sample["output"], "output")["choices"], "choices")
        if sample.get("error") or not replies:
            left.append(str(sample["id"]))
            return None
        row = {
            "question_id": str(sample["id"]),
            "question": last_turn(sample["input"]),
            "answers": [last_turn([one["message"]]) for one in replies],
        } | _target(sample)
        if all(one.get("logprobs") for one in replies):
            row |= columns_of(row["answers"], [listed(one["logprobs"]["content"]) for one in replies])
        return row | (
            {"correct": [_scored(sample, correct), *[None] * (len(replies) - 1)]} if correct else {}
        )

    rows = converted(_samples(path), of_inspect)
    count_left(path, left, "ended in an error")
    return rows


def _samples(path: str | Path) -> Iterable[Row]:
    """The samples of a log; of an archive one by one."""
    if Path(path).suffix.lower() == ".json":
        return read_listed(path, "samples")
    found = ((f"{path}, {name}", text) for name, text in members(path, "samples/"))
    return (Row(number, where, json_object(text, where)) for number, (where, text) in enumerate(found, 1))


def _target(sample: dict[str, Any]) -> dict[str, Any]:
    """What a sample accepts: letters are those of its choices."""
    target = sample["target"]
    listed = [one for one in ([target] if isinstance(target, str) else target) if one.strip()]
    if choices := sample.get("choices"):
        if len(listed) > 1:
            raise ValueError(f"column 'target': {', '.join(listed)} are right, and one choice can be")
        return {"choices": choices, **({"correct_choice": listed[0]} if listed else {})}
    return {"accepted": listed} if listed else {}


def _scored(sample: dict[str, Any], scorer: str) -> Any:
    """The outcome by a scorer."""
    scores = sample.get("scores") or {}
    if scorer not in scores:
        raise ValueError(f"column {scorer!r}: is missing; scorers are {', '.join(scores) or 'none'}")
    value = scores[scorer]["value"]
    return _INSPECT.get(value, value) if isinstance(value, str) else value
