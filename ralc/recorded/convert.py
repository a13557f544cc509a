"""What other tools save, as rows of a file of recorded samples.

Each function takes a file and returns rows (`ralc.recorded.table.COLUMNS`), which `write` writes as JSON lines.
What is left out is counted on standard error; an entry that is not of its format is named.
"""

import ast
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ralc.io import write_text
from ralc.llm.engines import chat
from ralc.llm.requests import Request
from ralc.recorded.manager import load_manager
from ralc.recorded.table import checked_row
from ralc.textfiles import json_object, json_value, placed, read_delimited, read_json_lines, read_text

Rows = list[dict[str, Any]]
#: What an entry is, and where it stands.
Entries = Iterable[tuple[str, Any]]
#: What of a result of uqlm is a list in each row.
_LISTS = ("sampled_responses", "logprob", "sampled_logprob")
#: The parts of a question of MMLU as it was asked, and what ends each; the last may go on to the end.
_MMLU_ENDS = {"question": "\nA. ", "A": "\nB. ", "B": "\nC. ", "C": "\nD. ", "D": "\nAnswer:"}


def write(rows: Iterable[dict[str, Any]], path: str | Path) -> None:
    """Write rows as JSON lines."""
    write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), path)


def _samples(path: str | Path, entries: Entries, convert: Callable[[Any], dict[str, Any] | None]) -> Rows:
    """The rows of samples that entries become, checked as they are when they are read."""
    rows = _converted(entries, convert)
    for where, row in rows:
        with placed(where):
            told = json_object(json.dumps(row), where)
            checked_row({name: value for name, value in told.items() if value is not None}, where)
    if not rows:
        raise ValueError(f"{path}: holds no answer")
    return [row for _, row in rows]


def _converted(
    entries: Entries, convert: Callable[[Any], dict[str, Any] | None]
) -> list[tuple[str, dict[str, Any]]]:
    """The rows that entries become, but for those that become none, with their places."""
    rows = []
    for where, entry in entries:
        with placed(where):
            rows.append((where, convert(entry)))
    return [(where, row) for where, row in rows if row is not None]


def _list(value: Any) -> list[Any]:
    """A list as it is: a text, too, could be taken apart."""
    if not isinstance(value, list):
        raise TypeError(f"{value!r:.80} is no list")
    return value


def from_uqlm(path: str | Path) -> Rows:
    """Return the rows of a result of uqlm: ``UQResult.to_dict()`` as ``.json``, or ``UQResult.to_df()`` as ``.csv``.

    The response and the sampled responses are the answers; where all of them have log-probabilities (a result of
    ``WhiteBoxUQ``), they are taken. The prompt is the question: give `question_id` or shorten the prompt yourself
    where the run's questions are worded otherwise.
    """
    return _samples(path, _uqlm_entries(Path(path)), _of_uqlm)


def _uqlm_entries(path: Path) -> Entries:
    """The rows of a result, by the names that its table has."""
    if path.suffix == ".csv":
        return _csv_lines(path)
    with placed(str(path)):
        data = json_value(read_text(path), str(path)).get("data", {})
        columns = {
            {"prompts": "prompt", "responses": "response"}.get(name, name): data[name] for name in data
        }
        lacking = [name for name in ("prompt", "response") if name not in columns]
        if lacking:
            raise ValueError(f"{path}: no result of uqlm: {', '.join(lacking)} is missing")
        told = {
            name: _list(columns[name])
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
            [token["logprob"] for token in _list(answer or [])] or None for answer in tokens
        ]
    return row


def _uqlm_list(value: Any) -> list[Any]:
    """A list, which in a cell is written as Python does; what is missing is empty."""
    return _list((ast.literal_eval(value) if isinstance(value, str) and value else value) or [])


def _last_turn(prompt: Any) -> str:
    """The text of a prompt, or of the last turn of a conversation."""
    if isinstance(prompt, str):
        return prompt
    turn = prompt[-1]
    return turn["content"] if isinstance(turn, dict) else str(turn)


def from_lm_polygraph(path: str | Path, *, correct: str | None = None) -> Rows:
    """Return the rows of a manager that lm-polygraph saved (``UEManager.save``, a ``.man`` file).

    The answers are ``sample_texts`` where they were kept (``save_stats``), else the greedy text alone. `correct`
    names the generation metric whose 0 or 1 is the outcome of the greedy text (``Accuracy``); it is taken only
    where that text is the answer. Log-probabilities: ``greedy_log_likelihoods``, or
    ``sample_log_likelihoods``. torch is not needed, and nothing of the file is executed.
    """
    manager = load_manager(path)
    with placed(str(path)):
        stats = manager["stats"]
        sampled = "sample_texts" in stats
        texts = stats["sample_texts"] if sampled else [[text] for text in stats["greedy_texts"]]
        logprobs = stats.get(f"{'sample' if sampled else 'greedy'}_log_likelihoods")
        logprobs = [None] * len(texts) if logprobs is None or not len(logprobs) else logprobs
        take = correct and not sampled
        outcomes = manager["gen_metrics"]["sequence", correct] if take else [None] * len(texts)
        entries = list(zip(stats["input_texts"], texts, logprobs, outcomes, strict=True))

    def of_polygraph(entry: tuple[Any, ...]) -> dict[str, Any]:
        question, answers, values, outcome = entry
        row: dict[str, Any] = {"question": question, "answers": list(_list(answers))}
        if values is not None:
            each = values if sampled else [values]
            row["token_logprobs"] = [None if one is None else [float(x) for x in one] for one in each]
        return row if outcome is None else row | {"correct": [float(outcome)]}

    places = (f"{path}, entry {number}" for number in range(1, len(entries) + 1))
    return _samples(path, zip(places, entries, strict=True), of_polygraph)


