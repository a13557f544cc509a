"""Replies as they were saved, as rows: of OpenAI's API and servers that speak it, of vLLM's offline engine, of uqlm."""

import ast
import re
import sys
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from ralc.datasets.user_dataset import QuestionRow
from ralc.io.rows import Row, is_missing, located, named, read_rows, read_text
from ralc.llm import chat

#: Where a request has what is asked, and the reply to it.
_REQUEST, _REPLY = ("messages", "prompt"), ("response", "outputs")
#: The text of a message in a prompt as LangChain writes it.
_MESSAGE = re.compile(r"""\bcontent=('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")


def from_openai(path: str | Path) -> list[Row]:
    """Return the rows of replies that were saved as they came: lines of JSON, or a list in a file of it.

    An entry has the ``response`` (of Chat Completions, as ``model_dump()`` makes it) and what a reply does not say: the
    ``question``, or the request's ``messages``. It may have what else a file of questions has. Replies without a text
    (a refusal, a tool's call) are left out and counted. One reply that stands twice, by its id, is one.
    """

    def of_openai(entry: dict[str, Any]) -> dict[str, Any] | None:
        request = _request(entry, '{"question": question, "response": response.model_dump()}')
        reply = typed(entry["response"], dict, "response")
        # Whatever ended an answer, a text is one; what a content filter cut is none.
        usable = [
            (text, (choice.get("logprobs") or {}).get("content"))
            for choice in typed(reply["choices"], list, "choices")
            if (text := chat.content_of(choice["message"])[0]) is not None
            and choice.get("finish_reason") != "content_filter"
        ]
        count, name = (reply.get("usage") or {}).get("prompt_tokens"), reply.get("id")
        extras = {"prompt_tokens": count} if count else {}
        extras |= {"copy": name} if name else {}
        return request | columns_of(usable) | extras if usable else None

    return converted(objects(path), of_openai, "failed, or have no text (a refusal, a tool's call)")


def from_vllm(path: str | Path) -> list[Row]:
    """Return the rows of what vLLM's ``LLM.chat`` or ``LLM.generate`` returned: lines or a list of JSON.

    An entry has the ``outputs`` (``dataclasses.asdict`` of each) and what else a file of questions has. Without a
    ``question`` the ``prompt``, or the last turn of the ``messages``, is taken for it.
    """

    def of_vllm(entry: dict[str, Any]) -> dict[str, Any]:
        outputs = [typed(one, dict, "outputs") for one in typed(entry["outputs"], list, "outputs")]
        saved = '{"question": question, "outputs": [dataclasses.asdict(one) for one in reply.outputs]}'
        return _request(entry, saved) | columns_of([(one["text"], _sampled_tokens(one)) for one in outputs])

    return converted(objects(path), of_vllm)


def _sampled_tokens(output: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tokens of an answer, in the chat schema."""
    if not output.get("logprobs"):
        return []
    try:
        sampled = [one[str(at)] for at, one in zip(output["token_ids"], output["logprobs"], strict=True)]
    except (KeyError, ValueError):
        raise ValueError("column 'logprobs': has not one entry for each of 'token_ids'") from None
    return [{"token": one.get("decoded_token"), "logprob": one["logprob"]} for one in sampled]


def _request(entry: dict[str, Any], saved: str) -> dict[str, Any]:
    """Return what an entry has of its question, which the request may name; the remedy is to save what `saved` says."""
    columns = [name for name in entry if name not in (*_REPLY, *_REQUEST)]
    fields = {here: entry[there] for there, here in named(columns, QuestionRow.headers).items()}
    if fields.keys() & {"question", "question_id"}:
        return fields
    question = next((entry[name] for name in _REQUEST if entry.get(name)), None)
    if question is None:
        raise ValueError(
            f"column 'question': is missing, and a reply does not say what was asked; save {saved} for each"
        )
    return fields | {"question": last_turn(question)}


def from_uqlm(path: str | Path) -> list[Row]:
    """Return the rows of a result of uqlm (``UQResult.to_dict()`` as ``.json``).

    The prompt, or the text of its last message, is the question. The response and the sampled ones are the answers;
    with their log-probabilities. A response without a text is left out.
    """
    with located(str(path), "no result of uqlm"):
        data = from_json(read_text(path))["data"]
        columns = [typed(data[name], list, name) for name in ("prompts", "responses")]
        for name in ("sampled_responses", "logprob", "sampled_logprob"):
            columns.append(typed(data.get(name) or [[]] * len(columns[0]), list, name))
        entries = enumerate(zip(*columns, strict=True), 1)

    def of_uqlm(entry: tuple[Any, ...]) -> dict[str, Any] | None:
        prompt, response, sampled, first, more = entry
        tokens = [first, *(more or [None] * len(sampled))]
        answers = [(text, token) for text, token in zip([response, *sampled], tokens, strict=True) if text]
        messages = _MESSAGE.findall(prompt)
        question = {"question": ast.literal_eval(messages[-1]) if messages else prompt}
        return question | columns_of(answers) if answers else None

    rows = [Row(at, f"{path}, entry {at}", entry) for at, entry in entries]
    return converted(rows, of_uqlm, "have no text")


def objects(path: str | Path, key: str = "") -> list[Row]:
    """Return the objects of a file of JSON lines, or of a list in one of JSON (``.json``), there under a key."""
    if Path(path).suffix.lower() != ".json":
        return read_rows(path, "jsonl")
    with located(str(path), "not JSON, or of another form"):
        value = from_json(read_text(path))
        entries = typed(value[key] if key else value, list, key or "entries")
    return [Row(at, f"{path}, {key or 'entry'} {at}", entry) for at, entry in enumerate(entries, 1)]


def converted(
    entries: Iterable[Row], convert: Callable[[Any], dict[str, Any] | None], why: str = ""
) -> list[Row]:
    """Return the rows that entries become; how many become none, and why, is said on standard error."""
    rows, places = [], []
    for entry in entries:
        with located(entry.where):
            cells = convert(entry.cells)
        if cells is None:
            places.append(entry.where)
        else:
            rows.append(entry._replace(cells=cells))
    if places:
        print(f"{len(places)} entries that {why} are left out ({'; '.join(places[:4])})", file=sys.stderr)
    return rows


def last_turn(prompt: Any) -> str:
    """Return the text of a prompt, or of the last turn of a conversation, of which images and the like are left out.

    >>> last_turn([{"role": "user", "content": [{"type": "input_text", "text": "Who?"}]}])
    'Who?'
    """
    if isinstance(prompt, str):
        return prompt
    turn = prompt[-1]
    content = turn["content"] if isinstance(turn, dict) else turn
    return "".join(part.get("text", "") for part in content) if isinstance(content, list) else str(content)


def typed(value: Any, kind: type[Any], column: str) -> Any:
    """Return a list or an object of a column as it is: a text, too, could be taken apart."""
    if not isinstance(value, kind):
        raise TypeError(f"column {column!r}: {value!r:.80} is no {'list' if kind is list else 'object'}")
    return value


def columns_of(answers: list[tuple[str, Any]]) -> dict[str, list[Any]]:
    """Return ``answers`` and, where some have tokens (of the chat schema), their ``token_logprobs`` and ``tokens``.

    None stands where one has no tokens, or lacks a log-probability.

    >>> columns_of([("Oslo.", [{"token": " Oslo", "logprob": -0.1}, {"token": ".", "logprob": -0.2}])])
    {'answers': ['Oslo.'], 'token_logprobs': [[-0.1, -0.2]], 'tokens': [['Oslo', '.']]}
    """
    columns: dict[str, list[Any]] = {"answers": [], "token_logprobs": [], "tokens": []}
    for text, listed in answers:
        tokens = typed(listed or [], list, "logprobs")
        tokens = [] if any(is_missing(token["logprob"]) for token in tokens) else tokens
        spelt = [bytes(token.get("bytes") or (token.get("token") or "").encode()) for token in tokens]
        ends = chat.token_ends(spelt, text) if spelt else None  # a character in parts is its last token's
        columns["answers"].append(text)
        columns["token_logprobs"].append([token["logprob"] for token in tokens] or None)
        columns["tokens"].append(ends and [text[start:end] for start, end in pairwise((0, *ends))])
    return columns if any(columns["token_logprobs"]) else {"answers": columns["answers"]}
