"""What other tools save, as rows of a file of recorded samples.

Each function takes a file and returns rows (`ralc.recorded.table.COLUMNS`), which `write` writes as JSON lines.
What is left out is counted on standard error.
"""

import ast
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ralc.io import write_text
from ralc.llm.engines import chat
from ralc.llm.requests import Request
from ralc.recorded.manager import load_manager
from ralc.textfiles import read_delimited, read_json_lines, read_text

Rows = list[dict[str, Any]]

#: The parts of a question of MMLU as it was asked, and what ends each; the last may go on to the end.
_MMLU_ENDS = {"question": "\nA. ", "A": "\nB. ", "B": "\nC. ", "C": "\nD. ", "D": "\nAnswer:"}


def write(rows: Iterable[dict[str, Any]], path: str | Path) -> None:
    """Write rows as JSON lines."""
    write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), path)


def from_uqlm(path: str | Path) -> Rows:
    """Return the rows of a result of uqlm: ``UQResult.to_dict()`` as ``.json``, or ``UQResult.to_df()`` as ``.csv``.

    The response and the sampled responses are the answers; where all of them have log-probabilities (a result of
    ``WhiteBoxUQ``), they are taken. The prompt is the question: give `question_id` or shorten the prompt yourself
    where the run's questions are worded otherwise.
    """
    data = _uqlm_columns(Path(path))
    lacking = [column for column in ("prompt", "response") if column not in data]
    if lacking:
        raise ValueError(f"{path}: no result of uqlm: {', '.join(lacking)} is missing")
    empty: list[Any] = [None] * len(data["prompt"])
    several = zip(
        data["prompt"],
        data["response"],
        data.get("sampled_responses", empty),
        data.get("logprob", empty),
        data.get("sampled_logprob", empty),
        strict=True,
    )
    rows = []
    for prompt, response, sampled, own, others in several:
        row = {"question": _last_turn(prompt), "answers": [response, *(sampled or [])]}
        tokens = [own, *(others or [])]
        if own and len(tokens) == len(row["answers"]):
            row["token_logprobs"] = [
                [token["logprob"] for token in answer or []] or None for answer in tokens
            ]
        rows.append(row)
    return rows


def _uqlm_columns(path: Path) -> dict[str, list[Any]]:
    """The columns of a result, by the names that its table has."""
    if path.suffix == ".csv":
        rows = [cells for _, cells in read_delimited(path)]
        lists = ("sampled_responses", "logprob", "sampled_logprob")
        return {
            name: [ast.literal_eval(row[name]) if name in lists and row[name] else row[name] for row in rows]
            for name in rows[0]
        }
    data = json.loads(read_text(path)).get("data", {})
    return {{"prompts": "prompt", "responses": "response"}.get(name, name): data[name] for name in data}


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
    stats = manager["stats"]
    sampled = "sample_texts" in stats
    texts = stats["sample_texts"] if sampled else [[text] for text in stats["greedy_texts"]]
    name = f"{'sample' if sampled else 'greedy'}_log_likelihoods"
    logprobs = stats.get(name) or [None] * len(texts)
    rows = []
    for question, answers, values in zip(stats["input_texts"], texts, logprobs, strict=True):
        row: dict[str, Any] = {"question": question, "answers": list(answers)}
        if values is not None:
            each = values if sampled else [values]
            row["token_logprobs"] = [None if one is None else [float(x) for x in one] for one in each]
        rows.append(row)
    if correct and not sampled:
        for row, outcome in zip(rows, manager["gen_metrics"]["sequence", correct], strict=True):
            row["correct"] = [int(outcome)]
    return rows


def from_batch(path: str | Path, questions: str | Path | None = None) -> Rows:
    """Return the rows of the output of a batch: OpenAI's Batch API, or ``vllm run-batch``.

    ``custom_id`` becomes ``question_id``; with the batch's input file as `questions` the last turn of each
    request is its ``question``. Lines without an answer are left out and counted.
    """
    asked = {row["custom_id"]: row["body"]["messages"][-1]["content"] for _, row in _lines(questions)}
    rows, failed = [], 0
    for line, row in _lines(path):
        body = (row.get("response") or {}).get("body") or {}
        count = len(body.get("choices") or [])
        if "custom_id" not in row:
            raise ValueError(
                f"{path}, line {line}, column 'custom_id': is missing; this is no output of a batch"
            )
        if not count:
            failed += 1
            continue
        told = Request("batch", ({"role": "user", "content": ""},), n=count, logprobs=True)
        found = chat.answers(body, told, echoes=False)
        converted = {"question_id": row["custom_id"], "answers": [answer.text for answer in found]}
        if row["custom_id"] in asked:
            converted["question"] = asked[row["custom_id"]]
        if any(answer.token_logprobs for answer in found):
            converted["token_logprobs"] = [answer.token_logprobs for answer in found]
        if found[0].prompt_tokens:
            converted["prompt_tokens"] = found[0].prompt_tokens
        rows.append(converted)
    if failed:
        print(f"{path}: {failed} requests of the batch failed, left out", file=sys.stderr)
    return rows


