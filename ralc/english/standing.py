"""Where an adverb that may hedge stands: on the claim of its sentence, or within what the sentence speaks of.

"It is probably Rome" doubts the claim; "because it will probably rain" and "their probably obscene contents" say what
is spoken of. Where both may be ("possibly dangerous"), or taking the adverb away would say something else ("it is
not probably Rome"), that is not known.
"""

import re
from collections.abc import Sequence
from typing import Literal

from ralc.english.casing import FUNCTION_WORDS
from ralc.english.contractions import spell_out
from ralc.english.normalisation import set_of
from ralc.english.sentences import adverb_places, parted, read_sentence
from ralc.english.short import stands_alone
from ralc.english.verbs import BE, PARTICIPLE, main_verb

Standing = Literal["claim", "content", "unknown"]
Span = tuple[int, int]

_MANNERS = (
    "(?:like|clear|absolute|unequivocal|tentative|conclusive|demonstrab|presumptive|potential|plausib)ly"
)
#: They say how, or how much, as well ("clearly visible"), or are adjectives ("likely voters").
_OF_MANNER = re.compile(rf"(?:.* )?{_MANNERS}", re.IGNORECASE)
#: Others vouch for it: what they say is content.
_OTHERS = "(?:alleged|reported|supposed|purported|apparent|theoretical|hypothetical)ly"
_OF_OTHERS = re.compile(_OTHERS, re.IGNORECASE)
#: What an adverb of manner does not stand before.
_NOUN = re.compile(r",? (?:(?:the|an?|no|many|most|some|several|due|because)\b|[A-Z0-9])")
#: Behind one of these an adverb of a phrase belongs to what is spoken of ("an apparently random walk", "not possibly").
_INNER = set_of("a an the my your his her its our their this these those not")
#: Who says of himself how sure he is, hedges.
_OWN = re.compile(r"I(?: |['’])")
#: A sentence that is not known as one follows.
_BEFORE = re.compile(r", [a-z]")
#: An adverb before one of these is the answer ("Possibly, but nobody knows").
_ANSWERS = re.compile(
    r", (?:and|as|because|but|if|nor|or|since|so|though|although|unless|whereas|while|yet)\b"
)
_ENDS = re.compile(r",?[.!?\"”]*$")
#: What follows an adverb that stands between commas, or behind a comma or dash at the end.
_ASIDE = re.compile(r",(?= )|,?(?=[.!?\"”]*$)")
#: What sets an adverb apart from the words before it.
_PAUSE = re.compile(r"(?:,| ?[–—]| --?) ?")
#: What something seems, or is likely, to be or to do; in its place what it is, where that cannot be yet to come.
_SEEMS = re.compile(
    r"(?:(?P<is>it['’]s|that['’]s|is|are|was|were)"
    r"(?: (?!hardly|scarcely|barely|equally|rarely|only|merely)\w+ly| very| quite| most)?"
    r" (?:(?:un)?likely|certain|sure|bound)"
    r"|(?P<seems>seems?|appears?)) to (?P<name>be (?=(?-i:[A-Z])|\d|the ))?",
    re.IGNORECASE,
)


def pattern_of(adverbs: str) -> re.Pattern[str]:
    """Return a pattern of adverbs among other words: large at most where they open an answer, so that no title has one.

    *Likely* is an adjective before *to* or *that* ("likely to rain").

    >>> [found[0] for found in pattern_of("perhaps|maybe").finditer("Perhaps Definitely Maybe, or maybe Help!")]
    ['Perhaps', 'maybe']
    """
    return re.compile(rf"(?:^(?i:{adverbs})|(?<= )(?:{adverbs}))(?=[ ,.!?]|$)(?!(?<=likely) (?:to|that)\b)")


#: Adverbs by which a speaker hedges, one of which may be left in a sentence.
_HEDGE = pattern_of(
    rf"perhaps|maybe|{_MANNERS}|{_OTHERS}"
    "|(?:probab|possib|presumab|certain|definite|sure|obvious|evident|undoubted|undeniab|seeming)ly"
)


