"""Replies as they were saved, as rows: of OpenAI's API and servers that speak it, of uqlm."""

import ast
import re
import sys
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from ralc.datasets.user_dataset import QuestionRow
from ralc.io.history import ROLES
from ralc.io.rows import Row, by_row, is_missing, listed, located, named, parsed, read_rows
from ralc.llm import chat
from ralc.llm.server_replies import faults_of

#: Where a request has what is asked.
_REQUEST = ("messages", "prompt")
#: The columns of uqlm's results, which its tables name for one, and what these may have beside them.
_UQLM = {
    "prompt": "prompts",
    "response": "responses",
    "sampled_responses": "",
    "logprob": "",
    "sampled_logprob": "",
}
_ACCEPTED = {"accepted": QuestionRow.headers["accepted"]}
#: The text of a message in a prompt as LangChain writes it.
_MESSAGE = re.compile(r"""\bcontent=('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")


#: Where an object of a trace has its text.
_TEXTS = ("content", "messages", "message", "generations", "kwargs", "output", "answer", "question", "input")


def from_openai(path: str | Path, *, requests: str | None = None) -> list[Row]:
    """Return the rows of replies that were saved as they came: lines of JSON, or a list in a file of it.

    An entry has the ``response`` (of Chat Completions, as ``model_dump()`` makes it, or of a batch) and what a reply
    does not say: the ``question``, or the request's ``messages``. It may have what else a file of questions has. What a
    batch was asked may stand in a file of its own, the `requests`, by ``custom_id``. Replies without a text (an error,
    a refusal, a tool's call) are left out and counted. A reply that stands twice is one.
    """
    asked: dict[Any, dict[str, Any]] = {}
    for row in read_rows(requests) if requests else ():
        name = row.cells.get("custom_id")
        if asked.setdefault(name, row.cells) != row.cells:
            raise ValueError(
                f"{row.where}: custom_id {name!r} stands there twice, with another request; name each once"
            )

    def of_openai(entry: dict[str, Any]) -> dict[str, Any] | None:
        entry = asked.get(entry.get("custom_id"), {}) | entry
        if (reply := _reply_in(entry)) is None:
            return None
        request = _request(entry)
        answers = _answers_in(reply)
        count = (reply.get("usage") or {}).get("prompt_tokens")
        name = reply.get("id")
        extras = {"prompt_tokens": count} | ({"copy": (str(name), str(reply))} if name else {})
        return request | columns_of(answers) | extras if answers else None

    return converted(read_rows(path), of_openai, "failed, or have no text (a refusal, a tool's call)")


def _reply_in(entry: dict[str, Any]) -> dict[str, Any] | None:
    """Return the reply of an entry, which in a batch is a body; None where an error, or what a proxy said, is in it."""
    if entry.get("error") or isinstance(reply := entry["response"] or {}, str):
        return None
    reply = {"body": reply} if isinstance(reply, list) else typed(reply, dict, "response")
    body = reply.get("body", reply)
    failed = int(reply.get("status_code") or 200) >= 400 or not body or faults_of(body)
    return None if failed else body


def _answers_in(reply: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return the texts of a reply with their tokens: whatever ended one, but for a content filter, which cuts it."""
    return [
        (text, (choice.get("logprobs") or {}).get("content"))
        for choice in _choices(reply)
        if not chat.failed(choice) and choice.get("finish_reason") != "content_filter"
        if (text := chat.content_of(choice["message"])[0]) is not None
    ]


def _choices(reply: dict[str, Any]) -> list[Any]:
    """Return the choices of a reply, with messages; a response of ``/v1/responses`` is one, a completion has texts."""
    if "output" in reply:
        return [{"message": one} for one in reply["output"] if one["type"] == "message"]
    choices = typed(reply["choices"], list, "choices")
    return [{"message": {"content": one["text"]}, **one} if "text" in one else one for one in choices]


def _request(entry: dict[str, Any]) -> dict[str, Any]:
    """Return what an entry has of its question, which the request may name.

    An ``id``, as that of a request, names no question: there is one for each sample. A ``label`` may be the reply's.
    """
    columns = [name for name in entry if name not in ("response", *_REQUEST, "id", "label", "body")]
    fields = {here: entry[there] for there, here in named(columns, QuestionRow.headers).items()}
    sent = entry | entry.get("body", {})
    asked = next((sent[name] for name in _REQUEST if sent.get(name)), None)
    known = fields.keys() & {"question", "question_id"}
    if asked is None and not known:
        remedy = (
            "give the batch's input by --requests, with this custom_id"
            if "custom_id" in entry
            else 'save {"question": question, "response": response.model_dump()} for each'
        )
        raise ValueError(f"column 'question': is missing, and a reply does not say what was asked; {remedy}")
    request = asked_in(asked)
    return {name: value for name, value in request.items() if not (known and name == "question")} | fields


def from_uqlm(path: str | Path) -> list[Row]:
    """Return the rows of a result of uqlm: ``UQResult.to_dict()`` as ``.json``, or a table of ``to_df()``.

    The prompt, or the text of its last message, is the question. The response and the sampled ones are the answers;
    with their log-probabilities. A response without a text is left out. A table may have what is accepted, too.
    """
    entries = read_rows(path)
    if len(entries) == 1 and isinstance(data := entries[0].cells.get("data"), dict):
        with located(str(path), "no result of uqlm"):
            columns = {name: typed(value, list, name) for name, value in data.items() if value is not None}
            cells = enumerate(by_row(columns), 1)
        entries = [Row(at, f"{path}, entry {at}", row) for at, row in cells]

    def of_uqlm(entry: dict[str, Any]) -> dict[str, Any] | None:
        fields = {here: parsed(entry[there]) for there, here in named(entry, _UQLM).items()}
        sampled = listed(fields.get("sampled_responses") or [])
        tokens = [fields.get("logprob"), *(fields.get("sampled_logprob") or [None] * len(sampled))]
        texts = [fields["response"], *sampled]
        answers = [(text, token) for text, token in zip(texts, tokens, strict=True) if text]
        messages = _MESSAGE.findall(str(fields["prompt"]))
        question = ast.literal_eval(messages[-1]) if messages else text_in(fields["prompt"])
        more = {here: entry[there] for there, here in named(entry, _ACCEPTED).items()}
        return more | {"question": question} | columns_of(answers) if answers else None

    return converted(entries, of_uqlm, "have no text")


def converted(
    entries: Iterable[Row], convert: Callable[[Any], dict[str, Any] | None], why: str = ""
) -> list[Row]:
    """Return the rows that entries become; how many become none is said on standard error.

    Parameters
    ----------
    entries
        The rows of a file.
    convert
        The cells that those of an entry become; None for an entry that is left out.
    why
        Why entries are left out, in words.

    Raises
    ------
    ValueError
        If an entry is not of the format, naming its place.
    """
    rows = []
    places = []
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


def text_in(value: Any) -> Any:
    """Return the text of a message, of the last of several, or of an object that has one; anything else as it is.

    Images and the like are left out. A cell of a delimited text is one unless it has messages.

    >>> text_in([{"role": "user", "content": [{"type": "input_text", "text": "Who?"}]}]), text_in({"output": "She."})
    ('Who?', 'She.')
    """
    value = parsed(value) if isinstance(value, str) and "role" in value else value
    if isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        return text_in(value[-1])
    if not isinstance(value, dict):
        return value
    if isinstance(content := value.get("content"), list):
        return "".join(part.get("text", "") for part in content)
    if "choices" in value:
        return [text_in(one) for one in value["choices"]]
    inner = [value[name] for name in _TEXTS if name in value] or [*value.values()][: len(value) == 1]
    return text_in(inner[0]) if inner else value


def asked_in(value: Any) -> dict[str, Any]:
    """Return what a model was sent as ``question``, the last message of the user, and the ``history`` before it.

    Of the history what tools said, and what has no text, is left out and counted (``tools``).

    >>> asked_in([{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "Who?"}])
    {'question': 'Who?', 'history': [{'role': 'system', 'content': 'Be brief.'}]}
    """
    messages = value.get("messages", value) if isinstance(value, dict) else value
    several = messages if isinstance(messages, list) else []
    roles = [one.get("role") if isinstance(one, dict) else None for one in several]
    if "user" not in roles:
        return {"question": text_in(value)}
    last = len(roles) - 1 - roles[::-1].index("user")
    roles = ["system" if role == "developer" else role for role in roles]
    history = [
        {"role": role, "content": text}
        for role, text in zip(roles, map(text_in, several[:last]), strict=False)
        if role in ROLES and isinstance(text, str) and text.strip()
    ]
    columns = {"history": history, "tools": last - len(history)}
    return {"question": text_in(several[last])} | {name: value for name, value in columns.items() if value}


def typed(value: Any, kind: type[Any], column: str) -> Any:
    """Return a list or an object of a column as it is: a text, too, could be taken apart.

    Parameters
    ----------
    value
        What stands in the column.
    kind
        ``list`` or ``dict``.
    column
        The column's name, for the message.

    Raises
    ------
    TypeError
        If the value is of another kind.
    """
    if not isinstance(value, kind):
        raise TypeError(f"column {column!r}: {value!r:.80} is no {'list' if kind is list else 'object'}")
    return value


def columns_of(answers: list[tuple[str, Any]]) -> dict[str, list[Any]]:
    """Return ``answers``, and of their tokens (of the chat schema) the ``token_logprobs`` and ``tokens``.

    They are empty where an answer has no tokens, or one lacks a log-probability.

    >>> columns_of([("Oslo.", [{"token": " Oslo", "logprob": -0.1}, {"token": ".", "logprob": -0.2}])])
    {'answers': ['Oslo.'], 'token_logprobs': [[-0.1, -0.2]], 'tokens': [['Oslo', '.']]}
    """
    columns: dict[str, list[Any]] = {"answers": [], "token_logprobs": [], "tokens": []}
    for text, drawn in answers:
        tokens = typed(drawn or [], list, "logprobs")
        tokens = [] if any(is_missing(token["logprob"]) for token in tokens) else tokens
        spelt = [bytes(token.get("bytes") or (token.get("token") or "").encode()) for token in tokens]
        ends = chat.token_ends(spelt, text) if spelt else None  # a character in parts is its last token's
        columns["answers"].append(text)
        columns["token_logprobs"].append([token["logprob"] for token in tokens])
        columns["tokens"].append(ends and [text[start:end] for start, end in pairwise((0, *ends))])
    return columns