def from_lm_eval(path: str | Path, *, correct: str | None = None, filter_name: str | None = None) -> Rows:
    """Return the rows of the samples that lm-evaluation-harness logged (``--log_samples``, ``samples_*.jsonl``).

    For tasks that generate: ``resps`` are the answers as they came (several with ``repeats``). ``doc_id`` becomes
    ``question_id``, and the document's ``question`` (else the prompt) the question. `correct` names the metric
    whose 0 or 1 is the outcome (``exact_match``), where there is one answer. Of a task with several filters one
    is taken: `filter_name`, or the first in the file.
    """
    rows, chosen = [], filter_name
    for line, row in _lines(path):
        where = f"{path}, line {line}"
        chosen = chosen or row.get("filter", "none")
        if row.get("filter", "none") != chosen:
            continue
        answers = row.get("resps", [None])[0]
        if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
            raise ValueError(
                f"{where}, column 'resps': holds likelihoods and no text; take a task that generates answers"
            )
        converted = {
            "question_id": str(row["doc_id"]),
            "question": _document_question(row),
            "answers": answers,
        }
        if correct and len(answers) == 1:
            if correct not in row:
                raise ValueError(f"{where}, column {correct!r}: is missing")
            converted["correct"] = [int(row[correct])]
        rows.append(converted)
    return rows


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
    rows = []
    for question, cells in _mmlu_rows(path):
        letters = ast.literal_eval(cells["raw_response"])
        values = json.loads(cells["logprobs"].replace("nan", "null").replace("None", "null"))
        if len(values) != len(letters):
            raise ValueError(f"{path}, column 'logprobs': {len(values)} values for {len(letters)} answers")
        rows.append(
            {
                "question": question["question"],
                "answers": [question.get(letter.strip(), letter) for letter in letters],
                "token_logprobs": [None if value is None else [value] for value in values],
                "correct": [int(letter.strip() == cells["answer_key"]) for letter in letters],
            }
        )
    return rows


def questions_of_dlm_uncertainty(path: str | Path) -> Rows:
    """Return the questions that such a file asks, as rows of a questions file."""
    return [
        {
            "question": question["question"],
            "choices": [question[letter] for letter in "ABCD"],
            "correct_choice": "ABCD".index(cells["answer_key"]),
            "subject": cells["subject"],
        }
        for question, cells in _mmlu_rows(path)
    ]


def _mmlu_rows(path: str | Path) -> list[tuple[dict[str, str], dict[str, str]]]:
    """The parts of each question (its text, and its choices by letter) and its cells."""
    rows = []
    for line, cells in read_delimited(path):
        question = _mmlu(cells["question"])
        if question is None:
            raise ValueError(f"{path}, line {line}, column 'question': no question with the choices A to D")
        rows.append((question, cells))
    return rows


def _mmlu(text: str) -> dict[str, str] | None:
    """The parts of a question of MMLU as it was asked, None where one is missing."""
    parts, rest = {}, text.removeprefix("Question: ")
    for name, end in _MMLU_ENDS.items():
        parts[name], found, rest = rest.partition(end)
        if not found and name != "D":
            return None
    return {name: part.strip() for name, part in parts.items()}


def from_wang2025(path: str | Path) -> Rows:
    """Return the rows of Wang et al.'s answers: one a question, which says its certainty in words.

    The text is ``answer (phrase)``, the phrase without the full stop or quotes that ten of them carry.
    """
    return [
        {
            "question": row["question"],
            "answers": [f"{row['pred_answer']} ({phrase_of(row['confidence']).lower()})"],
            "correct": [row["is_correct"]],
        }
        for _, row in read_json_lines(path)
    ]


def phrase_of(label: str) -> str:
    """A certainty phrase as it was meant.

    >>> phrase_of('"Possibly".')
    'Possibly'
    """
    return label.strip().strip('."')


def questions_of_wang2025(path: str | Path) -> Rows:
    """Return the questions that were asked there, with their accepted answers (but for the empty ones)."""
    return [
        {"question": row["question"], "accepted": [one for one in row["correct_answers"] if one.strip()]}
        for _, row in read_json_lines(path)
    ]


def _lines(path: str | Path | None) -> Sequence[tuple[int, dict[str, Any]]]:
    return read_json_lines(path) if path is not None else []


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
