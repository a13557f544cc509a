"""Whether a rewrite still claims what the answer claimed: not turned round, nothing added, nothing lost."""

import re
from collections.abc import Collection

from ralc.english.cues import read_cues
from ralc.english.negation import affirmed_and_denied
from ralc.english.normalisation import IDLE_WORDS, SPEAKERS, is_name, normalise, plain, tokens, words

#: New words that are no name and no number before something counts as added: a rewrite needs some of its own.
NEW_WORDS = 3
#: Least share of the answer's own words that a rewrite keeps.
KEPT = 0.5
_REVERSING = re.compile(r"(?<!\bthan )(?<!\bas )\bnot$")
#: How sure somebody is, in numbers; and who says so.
_SHARE = re.compile(r"\b\d+(?:[.,]\d+)?\s?(?:%|percent\b|per cent\b)", re.IGNORECASE)
#: Classes of cues, and words, by which somebody else vouches for what is said; the text that was given may.
_VOUCHING = frozenset({"evidence", "reported", "majority", "alleged"})
_VOUCHED = re.compile(
    r"\baccording to\b|\b(?:experts|scientists|historians|studies|surveys)"
    r" (?:\w+ )?(?:say|agree|show|suggest|believe)\b",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"\baccording to (?:(?:the|this|that) )?(?:\w+ )?"
    r"(?:background|passage|text|article|context|paragraph|document|excerpt|question|me|my)\b",
    re.IGNORECASE,
)
_SPEAKER = SPEAKERS | {"im", "ive", "id", "ill"}


def changed_meaning(answer: str, rewrite: str, hedges: Collection[str] = ()) -> str:
    """Return what a rewrite does to an answer beside hedging it: ``reversed``, ``added``, ``lost``, or nothing.

    Doubt is no reversal ("I doubt that it is Paris"), and a hedge adds no claim, but evidence and hearsay are one,
    unless they are among the `hedges` that were to be used.

    >>> changed_meaning("It is Rome.", "I doubt that it is Rome."), changed_meaning("It is Rome.", "It is not Rome.")
    ('', 'reversed')
    >>> changed_meaning("It is Rome.", "It is Rome, on the Tiber."), changed_meaning("It is Rome.", "Perhaps.")
    ('added', 'lost')

    What a sentence names last is mostly what it answers.

    >>> changed_meaning("The capital of Ukraine is Kyiv.", "The capital of Ukraine is uncertain.")
    'lost'
    """
    before = _unhedged(answer)
    after = _unhedged(rewrite, kept=before)
    own, new = _content(before), _content(after)
    if len(own & new) < KEPT * len(own):
        return "lost"
    denied, denied_after = (_content(affirmed_and_denied(text)[1]) & own for text in (before, after))
    if bool(denied) != bool(denied_after):
        return "reversed"
    if _vouched(rewrite) and not _vouched(answer) and not any(_says(rewrite, hedge) for hedge in hedges):
        return "added"
    if _names_more(after, answer) or len(new - own) > NEW_WORDS:
        return "added"
    named = _named_last(before)
    lost = bool(named) and named.isdisjoint(words(rewrite))
    return "lost" if lost and not _in_short(before, after) else ""


def _names_more(rewrite: str, answer: str) -> bool:
    """Whether a rewrite has names or numbers behind its first word that the answer does not have."""
    told = set(words(answer)) | IDLE_WORDS | _SPEAKER
    return any(is_name(word) and plain(word) not in told for word in tokens(rewrite)[1:])


def _in_short(before: str, after: str) -> bool:
    """Whether a text says another in short: "It is probably Paris" of "Paris is the capital of France"."""
    own, new = _content(before), _content(after)
    subject, first = ({plain(word) for word in tokens(text)[:1]} for text in (before, after))
    return new <= own and bool(subject & (new - first))


def _named_last(text: str) -> set[str]:
    """The words of the last name or number of a text, its first word apart; none where there is none."""
    found: list[str] = []
    for word in reversed(tokens(text)[1:]):
        if is_name(word) and plain(word) not in _SPEAKER:
            found.append(plain(word))
        elif found:
            break
    return set(found)


def _says(text: str, hedge: str) -> bool:
    """Whether a hedge by which somebody else vouches stands in a text."""
    return _vouched(f"{hedge} it is so.") and hedge.lower() in text.lower()


def _vouched(text: str) -> bool:
    """Whether a text says that somebody or something else vouches for it."""
    text = _GIVEN.sub("", text)
    return bool(_VOUCHED.search(text)) or any(cue.name in _VOUCHING for cue in read_cues(text))


def _content(text: str) -> set[str]:
    return set(words(text)) - IDLE_WORDS


def _unhedged(text: str, *, kept: str = "") -> str:
    """A text without its cues, but for those that turn it round ("probably not"); nor its shares, but for some."""
    parts, start = [], 0
    for cue in read_cues(text):
        if cue.name == "probably_not" or _REVERSING.search(normalise(cue.expression)):
            continue
        first, last = cue.span
        if first >= start:
            parts.append(text[start:first])
            start = last
    rest = "".join([*parts, text[start:]])
    return _SHARE.sub(lambda share: share[0] if share[0] in kept else "", rest) if parts else rest
