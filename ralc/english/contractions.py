"""Contractions: one table of what is contracted to what, for reading, tidying and finding hedges."""

import re

#: Contracted words that no ending explains, spelled out.
_WHOLE = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "ain't": ("is", "not"),
    "let's": ("let", "us"),
    "dont": ("do", "not"),
    "im": ("i", "am"),
}
_ENDINGS = {"n't": "not", "'m": "am", "'re": "are", "'ll": "will", "'ve": "have", "'d": "would"}
_CONTRACTED = re.compile(r"\b[^\W\d_]++['’](?:t|m|re|ll|ve|d|s)\b|\bcannot\b", re.IGNORECASE)
#: Words after which *'s* is *is*, and not a genitive.
_IS = frozenset(["it", "that", "this", "he", "she", "who", "what", "there", "here", "where", "how"])


def spell_out(word: str) -> tuple[str, ...]:
    """Return a word in lower case without contraction; a genitive's ending is a word of its own.

    >>> spell_out("can't"), spell_out("it’s"), spell_out("paris's"), spell_out("sure")
    (('can', 'not'), ('it', 'is'), ('paris', "'s"), ('sure',))
    """
    word = word.replace("’", "'")
    if word in _WHOLE or "'" not in word:
        return _WHOLE.get(word, (word,))
    for ending, full in _ENDINGS.items():
        if word.endswith(ending) and word != ending:
            return word[: -len(ending)], full
    if word.endswith("'s"):
        return word[:-2], "is" if word[:-2] in _IS else "'s"
    return (word,)


def spelled_out(text: str) -> str:
    """Return a text in lower case with its contractions spelled out; genitives stay as they are.

    >>> spelled_out("I'm sure it isn't Peter's")
    "i am sure it is not peter's"
    """
    return " ".join(" ".join(spell_out(word)) for word in text.lower().split()).replace(" 's", "'s")


def in_full(text: str) -> str:
    """Return a text as it is written, but with its contractions spelled out.

    >>> in_full("It isn’t Peter's, I'd say")
    "It is not Peter's, I would say"
    """
    return _CONTRACTED.sub(lambda found: " ".join(_with_case(found[0])), text)


def _with_case(word: str) -> tuple[str, ...]:
    """A word spelled out, its first letter as it was; a genitive stays whole."""
    parts = spell_out(word.lower())
    if "'s" in parts or len(parts) == 1:
        return (word,)
    return (word[0] + parts[0][1:], *parts[1:])
