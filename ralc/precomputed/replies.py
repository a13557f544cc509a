"""Replies of OpenAI's API, of servers that speak it and of vLLM's offline engine, as they were saved, as rows."""

from pathlib import Path
from typing import Any

from ralc.datasets.user_dataset import QuestionRow
from ralc.io.rows import Row, named
from ralc.precomputed.entries import (
    Token,
    columns_of,
    converted,
    count_left,
    last_turn,
    list_of,
    listed,
    object_of,
    objects,
)

#: Where a request has what is asked.
_ASKED = ("messages", "prompt")


def from_openai(path: str | Path) -> list[Row]:
    """Return the rows of replies that were saved as they came: lines of JSON, or a list in a file of it.

    An entry has the ``response`` (of Chat Completions, as ``model_dump()`` makes it) and what a reply does not say:
    the ``question``, or the request's ``messages``; and what else a file of questions has. Replies without a text
    (a refusal, a tool's call) are left out and counted. One reply that stands twice, by its id, is one.
    """
    saved, left = '{"question": question, "response": response.model_dump()}', []

    def of_openai(entry: dict[str, Any]) -> dict[str, Any] | None:
        known, reply = _beside(entry, saved), object_of(entry["response"], "response")
        answered = _answered(list_of(reply["choices"], "choices"))
        if answered is None:
            left.append(str(known.get("question_id") or known["question"]))
            return None
        usage = reply.get("usage") or {}
        counted = {"prompt_tokens": usage["prompt_tokens"]} if usage.get("prompt_tokens") else {}
        return known | answered | counted | ({"copy": reply["id"]} if reply.get("id") else {})

    rows = converted(objects(path), of_openai)
    count_left(path, left, "failed, or have no text (a refusal, a tool's call)")
    return rows


def _answered(choices: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the answers of choices, with their log-probabilities where they have them; None if no text.

    Whatever ended an answer, a text is one; what a content filter cut is none.
    """
    told = [
        choice
        for choice in choices
        if isinstance(choice["message"].get("content"), str)
        and choice.get("finish_reason") != "content_filter"
    ]
    if not told:
        return None
    answers = [choice["message"]["content"] for choice in told]
    tokens = [listed((choice.get("logprobs") or {}).get("content")) for choice in told]
    return {"answers": answers} | (columns_of(answers, tokens) if any(tokens) else {})


def from_vllm(path: str | Path) -> list[Row]:
    """Return the rows of what vLLM's ``LLM.chat`` or ``LLM.generate`` returned: lines or a list of JSON.

    An entry has the ``outputs`` (``dataclasses.asdict`` of each) and what else a file of questions has; without a
    ``question`` the ``prompt``, or the last turn of the ``messages``, is taken for it.
    """
    saved = '{"question": question, "outputs": [dataclasses.asdict(one) for one in reply.outputs]}'
    return converted(objects(path), lambda entry: _beside(entry, saved) | _generated(entry["outputs"]))


def _generated(outputs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the answers in a request's outputs, with the log-probability of each token that was drawn."""
    outputs = [object_of(one, "outputs") for one in list_of(outputs, "outputs")]
    row: dict[str, Any] = {"answers": [one["text"] for one in outputs]}
    if outputs and all(one.get("logprobs") for one in outputs):
        row |= columns_of(row["answers"], map(_drawn, outputs))
    return row


def _drawn(output: dict[str, Any]) -> list[Token]:
    """Return the tokens that were drawn for an answer."""
    ids, known = output["token_ids"], output["logprobs"]
    if len(ids) != len(known) or any(str(token) not in one for token, one in zip(ids, known, strict=True)):
        raise ValueError(
            "column 'logprobs': has not one entry for each of 'token_ids', with that token in it"
        )
    told = [one[str(token)] for token, one in zip(ids, known, strict=True)]
    return [(token.get("decoded_token") or "", token["logprob"]) for token in told]


def _beside(entry: dict[str, Any], saved: str) -> dict[str, Any]:
    """Return what stands beside a reply of its question, which may be named by the request."""
    columns = [name for name in entry if name not in ("response", "outputs", *_ASKED)]
    called = named(columns, QuestionRow.headers)
    known = {here: entry[there] for there, here in called.items()}
    if known.keys() & {"question", "question_id"}:
        return known
    told = next((entry[name] for name in _ASKED if entry.get(name)), None)
    if told is None:
        raise ValueError(
            f"column 'question': is missing, and a reply does not say what was asked; save {saved} for each"
        )
    return known | {"question": last_turn(told)}