def from_batch(path: str | Path, questions: str | Path | None = None) -> Rows:
    """Return the rows of the output of a batch: OpenAI's Batch API, or ``vllm run-batch``.

    ``custom_id`` becomes ``question_id``; with the batch's input file as `questions` the last turn of each
    request is its ``question``. Lines without an answer are left out and counted.
    """
    asked: dict[Any, Any] = {}
    for _, one in _converted(
        _lines(questions), lambda row: {row["custom_id"]: row["body"]["messages"][-1]["content"]}
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

    rows = _samples(path, _lines(path), of_batch)
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
    lines = list(_lines(path))
    chosen = filter_name or lines[0][1].get("filter", "none")

    def of_lm_eval(row: dict[str, Any]) -> dict[str, Any] | None:
        if row.get("filter", "none") != chosen:
            return None
        answers = _list(row["resps"])[0]
        if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
            raise TypeError("resps holds likelihoods and no text; take a task that generates answers")
        converted = {
            "question_id": str(row["doc_id"]),
            "question": _document_question(row),
            "answers": answers,
        }
        return converted | ({"correct": [row[correct]]} if correct and len(answers) == 1 else {})

    return _samples(path, lines, of_lm_eval)


def _document_question(row: dict[str, Any]) -> str:
    """The question of a logged document, else the prompt that was sent."""
    if isinstance(row.get("doc"), dict) and isinstance(row["doc"].get("question"), str):
        return row["doc"]["question"]
    arguments = row["arguments"]
    first = arguments["gen_args_0"]["arg_0"] if isinstance(arguments, dict) else arguments[0][0]
    return str(first)


def from_dlm_uncertainty(path: str | Path) -> Rows:
    """Return the rows of a file of graded responses of the study dlm_uncertainty (``*_graded_responses.csv``).

    A letter is expanded to its choice's text; anything else that was answered stays as it is. An answer is correct
    if it is the right letter (as the file's own grade says of the response). A missing log-probability is null.
    """

    def of_dlm(cells: dict[str, str]) -> dict[str, Any]:
        question = _mmlu(cells)
        letters = _list(ast.literal_eval(cells["raw_response"]))
        values = _list(json.loads(cells["logprobs"].replace("nan", "null").replace("None", "null")))
        return {
            "question": question["question"],
            "answers": [question.get(letter.strip(), letter) for letter in letters],
            "token_logprobs": [None if value is None else [value] for value in values],
            "correct": [int(letter.strip() == cells["answer_key"]) for letter in letters],
        }

    return _samples(path, _csv_lines(path), of_dlm)


def questions_of_dlm_uncertainty(path: str | Path) -> Rows:
    """Return the questions that such a file asks, as rows of a questions file."""

    def asked(cells: dict[str, str]) -> dict[str, Any]:
        question = _mmlu(cells)
        return {
            "question": question["question"],
            "choices": [question[letter] for letter in "ABCD"],
            "correct_choice": ["A", "B", "C", "D"].index(cells["answer_key"]),
            "subject": cells["subject"],
        }

    return [row for _, row in _converted(_csv_lines(path), asked)]


def _mmlu(cells: dict[str, str]) -> dict[str, str]:
    """The parts of a question of MMLU as it was asked: its text, and its choices by letter."""
    parts, rest = {}, cells["question"].removeprefix("Question: ")
    for name, end in _MMLU_ENDS.items():
        parts[name], found, rest = rest.partition(end)
        if not found and name != "D":
            raise ValueError("column 'question': no question with the choices A to D")
    return {name: part.strip() for name, part in parts.items()}


def from_wang2025(path: str | Path) -> Rows:
    """Return the rows of Wang et al.'s answers: one a question, which says its certainty in words.

    The text is ``answer (phrase)``, the phrase without the full stop or quotes that ten of them carry.
    """
    return _samples(
        path,
        _lines(path),
        lambda row: {
            "question": row["question"],
            "answers": [f"{row['pred_answer']} ({phrase_of(row['confidence']).lower()})"],
            "correct": [row["is_correct"]],
        },
    )


def phrase_of(label: str) -> str:
    """A certainty phrase as it was meant.

    >>> phrase_of('"Possibly".')
    'Possibly'
    """
    return label.strip().strip('."')


def questions_of_wang2025(path: str | Path) -> Rows:
    """Return the questions that were asked there, with their accepted answers (but for the empty ones)."""
    made = _converted(
        _lines(path),
        lambda row: {
            "question": row["question"],
            "accepted": [one for one in _list(row["correct_answers"]) if one.strip()],
        },
    )
    return [row for _, row in made]


def _lines(path: str | Path | None) -> Entries:
    return [(f"{path}, line {line}", row) for line, row in read_json_lines(path)] if path is not None else []


def _csv_lines(path: str | Path) -> Entries:
    return [(f"{path}, line {line}", cells) for line, cells in read_delimited(path)]


#: The formats by name: what makes rows of samples, and of questions where the file has them.
FORMATS: dict[str, Callable[..., Rows]] = {
    "uqlm": from_uqlm,
    "lm_polygraph": from_lm_polygraph,
    "batch": from_batch,
    "lm_eval": from_lm_eval,
    "dlm_uncertainty": from_dlm_uncertainty,
    "wang2025": from_wang2025,
}
QUESTIONS: dict[str, Callable[..., Rows]] = {
    "dlm_uncertainty": questions_of_dlm_uncertainty,
    "wang2025": questions_of_wang2025,
}


def of_format(name: str, known: dict[str, Callable[..., Rows]]) -> Callable[..., Rows]:
    """Return what converts a format; ValueError for one that is not known."""
    if name not in known:
        raise ValueError(f"no format {name!r} here: {', '.join(known)}")
    return known[name]
