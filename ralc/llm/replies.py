"""A sentence that a model was asked to write, out of its reply, which is untrusted: cleaned, or refused as empty."""

import re

#: Longest reply in tokens: a sentence, with room for the longest answers.
SENTENCE_TOKENS = 256
#: Longest reply that is looked at, in characters; an answer is a sentence.
LONGEST_REPLY = 4000
_LABEL = re.compile(
    r"^(?:new response|rewritten(?: (?:response|sentence|statement))?|rewrite|response|sentence)\s*:\s*", re.I
)
#: How the prompt quotes the answer, before a rewrite all of which is quoted.
_ECHO = re.compile(
    r'^(?:my|your|the) (?:\w+ )?answer(?: to the question)?(?: is)?:?\s+(?=["“].*["”]\.?$)', re.I
)
#: Bold type and the fences of code; where a paragraph ends.
_MARKUP = re.compile(r"\*\*|^[ \t]*```.*$", re.MULTILINE)
_PARAGRAPH = re.compile(r"\n\s*\n|(?<=[.!?\"”])[ \t]*\n")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}


def clean_reply(reply: str | None) -> str | None:
    """Return the first paragraph of a reply on one line, without labels and outer quotes; None where it says nothing.

    A first line that announces it ("Here is the rewritten sentence:") is no part of it. Nor is the beginning of the
    prompt, whose quotation marks would make the hedge somebody else's. What comes after it is the model's explanation.

    >>> clean_reply(' New response: "Perhaps it is Paris."\\n'), clean_reply("...")
    ('Perhaps it is Paris.', None)
    >>> clean_reply('My answer to the question is: "It may be Paris."')
    'It may be Paris.'
    """
    lines = _MARKUP.sub("", (reply or "")[:LONGEST_REPLY]).strip().splitlines()
    text = "\n".join(lines[1:] if lines and lines[0].rstrip().endswith(":") else lines)
    text = " ".join(_PARAGRAPH.split(text.strip())[0].split())
    text = _unquoted(_ECHO.sub("", _unquoted(_LABEL.sub("", _unquoted(text)))))
    return text if any(character.isalnum() for character in text) else None


def _unquoted(text: str) -> str:
    """A text without one pair of quotes around all of it."""
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[-1] not in text[1:-1]:
        return text[1:-1].strip()
    return text
