"""The history of a question: the messages of its conversation that stand before it."""

from collections.abc import Iterable, Mapping, Sequence
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


def conversations(dialogues: Sequence[tuple[str, ...]], groups: Sequence[str | None]) -> list[str | int]:
    """Return the group of each question: its own, else that of the question with which its conversation began.

    Parameters
    ----------
    dialogues
        What was said in each question's conversation, the question last (`dialogue`).
    groups
        The groups that are named; None where none is, and then a question that began a conversation is its own, by its
        place.

    Examples
    --------
    >>> conversations([("Who?",), ("Who?", "Ann.", "Sure?"), ("Who?", "Bob.", "Sure?")], [None, None, "b"])
    [0, 0, 'b']
    """
    openings: dict[tuple[str, ...], str | int] = {}
    for place, (texts, group) in enumerate(zip(dialogues, groups, strict=True)):
        openings.setdefault(texts, place if group is None else group)
    found = []
    for place, (texts, group) in enumerate(zip(dialogues, groups, strict=True)):
        before = (texts[:length] for length in range(1, len(texts)))
        opening = next(filter(openings.__contains__, before), None)
        found.append(openings.get(opening, place) if group is None else group)
    return found


def transcript(history: Iterable[Mapping[str, str]], question: str) -> str:
    """Return a question as a judge of its answers is told it: alone, or below what user and assistant said before it.

    Parameters
    ----------
    history
        The messages before it; those of the system are left out.
    question
        The last message of the user.

    Examples
    --------
    >>> said = [{"role": "user", "content": "Capital of Peru?"}, {"role": "assistant", "content": "Lima."}]
    >>> transcript(said, "And its currency?").splitlines()
    ['User: Capital of Peru?', 'Assistant: Lima.', 'User: And its currency?']
    """
    *before, last = dialogue(history, question) if len(history) else (question,)
    roles = [message["role"].capitalize() for message in history if message["role"] != "system"]
    lines = [f"{role}: {text}" for role, text in zip(roles, before, strict=True)]
    return "\n".join([*lines, f"User: {last}"]) if lines else question


def dialogue(history: Iterable[Mapping[str, str]], question: str) -> tuple[str, ...]:
    """Return what user and assistant said, the question last; of questions without an id it is the name.

    >>> dialogue([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi "}], "Who?")
    ('Hi', 'Who?')
    """
    texts = [message["content"] for message in history if message["role"] != "system"]
    return tuple(" ".join(text.split()) for text in (*texts, question))
