"""What tools for language models save, as rows of a file of recorded samples.

What is left out is counted on standard error; an entry that is not of its format is named.
"""

import ast
import sys
from pathlib import Path
from typing import Any

from ralc.importing.entries import Entries, Rows, cells, converted, lines, list_of, samples
from ralc.llm.engines import chat
from ralc.llm.requests import Request
from ralc.textfiles import json_value, placed, read_text

#: What of a result of uqlm is a list in each row.
_LISTS = ("sampled_responses", "logprob", "sampled_logprob")


def from_uqlm(path: str | Path) -> Rows:
    """Return the rows of a result of uqlm: ``UQResult.to_dict()`` as ``.json``, or ``UQResult.to_df()`` as ``.csv``.

    The response and the sampled responses are the answers; where all of them have log-probabilities (a result of
    ``WhiteBoxUQ``), they are taken. The prompt is the question: give `question_id` or shorten the prompt yourself
    where the run's questions are worded otherwise.
    """
    return samples(path, _uqlm_entries(Path(path)), _of_uqlm)


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
    row = {"question": _last_turn(entry["prompt"]), "answers": [entry["response"], *sampled]}
    tokens = [own, *others]
    if own and len(tokens) == len(row["answers"]):
        row["token_logprobs"] = [
            [token["logprob"] for token in list_of(answer or [])] or None for answer in tokens
        ]
    return row


def _uqlm_list(value: Any) -> list[Any]:
    """A list, which in a cell is written as Python does; what is missing is empty."""
    return list_of((ast.literal_eval(value) if isinstance(value, str) and value else value) or [])


def _last_turn(prompt: Any) -> str:
    """The text of a prompt, or of the last turn of a conversation."""
    if isinstance(prompt, str):
        return prompt
    turn = prompt[-1]
    return turn["content"] if isinstance(turn, dict) else str(turn)


def from_batch(path: str | Path, questions: str | Path | None = None) -> Rows:
    """Return the rows of the output of a batch: OpenAI's Batch API, or ``vllm run-batch``.

    ``custom_id`` becomes ``question_id``; with the batch's input file as `questions` the last turn of each
    request is its ``question``. Lines without an answer are left out and counted.
    """
    asked: dict[Any, Any] = {}
    for one in converted(
        [] if questions is None else lines(questions),
        lambda row: {row["custom_id"]: row["body"]["messages"][-1]["content"]},
    ):
        asked |= one
    failed = []

    def of_batch(row: dict[str, Any]) -> dict[str, Any] | None:
        body = (row.get("response") or {}).get("body") or {}
        name, count = row["custom_id"], len(body.get("choices") or [])
        if not count:
            failed.append(name)
            return None
        told = Request("batch", ({"role": "user", "content": ""},), n=count, logprobs=True)
        found = chat.answers(body, told, echoes=False)
        converted = {"question_id": name, "answers": [answer.text for answer in found]}
        if name in asked:
            converted["question"] = asked[name]
        if any(answer.token_logprobs for answer in found):
            converted["token_logprobs"] = [answer.token_logprobs for answer in found]
        if found[0].prompt_tokens:
            converted["prompt_tokens"] = found[0].prompt_tokens
        return converted

    rows = samples(path, lines(path), of_batch)
    if failed:
        print(f"{path}: {len(failed)} requests of the batch failed, left out", file=sys.stderr)
    return rows


def from_lm_eval(path: str | Path, *, correct: str | None = None, filter_name: str | None = None) -> Rows:
    """Return the rows of the samples that lm-evaluation-harness logged (``--log_samples``, ``samples_*.jsonl``).

    For tasks that generate: ``resps`` are the answers as they came (several with ``repeats``). ``doc_id`` becomes
    ``question_id``, and the document's ``question`` (else the prompt) the question. `correct` names the metric
    whose 0 or 1 is the outcome (``exact_match``), where there is one answer. Of a task with several filters one
    is taken: `filter_name`, or the first in the file.
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
        return converted | ({"correct": [row[correct]]} if correct and len(answers) == 1 else {})

    return samples(path, logged, of_lm_eval)


def _document_question(row: dict[str, Any]) -> str:
    """The question of a logged document, else the prompt that was sent."""
    if isinstance(row.get("doc"), dict) and isinstance(row["doc"].get("question"), str):
        return row["doc"]["question"]
    arguments = row["arguments"]
    first = arguments["gen_args_0"]["arg_0"] if isinstance(arguments, dict) else arguments[0][0]
    return str(first)
