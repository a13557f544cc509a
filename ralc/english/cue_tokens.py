"""Text to tokens: what an evaluator of hedges sees of a sentence.

Contractions are spelled out (``can't`` -> ``can not``), so that one pattern covers all spellings of a cue.
Each token knows whether it can be part of a cue of the speaker: words inside quotation marks, and words
capitalised in the middle of a sentence (titles, names, the month of May) cannot.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from ralc.english.normalisation import spell_out
from ralc.english.wordlists import SENTENCE_ENDS

_WORD = re.compile(
    r"(?P<word>\d+(?:[.,/]\d+)*(?:\s?%)?|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\W_]+)"
    r"|(?P<mark>[.,;:!?…—()\[\]{}]|\"|[“”«»]|\n(?=[ \t*_#>-]*+[A-Z]))"
)
_MONTH = re.compile(r"May\s\d")  # a sentence may begin with it
MAX_QUOTE = 60  # ASSUME a quotation mark without a partner within this many tokens is a stray one


class Token(NamedTuple):
    """One token: its lower-case text, whether a cue may use it, and where it stands in the text, in characters.

    The words of a contraction share a place.
    """

    text: str
    usable: bool
    start: int
    end: int


@lru_cache(maxsize=2_000)
def tokenise(text: str) -> tuple[Token, ...]:
    """Split a text into tokens, contractions spelled out, quotations and names marked unusable.

    Punctuation is kept as tokens of its own, as is a line's end before a capital: it bounds clauses. Any string is
    accepted.

    >>> [(token.text, token.start, token.end) for token in tokenise("I can't.")]
    [('i', 0, 1), ('can', 2, 7), ('not', 2, 7), ('.', 7, 8)]
    >>> [token.usable for token in tokenise('The song "Maybe" is old')]
    [True, True, True, False, True, True, True]
    """
    matches = list(_WORD.finditer(text))
    quoted = _quoted([match.group() for match in matches])
    shouting = text.isupper()
    tokens: list[Token] = []
    first = True
    for match, inside in zip(matches, quoted, strict=True):
        piece, (start, end) = match.group(), match.span()
        if match.lastgroup == "mark":
            tokens.append(Token(piece, True, start, end))
            first = first or piece in SENTENCE_ENDS
            continue
        name = not first and not shouting and _is_name(piece)
        usable = not (inside or name or _MONTH.match(text, start))
        tokens += [Token(word, usable, start, end) for word in spell_out(piece.lower())]
        first = False
    return tuple(tokens)


def _is_name(piece: str) -> bool:
    """Whether a word inside a sentence is a name, by its capital: not the speaker's."""
    return piece[0].isupper() and piece.split("'")[0].split("’")[0] not in {"I", "AI"}


def _quoted(pieces: list[str]) -> list[bool]:
    """Mark what stands between quotation marks, unless the quotation is the whole text."""
    inside = [False] * len(pieces)
    opened: int | None = None
    for index, piece in enumerate(pieces):
        if piece in "“«" or (piece == '"' and opened is None):
            opened = index
        elif piece in '"”»' and opened is not None:
            whole = opened == 0 and index >= len(pieces) - 2
            if index - opened <= MAX_QUOTE and not whole:
                inside[opened + 1 : index] = [True] * (index - opened - 1)
            opened = None
    return inside
