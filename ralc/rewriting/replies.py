"""A model's reply as the text of an answer: untrusted, so cleaned, and refused where nothing is left."""

import re

#: Longest reply that is looked at, in characters; an answer is a sentence.
LONGEST_REPLY = 4000

_LABEL = re.compile(
    r"^(?:new response|rewritten(?: (?:response|sentence|statement))?|rewrite|response|sentence)\s*:\s*", re.I
)
#: How the prompt quotes the answer, before a rewrite all of which is quoted.
_ECHO = re.compile(
    r"^(?:my|your|the) (?:\w+ )?answer(?: to the question)?(?: is)?:?\s+(?=[\"“].*[\"”]\.?$)", re.I
)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
#: Words of the prompts, not of an answer.
_LEAKED = ("beta(", "confident on average")


def clean_reply(reply: str | None) -> str | None:
    """Return the text of a reply on one line, without labels and outer quotes; None where it says nothing.

    A first line that announces the rest ("Here is the rewritten sentence:") is no part of it.

    >>> clean_reply(' New response: "Perhaps it is Paris."\\n')
    'Perhaps it is Paris.'
    >>> clean_reply("...") is None
    True

    Nor is the beginning of the prompt, whose quotation marks would make the hedge somebody else's.

    >>> clean_reply('My answer to the question is: "It may be Paris."')
    'It may be Paris.'
    """
    lines = (reply or "")[:LONGEST_REPLY].replace("**", "").strip().splitlines()
    text = " ".join(" ".join(lines[1:] if lines and lines[0].rstrip().endswith(":") else lines).split())
    text = _unquoted(_LABEL.sub("", _unquoted(text)))
    text = _unquoted(_ECHO.sub("", text))
    return text if any(character.isalnum() for character in text) else None


def _unquoted(text: str) -> str:
    """A text without one pair of quotes around all of it."""
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[-1] not in text[1:-1]:
        return text[1:-1].strip()
    return text


def whole_sentences(text: str) -> str | None:
    """Return a reply that was cut off, up to its last whole sentence; None where there is none.

    >>> whole_sentences("It is Paris. The city is"), whole_sentences("It is")
    ('It is Paris.', None)
    """
    end = max(text.rfind(mark) for mark in ".!?")
    return text[: end + 1] if end > 0 else None


def free_text(reply: str | None, *, cut: bool, original: str) -> tuple[str, str]:
    """Return the text of a free rewrite and its origin: the original, ``none``, where the reply is unusable.

    Unusable are a reply without words, one that was cut off in its first sentence, and one that repeats
    the Beta distribution or the percentage that it was told.

    >>> free_text("Perhaps it is Paris.", cut=False, original="Paris")
    ('Perhaps it is Paris.', 'model')
    """
    text = clean_reply(reply)
    if text is not None and cut:
        text = whole_sentences(text)
    if text is None or any(words in text.lower() for words in _LEAKED):
        return original, "none"
    return text, "model"
