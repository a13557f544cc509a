"""The history of a question: the messages of its conversation that stand before it."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator

from ralc.io.rows import parsed

ROLES = ("system", "user", "assistant")
#: What its column may be called.
HEADER = "history chat_history conversation_history"
_REMEDY = '[{"role": "user", "content": "..."}, ...]'


def messages_of(value: Any) -> list[dict[str, str]]:
    """Return the messages in a cell (in JSON), or in a list; ValueError says which is none."""
    messages = parsed(value)
    if not isinstance(messages, list | tuple):
        raise ValueError(f"{value!r:.80} is no list of messages; write {_REMEDY}")
    for place, message in enumerate(messages, 1):
        role, content = map(message.get, ("role", "content")) if isinstance(message, dict) else (None, None)
        if role not in ROLES:
            raise ValueError(f"message {place} has the role {role!r}, not one of {', '.join(ROLES)}")
        if not isinstance(content, str) or not content.strip():
            raise ValueError(
                f"message {place} has no content: {content!r:.80}; write its text, or leave it out"
            )
    return [{"role": message["role"], "content": message["content"]} for message in messages]


#: Messages ``{"role": system|user|assistant, "content": text}``; in a cell a JSON list of them.
History = Annotated[tuple[dict[str, str], ...], BeforeValidator(messages_of)]


def turn_of(history: Iterable[Mapping[str, str]]) -> int:
    """Return the number of a question's turn, from 1: one more than the user's messages before it."""
    return 1 + sum(message["role"] == "user" for message in history)


def dialogue(history: Iterable[Mapping[str, str]], question: str) -> tuple[str, ...]:
    """Return what user and assistant said, the question last; of questions without an id it is the name.

    >>> dialogue([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi "}], "Who?")
    ('Hi', 'Who?')
    """
    texts = [message["content"] for message in history if message["role"] != "system"]
    return tuple(" ".join(text.split()) for text in (*texts, question))