def standings(adverbs: re.Pattern[str], words: str) -> list[tuple[Span, Standing]]:
    """Return which adverbs, by their characters, a sentence or phrase has, and how each stands.

    >>> standings(pattern_of("probably"), "It is probably a probably bad idea")
    [((6, 14), 'claim'), ((17, 25), 'content')]
    >>> [standings(pattern_of("possibly"), words)[0][1] for words in ("Possibly Rome", "possibly bad")]
    ['claim', 'unknown']
    """
    spans = [found.span() for found in adverbs.finditer(words)]
    if not spans:
        return []
    if words.startswith(('"', "“")):
        return [(span, "unknown") for span in spans]
    sentence = read_sentence(bare := without(spans, words))
    own, beside = adverb_places(bare) if sentence.is_clause else (range(0), range(0))
    alone = not own and stands_alone(sentence.words)
    found: list[tuple[Span, Standing]] = []
    place, last = 0, 0
    for start, end in spans:
        adverb, comma = words[start:end], _paused(words, start) is not None
        manner = _OF_MANNER.fullmatch(adverb) is not None
        place += words.count(" ", last, start) - bool(last)
        last = end
        if not start:
            opens = _opens(adverb, words[end:], own) if own else alone or bool(_BEFORE.match(words, end))
            near, sure = True, opens and not _ANSWERS.match(words, end)
        elif _ENDS.match(words, end) and (comma or (_HEDGE.fullmatch(adverb) and not manner)):
            near, sure = True, comma or bool(own) or alone
        else:
            near, sure = place in (own if manner else beside), place in own and _is_free(words, start, end)
        theirs = _OF_OTHERS.fullmatch(adverb) is not None
        spoken_of = bool(own) or _word_before(words, start) in _INNER
        content = (not near and spoken_of) or (near and not own and (theirs or (manner and not sure)))
        found.append(((start, end), "content" if content else "claim" if sure and not theirs else "unknown"))
    return found


def without(spans: Sequence[Span], words: str) -> str:
    """Return a sentence without some of its words, given by their characters, nor the commas that they leave idle.

    >>> without([(7, 14)], "It is, perhaps, Rome"), without([(0, 7)], "Perhaps, it is Rome")
    ('It is Rome', 'it is Rome')
    >>> without([(13, 21)], "It is Rome – probably.")
    'It is Rome.'
    """
    pieces, last = [], 0
    for start, end in spans:
        pause = _paused(words, start)
        aside = _ASIDE.match(words, end) if pause is not None else None
        pieces.append(words[last : pause if aside else start].removesuffix(" "))
        last = aside.end() if aside else end + (not start and words.startswith(",", end))
    return "".join([*pieces, words[last:]]).lstrip(" ")


def hedges_unclearly(text: str) -> bool:
    """Return whether it cannot be told if an adverb hedges the claim of an answer or belongs to it.

    >>> [hedges_unclearly(t) for t in ("It is probably Rome.", "It is not probably Rome.", "possibly bad")]
    [False, True, True]
    """
    words = without_seeming(parted(text)[1])
    if _seeming(words):
        return True
    return not _OWN.match(words) and any(how == "unknown" for _, how in standings(_HEDGE, words))


def without_seeming(words: str) -> str:
    """Return a sentence as what it names is, where it says what that seems or is likely to be.

    >>> without_seeming("It seems to be Rome"), without_seeming("It is likely to rain")
    ('It is Rome', 'It is likely to rain')
    """
    found = _seeming(words)
    if not found or not found["name"] or "unlikely" in found[0]:
        return words
    verb = found["is"] or ("is" if found["seems"].endswith("s") else "are")
    return f"{words[: found.start()]}{verb} {words[found.end() :]}"


def _seeming(words: str) -> re.Match[str] | None:
    """Where the claim of a sentence is what something seems or is likely to be or to do."""
    places = [(found, words.count(" ", 0, found.start())) for found in _SEEMS.finditer(words)]
    verb = main_verb(words) if places and read_sentence(words).is_clause else None
    return next((found for found, place in places if not found.start() or place == verb), None)


def _paused(words: str, place: int) -> int | None:
    """Where the comma or dash stands before a place among words; None where there is none."""
    return next((at for at in range(max(place - 4, 0), place) if _PAUSE.fullmatch(words, at, place)), None)


def _is_free(words: str, start: int, end: int) -> bool:
    """Whether an adverb that stands beside the verb, by its characters, can be one of the claim alone.

    One of manner is between commas and before a noun ("it is clearly Rome"); *likely* and *potentially* are where they
    are not behind *be* ("likely voters"), or before a participle ("it was likely built").
    """
    adverb, following = words[start:end], words[end + 1 :].split(" ", 1)[0]
    if (adverb != "maybe" and not _OF_MANNER.fullmatch(adverb)) or _NOUN.match(words, end):
        return True
    if _paused(words, start) is not None:
        return _ASIDE.match(words, end) is not None
    before = _word_before(words, start)
    wide = adverb.endswith(("likely", "potentially"))
    return wide and (
        before not in BE or (adverb.endswith("likely") and bool(PARTICIPLE.fullmatch(following)))
    )


def _word_before(words: str, start: int) -> str:
    """The word before a place, small; empty at the start."""
    return words[words.rfind(" ", 0, max(start - 1, 0)) + 1 : max(start - 1, 0)].lower()


def _opens(adverb: str, following: str, own: range) -> bool:
    """Whether an adverb in front speaks of all of its sentence, by what follows it.

    It does before a comma, a function word, a name, and a subject of one word; it opens a title before a function word
    that is written large ("Surely You're Joking").
    """
    first = following.lstrip(", ").split(" ", 1)[0]
    function = spell_out(first.lower())[0] in FUNCTION_WORDS
    if following.startswith(","):
        return True
    title = function and first[:1].isupper()
    free = function or not first[:1].islower() or adverb.lower() in {"perhaps", "maybe"} or own.start == 1
    return free and not title
