"""What harnesses for evaluation save, as rows: lm-evaluation-harness, inspect_ai."""

import string
import sys
from pathlib import Path
from typing import Any

from ralc.datasets.user_dataset import QuestionRow, place_of
from ralc.io.rows import Cell, Row, choice_columns, is_missing, listed, located, named, parsed, read_rows
from ralc.precomputed.replies import asked_in, columns_of, converted, text_in, typed

#: What inspect_ai calls correct, incorrect and not answered.
_INSPECT = {"C": 1, "I": 0, "N": 0}
#: What it calls nothing: where a log has one of these, its C is a choice, too.
_LETTERS = sorted({*string.ascii_uppercase} - {*"CIPN", *"TFY"})
#: What a logged document says, by the names that a file of questions may have for it.
_DOCUMENT = {name: QuestionRow.headers[name] for name in ("question", "choices", "best_answer", "wrong")}
_DOCUMENT["accepted"] = "correct_answers"


def from_lm_eval(
    path: str | Path, *, correct: str | None = None, filter_name: str | None = None
) -> list[Row]:
    """Return the rows of the samples that lm-evaluation-harness logged (``--log_samples``, ``samples_*.jsonl``).

    For tasks that generate: ``resps`` are the answers, ``doc_id`` becomes ``question_id``, the document's ``question``
    (else the prompt) the question, what a chat has before it the history. Its choices, right and wrong answers are
    taken, and ``target`` is accepted, or names the right choice. Runs of several seeds or tasks may be joined in a
    file: a number of another question is numbered on.

    Parameters
    ----------
    path
        The file.
    correct
        The metric that is the outcome; without it the rows have none.
    filter_name
        Of several filters the one that is taken; by default the first.

    Raises
    ------
    ValueError
        If a sample has no text, or there is no such metric or filter; naming file and line.
    """
    logged = _filtered(read_rows(path, "jsonl"), filter_name, path)
    if correct and not any(correct in row.cells for row in logged):
        metrics = dict.fromkeys(name for row in logged for name in row.cells.get("metrics", []))
        raise ValueError(f"{path}, column {correct!r}: is missing; metrics are {', '.join(metrics)}")
    questions: dict[str, dict[str, int]] = {}

    def of_lm_eval(row: dict[str, Any]) -> dict[str, Any]:
        answers = typed(row["resps"], list, "resps")[0]
        if not all(isinstance(answer, str) for answer in answers):
            raise TypeError("resps holds likelihoods and no text; take a task that generates answers")
        asked, key = _document(row)
        name = str(row["doc_id"])
        same = questions.setdefault(name, {})
        place = same.setdefault(f"{asked['question']} {key.get('choices')}", len(same))
        name += f"-{place + 1}" if place else ""
        cells = {"question_id": name, **asked, "answers": answers, "copy": (name, str(answers))}
        return cells | _key(key, row.get("target")) | {"correct": _graded(row, correct, answers)}

    return converted(logged, of_lm_eval)


def _filtered(logged: list[Row], wanted: str | None, path: str | Path) -> list[Row]:
    """Return the samples of one filter, by default the first; ValueError names the filters where there is no such."""
    by_filter: dict[str, list[Row]] = {}
    for row in logged:
        by_filter.setdefault(str(row.cells.get("filter", "none")), []).append(row)
    chosen = wanted or next(iter(by_filter), "none")
    if wanted and wanted not in by_filter:
        raise ValueError(f"{path}: no filter {wanted!r}; filters are {', '.join(map(repr, by_filter))}")
    if len(by_filter) > 1 and not wanted:
        print(
            f"{path}: filter {chosen!r} is taken, of {', '.join(by_filter)} (--filter-name)", file=sys.stderr
        )
    return by_filter.get(chosen, [])


