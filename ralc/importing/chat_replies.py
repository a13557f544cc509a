"""Replies of OpenAI's API, of servers that speak it and of vLLM's offline engine, as they were saved, as rows."""

import re
import sys
from pathlib import Path
from typing import Any

from ralc.datasets.userfile import HEADERS
from ralc.importing.entries import converted, count_left, last_turn, list_of, object_of, objects
from ralc.importing.token_ends import Token, columns_of, pieces
from ralc.io.rows import Row, read_rows
from ralc.llm import chat
from ralc.llm.requests import Request

#: Where a request has what is asked: Chat Completions, Responses.
_ASKED = ("messages", "input", "prompt")
#: The id of a question and the number of an answer to it, in one; and where that is no guess.
_NUMBERED = re.compile(r"(.+?)[-_.:/]?\d+")
#: Replies that hold no answer: why they are left out.
_WITHOUT = "failed, or have no text (a refusal, a tool's call)"
_TWICE_NUMBERED = re.compile(r"(.*\d)[-_.:/]\d+")


def from_batch(path: str | Path, *, requests: str | Path | None = None) -> list[Row]:
    """Return the rows of the output of a batch: OpenAI's Batch API (Chat Completions or Responses), ``vllm run-batch``.

    ``custom_id`` becomes ``question_id``; with the batch's input file as `requests` the last turn of each request is
    its ``question``, and requests that ask the same are samples of one. Without it ids that differ in the last of
    two numbers (``q0-0``, ``q0-1``) are; standard error says so. Requests that failed, and replies without a text (a
    refusal, a tool's call, reasoning alone), are left out and counted.
    """
    asked: dict[str, str] = {}
    for one in converted(
        [] if requests is None else read_rows(requests, "jsonl"),
        lambda row: {str(row["custom_id"]): _asked(row["body"])},
    ):
        asked |= one.cells
    failed = []

    def of_batch(row: dict[str, Any]) -> dict[str, Any] | None:
        name = row["custom_id"]
        if not isinstance(name, str):
            raise TypeError(f"custom_id {name!r:.80} is no text")
        if requests is not None and name not in asked:
            raise ValueError(
                f"column 'custom_id': {name!r} is not in {requests}; is it the input of this batch?"
            )
        response = object_of(row.get("response") or {}, "response")
        reply = object_of(response.get("body") or {}, "body")
        answered = _answered(reply) if reply.get("choices") or "output" in reply else None
        if answered is None:
            failed.append(name)
            return None
        return {"question_id": name, **({"question": asked[name]} if asked else {}), **answered}

    rows = converted(read_rows(path, "jsonl"), of_batch)
    count_left(path, failed, _WITHOUT)
    return _of_one_question(rows, path)


def _of_one_question(rows: list[Row], path: str | Path) -> list[Row]:
    """Rows of which those that answer one question have one id."""
    ids = {row["question_id"]: row.get("question") for *_, row in rows}
    if None not in ids.values():
        asking: dict[str | None, list[str]] = {}
        for name, question in ids.items():
            asking.setdefault(question, []).append(name)
        same = {name: _stem(names) for names in asking.values() for name in names}
    elif all(map(_TWICE_NUMBERED.fullmatch, ids)):
        same = {name: _TWICE_NUMBERED.fullmatch(name)[1] for name in ids}
        print(
            f"{path}: custom_ids that differ in their last number are answers to one question: {len(ids)} of "
            f"{len(set(same.values()))}; with --requests the batch's input file says which are",
            file=sys.stderr,
        )
    else:
        return rows
    return [row._replace(cells=row.cells | {"question_id": same[row.cells["question_id"]]}) for row in rows]


def _stem(names: list[str]) -> str:
    """What the ids of one question have in common, but for a number at their end; else the first of them."""
    stems = {found[1] if (found := _NUMBERED.fullmatch(one)) else one for one in names}
    return stems.pop() if len(names) > 1 and len(stems) == 1 else names[0]


def _answered(reply: dict[str, Any]) -> dict[str, Any] | None:
    """The answers in a reply, with their log-probabilities and the prompt's length where it has them; None if no text.

    A refusal has no content, nor has a call of a tool.
    """
    reply = _as_chat(reply) if "output" in reply else reply
    if all(choice.get("message", choice).get("content", "") is None for choice in reply["choices"]):
        return None
    n = len(reply["choices"])
    told = Request("saved", ({"role": "user", "content": ""},), n=n, logprobs=True)
    found = chat.answers(reply, told, echoes=False)
    row: dict[str, Any] = {"answers": [answer.text for answer in found]}
    if any(answer.token_logprobs for answer in found):
        row["token_logprobs"] = [answer.token_logprobs for answer in found]
        row["tokens"] = [pieces(answer.text, answer.token_ends) for answer in found]
    if found[0].prompt_tokens:
        row["prompt_tokens"] = found[0].prompt_tokens
    return row


