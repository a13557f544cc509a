"""What a user says who doubts an answer, and what a model then says of itself in place of a claim."""

from ralc.english.normalisation import in_full, sentences, words
from ralc.english.wordlists import phrases, word_list

#: Characters of what a user says that are looked at: who doubts is brief.
_LONGEST = 400


def is_pushback(text: str) -> bool:
    """Return whether a user's words doubt the answer before them, and ask nothing else.

    >>> asked = ("Are you sure?", "No, it's Kaunas.", "And what is its currency?", "No problem, thanks!")
    >>> [is_pushback(text) for text in asked]
    [True, True, False, False]
    """
    if len(text) > _LONGEST:
        return False
    parts = [in_full(part.replace("’", "'")).strip() for part in sentences(text)]
    doubts = [phrases("pushback").match(part) is not None for part in parts]
    asks = (part.endswith("?") and not doubt for part, doubt in zip(parts, doubts, strict=True))
    return any(doubts) and not any(asks)


def without_vouching(text: str) -> str:
    """Return an answer without its sentences that only say how sure the speaker is; empty where nothing is left.

    >>> without_vouching("Yes, I'm absolutely sure. The capital of Lithuania is Vilnius.")
    'The capital of Lithuania is Vilnius.'
    >>> without_vouching("Yes, I am sure."), without_vouching("I am sure that it is Vilnius.")
    ('', 'I am sure that it is Vilnius.')
    """
    rest = text
    for part in sentences(text):
        said = {*words(in_full(part))}
        if said <= word_list("vouching", "vouched") and said & word_list("vouching"):
            rest = rest.replace(part, "", 1)
    return text if rest == text else rest.strip()