def _document(row: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what was asked in a sample, as `asked_in` does, and what its document says is right and wrong."""
    document = row["doc"] if isinstance(row.get("doc"), dict) else {}
    key = {here: document[there] for there, here in named(document, _DOCUMENT).items() if document[there]}
    texts = [str(document[name]) for name in choice_columns(document)]
    if place_of(row.get("target"), texts) is not None:
        key.setdefault("choices", texts)
    question = key.pop("question", None)
    known = isinstance(question, str)
    sent = {} if known and "arguments" not in row else _sent(row)
    return sent | {"question": str(question if known else sent["question"])}, key


def _sent(row: dict[str, Any]) -> dict[str, Any]:
    """Return the prompt that was sent as `asked_in` does; of a chat it is JSON, which a list of one may hold."""
    arguments = row["arguments"]
    prompt = arguments["gen_args_0"]["arg_0"] if isinstance(arguments, dict) else arguments[0][0]
    prompt = prompt[0] if isinstance(prompt, list) and len(prompt) == 1 else prompt
    chat = parsed(Cell(prompt))
    return asked_in(chat if isinstance(chat, list) and all(isinstance(one, dict) for one in chat) else prompt)


def _graded(row: dict[str, Any], metric: str | None, answers: list[str]) -> list[Any]:
    """Return the outcome of each answer: a metric is of the one that the filter took, and of its copies."""
    value = None if is_missing(row.get(metric)) else row[metric]
    if len(answers) == 1 or value is None:
        return [value] * len(answers)
    first = answers[0]
    filtered, *_ = typed(row["filtered_resps"], list, "filtered_resps")
    name = row.get("filter", "none")
    if name.startswith("maj") or not (filtered == "[invalid]" or str(filtered) in first):
        raise ValueError(
            f"column {metric!r}: says whether one of {len(answers)} answers is right, by the filter {name!r} "
            "not the first; take a filter that does (--filter-name), or leave --correct out and have them graded"
        )
    return [value if answer == first else None for answer in answers]


def _key(key: dict[str, Any], target: Any) -> dict[str, Any]:
    """Return what a logged document says is right and wrong; of choices the target is the key."""
    several = listed(Cell(target) if isinstance(target, str) else target)
    several = several if all(isinstance(one, str) for one in several) else [target]
    accepted = [one.strip() for one in several if isinstance(one, str) and one.strip()]
    if "choices" in key:
        right = target if type(target) is int else next(iter(accepted), None)
        return {} if right is None else key | {"correct_choice": right}
    accepted = key.get("accepted", accepted)
    return key | ({"accepted": accepted} if accepted else {})


def from_inspect(path: str | Path, *, correct: str | None = None) -> list[Row]:
    """Return the rows of a log of inspect_ai (``.json``): epochs of a sample are samples of one question.

    ``id`` becomes ``question_id``, the last user message of ``input`` the question, those before it its history,
    ``target`` what is accepted, or which of the ``choices`` is right. `correct` names the scorer whose value is the
    outcome (``includes``), with ``.KEY`` where that is an object. Samples that ended in an error are left out and
    counted. An epoch that is logged twice is one. Logs of several runs may be a list, or a line each.
    """
    if ".json" not in Path(path).suffixes:
        how = f"inspect log convert {path} --to json --output-dir ."
        raise ValueError(f"{path}: is no .json log; write one: {how}")
    logged = [sample for row in read_rows(path, key="samples") for sample in _samples(row)]
    scorer, part = _scorer([row.cells for row in logged], correct, path) if correct else ("", "")

    def of_inspect(sample: dict[str, Any]) -> dict[str, Any] | None:
        if sample.get("error"):
            return None
        replies = typed(typed(sample["output"], dict, "output")["choices"], list, "choices")
        if not replies:
            return None
        row = {"question_id": str(sample["id"]), **asked_in(sample["input"]), **_target(sample)}
        tokens = [(reply.get("logprobs") or {}).get("content") for reply in replies]
        row |= columns_of(
            [(text_in(reply["message"]), each) for reply, each in zip(replies, tokens, strict=True)]
        )
        if correct:
            value = _value(sample, scorer, part)
            value = _INSPECT.get(value, value) if isinstance(value, str) else value
            row["correct"] = [value, *[None] * (len(replies) - 1)]
        if "epoch" in sample:
            row["copy"] = (f"{sample['id']}, {sample['epoch']}", str(sample))
        return row

    return converted(logged, of_inspect, "ended in an error")


def _scorer(logged: list[dict[str, Any]], correct: str, path: str | Path) -> tuple[str, str]:
    """Return the scorer of an outcome, and the key in its value ("": none); ValueError if none says right or wrong."""
    scorers = dict.fromkeys(name for sample in logged for name in sample.get("scores") or {})
    scorer, _, part = (correct, "", "") if correct in scorers else correct.rpartition(".")
    if scorer not in scorers:
        raise ValueError(f"{path}, column {correct!r}: is missing; scorers are {', '.join(scorers)}")
    values = [_value(sample, scorer, part) for sample in logged]
    if letters := [letter for letter in _LETTERS if letter in values]:
        remedy = "take a scorer that says right or wrong (C, I, P, N), or leave --correct out"
        raise ValueError(f"{path}, column {correct!r}: has {', '.join(letters)} for a choice; {remedy}")
    return scorer, part


def _value(sample: dict[str, Any], scorer: str, part: str) -> Any:
    """Return what a scorer says of a sample, or a part of it."""
    value = ((sample.get("scores") or {}).get(scorer) or {}).get("value")
    return (value or {}).get(part) if part else value


def _samples(row: Row) -> list[Row]:
    """Return the samples of a row that is a log of its own; of any other the row."""
    if "eval" not in row.cells:
        return [row]
    with located(row.where):
        logged = enumerate(typed(row.cells["samples"], list, "samples"), 1)
    run = {"eval": row.cells["eval"]}
    return [Row(at, f"{row.where}, samples {at}", sample | run) for at, sample in logged]


def _target(sample: dict[str, Any]) -> dict[str, Any]:
    """Return what a sample accepts: letters are those of its choices."""
    target = sample["target"]
    several = [one for one in ([target] if isinstance(target, str) else target) if one.strip()]
    if choices := sample.get("choices"):
        if len(several) > 1:
            raise ValueError(f"column 'target': {', '.join(several)} are right, and one choice can be")
        return {"choices": choices, **({"correct_choice": several[0]} if several else {})}
    return {"accepted": several} if several else {}