def _as_chat(reply: dict[str, Any]) -> dict[str, Any]:
    """A reply of the Responses API in the chat schema: the texts of its messages; reasoning and tools apart."""
    parts = [
        part
        for item in list_of(reply["output"], "output")
        if object_of(item, "output")["type"] == "message"
        for part in item["content"]
        if part["type"] == "output_text"
    ]
    cut = reply.get("status") == "incomplete"
    choice = {
        "message": {"content": "".join(part["text"] for part in parts) if parts else None},
        "logprobs": {"content": [token for part in parts for token in part.get("logprobs") or []]},
        "finish_reason": "length" if cut else "stop",
    }
    return {"choices": [choice], "usage": {"prompt_tokens": (reply.get("usage") or {}).get("input_tokens")}}


def _asked(request: dict[str, Any]) -> str:
    """The question of a request."""
    told = next((request[name] for name in _ASKED if request.get(name)), None)
    if told is None:
        raise ValueError(f"column 'body': has none of {', '.join(_ASKED)}")
    return last_turn(told)


def from_openai(path: str | Path) -> list[Row]:
    """Return the rows of replies that were saved as they came: lines of JSON, or a list in a file of it.

    An entry has the ``response`` (Chat Completions or Responses, as ``model_dump()`` makes it) and what a reply does
    not say: the ``question``, or the request's ``messages`` or ``input``; and what else a file of questions has.
    Replies without a text are left out and counted.
    """
    saved, left = '{"question": question, "response": response.model_dump()}', []

    def of_openai(entry: dict[str, Any]) -> dict[str, Any] | None:
        known, answered = _beside(entry, saved), _answered(object_of(entry["response"], "response"))
        if answered is None:
            left.append(str(known.get("question_id") or known["question"]))
            return None
        return known | answered

    rows = converted(objects(path), of_openai)
    count_left(path, left, _WITHOUT)
    return rows


def from_vllm(path: str | Path) -> list[Row]:
    """Return the rows of what vLLM's ``LLM.chat`` or ``LLM.generate`` returned: lines or a list of JSON.

    An entry has the ``outputs`` (``dataclasses.asdict`` of each) and what else a file of questions has; without a
    ``question`` the ``prompt``, or the last turn of the ``messages``, is taken for it.
    """
    saved = '{"question": question, "outputs": [dataclasses.asdict(one) for one in reply.outputs]}'
    return converted(objects(path), lambda entry: _beside(entry, saved) | _generated(entry["outputs"]))


def _generated(outputs: list[dict[str, Any]]) -> dict[str, Any]:
    """The answers in a request's outputs, with the log-probability of each token that was drawn, where they have it."""
    outputs = [object_of(one, "outputs") for one in list_of(outputs, "outputs")]
    row: dict[str, Any] = {"answers": [one["text"] for one in outputs]}
    if outputs and all(one.get("logprobs") for one in outputs):
        row |= columns_of(row["answers"], map(_drawn, outputs))
    return row


def _drawn(output: dict[str, Any]) -> list[Token]:
    """The tokens that were drawn for an answer."""
    ids, known = output["token_ids"], output["logprobs"]
    if len(ids) != len(known) or any(str(token) not in one for token, one in zip(ids, known, strict=True)):
        raise ValueError(
            "column 'logprobs': has not one entry for each of 'token_ids', with that token in it"
        )
    told = [one[str(token)] for token, one in zip(ids, known, strict=True)]
    return [(token.get("decoded_token") or "", token["logprob"]) for token in told]


def _beside(entry: dict[str, Any], saved: str) -> dict[str, Any]:
    """What stands beside a reply of its question, which may be named by the request."""
    named = {name: value for name, value in entry.items() if name in HEADERS}
    if named.keys() & {"question", "question_id"}:
        return named
    if not any(entry.get(name) for name in _ASKED):
        raise ValueError(
            f"column 'question': is missing, and a reply does not say what was asked; save {saved} for each"
        )
    return named | {"question": _asked(entry)}
