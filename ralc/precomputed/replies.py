"""Replies as they were saved, as rows: of OpenAI's API and servers that speak it, of vLLM's offline engine, of uqlm."""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from ralc.datasets.user_dataset import QuestionRow
from ralc.io.rows import Row, is_missing, json_value, named, placed, read_rows, read_text
from ralc.llm import chat

#: A token as it is spelt, in UTF-8 where it may be part of a character, and its log-probability.
Token = tuple[str | bytes, Any]
#: Where a request has what is asked.
_ASKED = ("messages", "prompt")
#: The text of a message in a prompt as LangChain writes it.
_MESSAGE = re.compile(r"""\bcontent=('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")


def from_openai(path: str | Path) -> list[Row]:
    """Return the rows of replies that were saved as they came: lines of JSON, or a list in a file of it.

    An entry has the ``response`` (of Chat Completions, as ``model_dump()`` makes it) and what a reply does not say:
    the ``question``, or the request's ``messages``; and what else a file of questions has. Replies without a text
    (a refusal, a tool's call) are left out and counted. One reply that stands twice, by its id, is one.
    """
    saved, left = '{"question": question, "response": response.model_dump()}', []

    def of_openai(entry: dict[str, Any]) -> dict[str, Any] | None:
        request, reply = _beside(entry, saved), typed(entry["response"], dict, "response")
        # Whatever ended an answer, a text is one; what a content filter cut is none.
        usable = [
            (text, (choice.get("logprobs") or {}).get("content"))
            for choice in typed(reply["choices"], list, "choices")
            if (text := chat.content_of(choice["message"])[0]) is not None
            and choice.get("finish_reason") != "content_filter"
        ]
        if not usable:
            left.append(str(request.get("question_id") or request["question"]))
            return None
        request |= columns_of([text for text, _ in usable], [listed(tokens) for _, tokens in usable])
        if count := (reply.get("usage") or {}).get("prompt_tokens"):
            request["prompt_tokens"] = count
        return request | ({"copy": reply["id"]} if reply.get("id") else {})

    rows = converted(objects(path), of_openai)
    count_left(path, left, "failed, or have no text (a refusal, a tool's call)")
    return rows


def from_vllm(path: str | Path) -> list[Row]:
    """Return the rows of what vLLM's ``LLM.chat`` or ``LLM.generate`` returned: lines or a list of JSON.

    An entry has the ``outputs`` (``dataclasses.asdict`` of each) and what else a file of questions has; without a
    ``question`` the ``prompt``, or the last turn of the ``messages``, is taken for it.
    """
    saved = '{"question": question, "outputs": [dataclasses.asdict(one) for one in reply.outputs]}'

    def of_vllm(entry: dict[str, Any]) -> dict[str, Any]:
        outputs = [typed(one, dict, "outputs") for one in typed(entry["outputs"], list, "outputs")]
        whole = all(one.get("logprobs") for one in outputs)
        tokens = [_drawn(one) if whole else [] for one in outputs]
        return _beside(entry, saved) | columns_of([one["text"] for one in outputs], tokens)

    return converted(objects(path), of_vllm)


def _drawn(output: dict[str, Any]) -> list[Token]:
    """Return the tokens that were drawn for an answer."""
    try:
        each = zip(output["token_ids"], output["logprobs"], strict=True)
        drawn = [one[str(token)] for token, one in each]
    except (KeyError, ValueError):
        raise ValueError(
            "column 'logprobs': has not one entry for each of 'token_ids', with that token"
        ) from None
    return [(token.get("decoded_token") or "", token["logprob"]) for token in drawn]


def _beside(entry: dict[str, Any], saved: str) -> dict[str, Any]:
    """Return what stands beside a reply of its question, which may be named by the request."""
    columns = [name for name in entry if name not in ("response", "outputs", *_ASKED)]
    fields = {here: entry[there] for there, here in named(columns, QuestionRow.headers).items()}
    if fields.keys() & {"question", "question_id"}:
        return fields
    question = next((entry[name] for name in _ASKED if entry.get(name)), None)
    if question is None:
        raise ValueError(
            f"column 'question': is missing, and a reply does not say what was asked; save {saved} for each"
        )
    return fields | {"question": last_turn(question)}


def from_uqlm(path: str | Path) -> list[Row]:
    """Return the rows of a result of uqlm (``UQResult.to_dict()`` as ``.json``).

    The prompt, or the text of its last message, is the question. The response and the sampled ones are the answers;
    their log-probabilities are taken where all have some. A response without a text is left out.
    """
    with placed(str(path), "no result of uqlm"):
        data = json_value(read_text(path), str(path))["data"]
        columns = [typed(data[name], list, name) for name in ("prompts", "responses")]
        for name in ("sampled_responses", "logprob", "sampled_logprob"):
            columns.append(typed(data.get(name) or [[]] * len(columns[0]), list, name))
        entries = [
            Row(at, f"{path}, entry {at}", one) for at, one in enumerate(zip(*columns, strict=True), 1)
        ]

    def of_uqlm(entry: tuple[Any, ...]) -> dict[str, Any] | None:
        prompt, response, sampled, first, more = entry
        tokens = [first, *(more or [None] * len(sampled))]
        pairs = [(text, listed(one)) for text, one in zip([response, *sampled], tokens, strict=True) if text]
        messages = _MESSAGE.findall(prompt)
        question = {"question": ast.literal_eval(messages[-1]) if messages else prompt}
        return (
            question | columns_of([text for text, _ in pairs], [one for _, one in pairs]) if pairs else None
        )

    return converted(entries, of_uqlm)


def objects(path: str | Path, key: str = "") -> list[Row]:
    """Return the objects of a file of JSON lines, or of a list in one of JSON (``.json``), there under a key."""
    if Path(path).suffix.lower() != ".json":
        return read_rows(path, "jsonl")
    with placed(str(path)):
        value = json_value(read_text(path), str(path))
        entries = typed(value[key] if key else value, list, key or "entries")
    return [Row(at, f"{path}, {key or 'entry'} {at}", entry) for at, entry in enumerate(entries, 1)]


def converted(entries: Iterable[Row], convert: Callable[[Any], dict[str, Any] | None]) -> list[Row]:
    """Return the rows that entries become, but for those that become none."""
    rows = []
    for entry in entries:
        with placed(entry.where):
            rows.append(entry._replace(cells=convert(entry.cells)))
    return [row for row in rows if row.cells is not None]


def count_left(path: str | Path, left: list[str], why: str) -> None:
    """Say on standard error how many entries are left out, and why; the first by their names."""
    if left:
        print(f"{path}: {len(left)} that {why}, left out ({', '.join(left[:4])})", file=sys.stderr)


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


def columns_of(answers: Sequence[str], tokens: Iterable[Sequence[Token]]) -> dict[str, list[Any]]:
    """Return ``answers`` and, where some have tokens, their ``token_logprobs`` and ``tokens``.

    None stands where one has no tokens, or lacks a log-probability.

    >>> columns_of(["Oslo."], [[(" Os", -0.1), ("lo.", -0.2), ("</s>", -0.3)]])
    {'answers': ['Oslo.'], 'token_logprobs': [[-0.1, -0.2, -0.3]], 'tokens': [['Os', 'lo.', '']]}
    """
    whole = [[] if any(is_missing(logprob) for _, logprob in one) else one for one in tokens]
    if not any(whole):
        return {"answers": list(answers)}
    return {
        "answers": list(answers),
        "token_logprobs": [[logprob for _, logprob in one] or None for one in whole],
        "tokens": [_pieces(answer, one) for answer, one in zip(answers, whole, strict=True)],
    }


def _pieces(answer: str, tokens: Sequence[Token]) -> list[str] | None:
    """Return the texts of an answer's tokens; a character in parts is its last token's."""
    spelt = [token if isinstance(token, bytes) else token.encode() for token, _ in tokens]
    ends = chat.token_ends(spelt, answer) if spelt else None
    return None if ends is None else [answer[start:end] for start, end in pairwise((0, *ends))]


def listed(tokens: Any) -> list[Token]:
    """Return the tokens of a list in the chat schema."""
    items = []
    for token in typed(tokens or [], list, "logprobs"):
        raw = token.get("bytes")
        spelt = bytes(raw) if isinstance(raw, list) else token.get("token") or ""
        items.append((spelt, token["logprob"]))
    return items
