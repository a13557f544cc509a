"""Where a hedge can stand in an answer, by its grammatical frame.

A place is the start of the hedged sentence, up to and including the hedge and what joins it to the answer,
and the tail: the answer's own words that follow. The rewriter chooses among the starts of a few hedges; the
tail is carried over, so the answer keeps its words.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ralc.english.sentences import Sentence, middle, opening_words

#: Adverbs that open a sentence without a comma.
_NO_COMMA = frozenset(
    {"perhaps", "maybe", "possibly", "probably", "most likely", "very likely", "quite possibly"}
)
#: Openers that do not join a sentence by a comma alone.
_JOINTS = {
    "take this with a grain of salt": ", but",
    "rumor has it": " that",
    "chances are": " that",
    "odds are": " that",
}


@dataclass(frozen=True)
class Place:
    """A hedge in its place: what the model writes (`start`), and the whole answer that results (`text`)."""

    hedge: str
    start: str
    text: str


def places(hedge: str, frame: str, sentence: Sentence) -> list[Place]:
    """Return the places of a hedge in a sentence, the plainest first; never empty.

    Raises
    ------
    ValueError
        If the frame is unknown.

    >>> from ralc.english.sentences import read_sentence
    >>> [place.text for place in places("probably", "adverb", read_sentence("The capital is Paris."))]
    ['The capital is probably Paris.', 'Probably the capital is Paris.']
    """
    if frame not in FRAMES:
        raise ValueError(f"hedge {hedge!r}: frame {frame!r} is not one of {', '.join(FRAMES)}")
    cuts = FRAMES[frame](hedge.strip().rstrip(",."), sentence)
    found = [(_capital(start).strip(), sentence.finish(start, tail)) for start, tail in cuts]
    return [Place(hedge, start, text) for start, text in found]


Cut = tuple[str, str]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _opened(opening: str, sentence: Sentence) -> Cut:
    """An opening before a sentence; the model writes it with the sentence's first word."""
    first, _, others = opening_words(sentence.words).partition(" ")
    return f"{opening} {first}", f" {others}" if others else ""


def _phrased(openings_: list[str], sentence: Sentence) -> list[Cut]:
    """Openings before a phrase."""
    phrase = sentence.words
    for article in ("The ", "A ", "An "):
        if phrase.startswith(article):
            phrase = article.lower() + phrase.removeprefix(article)
    return [(opening, f" {phrase}") for opening in openings_]


def _adverb(hedge: str, sentence: Sentence) -> list[Cut]:
    """Inside the sentence, after *be* or before another verb; before the sentence.

    *Likely* and *unlikely* are adjectives ("it is unlikely that X"), and *probably not* negates the verb.
    """
    words = hedge.lower()
    if words.endswith("likely") and words != "most likely":
        return _clause(f"it is {hedge}", sentence)
    if not sentence.is_clause:
        return _phrased([f"it is {hedge}", f"the answer is {hedge}", hedge], sentence)
    if words.endswith(" not"):
        return [_opened(f"it is {hedge} the case that", sentence)]
    cuts = middle(sentence.words)
    inside = [(f"{cuts[0]} {hedge}", f" {cuts[1]}" if cuts[1] else "")] if cuts else []
    return [*inside, _opened(f"{hedge}{'' if words in _NO_COMMA else ','}", sentence)]


def _clause(hedge: str, sentence: Sentence) -> list[Cut]:
    """Before a that-clause, or an indirect question if the hedge asks for one; *I think* needs no *that*."""
    joined = hedge.endswith((" that", " whether", " if"))
    personal = hedge.startswith(("I ", "we ", "my ", "there is a "))
    if sentence.is_clause:
        opened = [_opened(hedge, sentence)] if joined or personal else []
        return opened if joined else [_opened(f"{hedge} that", sentence), *opened]
    if hedge.endswith((" is", " be")):
        return _phrased([hedge], sentence)
    that = "" if joined or personal else " that"
    return _phrased([f"{hedge}{that} it is", f"{hedge}{that} the answer is"], sentence)


def _opener(hedge: str, sentence: Sentence) -> list[Cut]:
    """Before the sentence, with a comma."""
    opening = hedge + _JOINTS.get(hedge.lower(), ",")
    if not sentence.is_clause:
        return _phrased([f"{opening} it is", f"{opening} the answer is"], sentence)
    return [_opened(opening, sentence)]


def _tag(hedge: str, sentence: Sentence) -> list[Cut]:
    """After the sentence."""
    return [(f"{sentence.words}, {hedge}", "")]


def _standalone(hedge: str, sentence: Sentence) -> list[Cut]:
    """A sentence of its own, with *but* before the answer."""
    if not sentence.is_clause:
        return _phrased([f"{hedge}, but my answer is", f"{hedge}, but it is"], sentence)
    return [_opened(f"{hedge}, but", sentence), _opened(f"{hedge}, but my answer is that", sentence)]


FRAMES: dict[str, Callable[[str, Sentence], list[Cut]]] = {
    "adverb": _adverb,
    "clause": _clause,
    "opener": _opener,
    "tag": _tag,
    "standalone": _standalone,
}
