"""What an answer says that contradicts a doubt of it: an assurance before it, thanks for a correction, a source.

"Definitely. It is possibly Rome." says two things at once. So does a denial of what a citation supports.
"""

import re
from functools import cache, lru_cache

from ralc.english.hedges.cues import Cue, read_cues
from ralc.english.hedges.main_clause import clause_marks, is_negative
from ralc.english.hedges.placement import Site, capitalised, first_site, is_denial, is_short
from ralc.english.readable_text import prose
from ralc.english.wordlists import phrases, word_list

#: An answer that is meant below these is not opened by an assurance, nor by *yes*, *no* or *therefore*.
ASSURED, AFFIRMED = 0.9, 0.5
#: What calls an answer sure behind it, and the mean below which it goes: "The Beatles, of course.".
_OF_COURSE = re.compile(
    r", (?:of course|without (?:a |any )?(?:doubt|question)|for sure)(?:,(?= )|(?=[.!])|\Z)"
    r"|(?:(?<= is)|(?<= are)|(?<= was)|(?<= were)) of course(?= )",
    re.IGNORECASE,
)
_FAIRLY_SURE = 0.7
_REPLY = (
    "yes|no|yeah|yep|nope|true|false|correct|incorrect|wrong"
    "|(?:(?:absolutely|certainly|definitely|of course) )?not(?: (?:quite|exactly|really|at all))?"
)
#: A verdict that is the answer, too: "That's a common myth."
_MYTH = r"(?:that|this|it)(?:['’]s| is)(?: \w+){0,3} (?:myth|misconception|legend)"
_FIRM = re.compile(
    rf"[\W_]*({_REPLY}|{_MYTH}|therefore|thus|hence|so)(?:[*_]*(?:[,.!:]|\s[–—-]\s)|(?<=so) (?:the|it|there|this)\b)",
    re.IGNORECASE,
)
_YES = re.compile(
    r"\W*(?:yes|yeah|yep)(?:,? really)?[,.!]\s+(?!(?:and|because|but|so|though)\b)(?=\S)", re.IGNORECASE
)
#: What a speaker did to be sure, before what he is sure of.
_VERIFIED = re.compile(
    r"(?:(?:after|on|upon) [^,.]{1,40}, )?I(?:['’]ve| have| can)?(?: \w+ly| just| now)? "
    r"(?:assure|(?:double[- ])?checked|confirm(?:ed)?|found|made sure|reali[sz]e|stand by|understand|verif(?:y|ied))"
    r"(?: (?:you|and \w+|(?:by|in|through|with) (?:\w+ )?\w+|(?:my|the) \w+)){0,2} that (?=\S+ \S)"
    r"|it(?:['’]s| is) (?:accurate|correct|right|safe|true) (?:to (?:assume|say|state) )?that (?=\S+ \S)",
    re.IGNORECASE,
)
#: What obliges a request, and stays before a doubt of its own.
_OBLIGING = re.compile(r"\W*(?:of course!|sure(?: thing)?[,.!])", re.IGNORECASE)
#: A *yes*, *no* or *false* that is the answer, what follows its reason, or more: "Yes. The seals keep water out.".
_REPLIED = re.compile(
    rf"\W*(?:{_REPLY}|{_MYTH})(?:, {_MYTH}|, (?:it|they|he|she|you|we|there) [a-z]+(?: not|n['’]t)?)?"
    r"(?:[.!]|, and| [–—-])\s+",
    re.IGNORECASE,
)
#: What a sentence refers to: "[2]", "[doc 3]", "(Kim et al., 2018)", "(see page 3)", a link, "as the notice says"; or
#: who says it: "The plumber told us that".
_CITED = re.compile(
    r"\[\^?(?:[a-z]{2,10} ?)?\d+(?:[,;–-] ?\d+)*\]|\[(?:ref|source)[^\]]{,60}\]|【[^】]{,40}】|\]\(https?:"
    r"|\((?-i:[A-Z])[^()]{,60} (?:19|20)\d\d[a-z]?\)|\bet al\b"
    r"|\((?:see )?(?:(?:p(?:age|\.)|section|chapter|clause|table|fig(?:ure|\.)|§) ?\d)[^()]{,40}\)"
    r"|\A[^.,:!?]{1,40} (?:argue|claim|promise|report|said|say|state|tell|told|wrote|write)[ds]?(?: \w+)? that\b"
    r"|\((?:sources?|via): [^()]{,80}\)|\bper (?:the|his|her|its|our|your)\b"
    r"|\b(?:according to|as (?:i (?:\w+ed|said|wrote)|the \w+ \w+s"
    r"|(?!(?:advis|direct|instruct|need|prescrib|recommend|requir|us)ed)(?:\w+ed|seen|shown|written|\w+ out)"
    r" (?:above|at|below|by|in|on|under)))\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“«]([^\"“”«»]{8,300})[\"”»]")
#: Least words of a quotation, most of which are small; a title has fewer.
_QUOTATION = 4
_ADVERB = re.compile(r"\b(?!only\b|early\b)[a-z]+ly\b")


def without_assurance(text: str, mean: float, *, doubted: bool = False, verdict: bool = False) -> str:
    """Return an answer without what calls it surely true, where it is meant less surely than that.

    Parameters
    ----------
    text
        The answer.
    mean
        How sure it is meant to sound, in [0, 1].
    doubted
        Whether it answers a user who doubts it: then a *yes* or *no* assures, too; else it is the answer, and stays.
    verdict
        Whether yes or no was asked for: then "Of course!" obliges nobody, and goes.

    Examples
    --------
    >>> without_assurance("Definitely. It is Rome.", 0.6), without_assurance("Yes, that's right. It is Rome.", 0.6)
    ('It is Rome.', 'Yes. It is Rome.')
    >>> without_assurance("No. It is old.", 0.2), without_assurance("No. It is old.", 0.2, doubted=True)
    ('No. It is old.', 'It is old.')
    >>> without_assurance("Yes. It is old.", 0.8, doubted=True), without_assurance("It is indeed old.", 0.2)
    ('It is old.', 'It is old.')
    """
    if not (doubted or verdict) and _OBLIGING.match(text):
        return text
    opening = phrases("assurance").match(text) if mean < ASSURED else None
    if opening:
        firm = _FIRM.match(opening[0])
        text = (f"{firm[1]}. " if firm else "") + capitalised(text[opening.end() :])
    vouched = _YES.match(text) if doubted and mean < ASSURED else None
    text = capitalised(text[vouched.end() :]) if vouched else text
    verified = _VERIFIED.match(text) if doubted and mean < ASSURED else None
    text = capitalised(text[verified.end() :]) if verified else text
    if mean < _FAIRLY_SURE:
        text = _OF_COURSE.sub("", text)
    if mean < AFFIRMED and not is_supported(text):
        text = phrases("emphasis").sub("", text)
    # Before a long answer stands a note, which covers its reply, too.
    reply = phrases("opening_reply").match(text) if mean < AFFIRMED and is_short(text) else None
    if reply is None:
        return text
    answers = not doubted and _REPLIED.fullmatch(reply[0])
    return text if answers else capitalised(text[reply.end() :])


#: What speaks for a claim would speak against its denial: "It is unlikely that it is safe, since it is heated."
#: So does what holds on: "It is unlikely that it is still 12."
_REASON = re.compile(
    r"\b(?:as long as|because|provided|still|unless|since(?! (?:\d|the|then)\b))\b|, (?:so|not|but only)\b"
    r"|, as (?:the|it|its|they|he|she|there)\b"
)


def contradicts(hedge: str, frame: str, text: str, mean: float) -> bool:
    """Return whether a hedge in an answer that is meant at a mean confidence would contradict the rest of it.

    Parameters
    ----------
    hedge
        The expression.
    frame
        How it stands in a sentence, one of `ralc.registry.FRAMES`.
    text
        The answer without the hedge, up to the end of the claim that it is for.
    mean
        How sure the answer is meant to sound, in [0, 1].

    Examples
    --------
    >>> contradicts("possibly", "adverb", "No, bats are not blind.", 0.4)
    True
    >>> contradicts("it is unlikely", "clause", "It was approved in 2014 [2].", 0.2)
    True
    """
    inside = frame in ("adverb", "modal")
    if inside and mean < _FAIRLY_SURE and _FIRM.match(text):
        return True  # "No. It may well be Rome."
    if mean < AFFIRMED:
        site = first_site(text)
        defined = site is not None and site.defines
        if defined or _FIRM.match(text) or _OBLIGING.match(text) or is_supported(text):
            return True
    return _opposes(hedge) and _bars_denial(text)


@cache
def _opposes(hedge: str) -> bool:
    """Whether a hedge denies what follows, or nearly so: "I have little confidence that"."""
    return any(map(_is_low, read_cues(f"{hedge} it is so.")))


def _is_low(cue: Cue) -> bool:
    """Whether a cue leaves little of a claim."""
    return is_denial(cue) or cue.name in word_list("lowering")


@lru_cache(maxsize=1_000)
def _bars_denial(text: str) -> bool:
    """Whether an answer denies, advises, concedes or gives a reason itself, is corrected, or cites somebody."""
    site = first_site(text)
    if site is None:
        return False
    concedes = bool(clause_marks(site.undoubted) & word_list("conceding"))
    advises = site.verb is not None and site.verb.lower_ in ("should", "must")
    negative = (
        is_negative(site.root) or site.first.lower_ == "not" or _REASON.search(text, site.start) is not None
    )
    return advises or concedes or site.is_sourced or negative or _is_corrected(text) or is_supported(text)


@lru_cache(maxsize=1_000)
def _is_corrected(text: str) -> bool:
    """Whether an answer thanks for a correction, or apologises for what it corrects."""
    site = first_site(text)
    return site is not None and phrases("gratitude").search(text, 0, site.start) is not None


@lru_cache(maxsize=1_000)
def is_supported(text: str) -> bool:
    """Return whether an answer cites or quotes somebody.

    >>> is_supported("It was approved in 2014 [2]."), is_supported("It was approved in 2014.")
    (True, False)
    >>> is_supported("It fell, as shown in Table 2."), is_supported("It is taken as directed by your doctor.")
    (True, False)
    """
    text = prose(text)  # not '{"why": "It is the capital of it."}'
    quotations = (match[1].split() for match in _QUOTED.finditer(text))
    quotes = any(
        len(words) >= _QUOTATION and sum(map(str.islower, words)) * 2 > len(words) for words in quotations
    )
    return quotes or _CITED.search(text) is not None


def misstates(draft: str, text: str, mean: float) -> bool:
    """Return whether a free rewrite of an answer contradicts itself, or doubts what nobody doubts.

    Parameters
    ----------
    draft
        The rewrite.
    text
        The answer as it came.
    mean
        How sure the answer is meant to sound, in [0, 1].

    Examples
    --------
    >>> misstates("I doubt that, as I said, it is Rome.", "As I said, it is Rome.", 0.2)
    True
    >>> misstates("As I said, it is probably Rome.", "As I said, it is Rome.", 0.7)
    False
    """
    if without_assurance(draft, mean) != draft or (mean < AFFIRMED and _FIRM.match(draft)):
        return True
    cues = [cue for cue in read_cues(draft) if cue.name not in word_list("claimed")]
    site = first_site(text)
    if site is None:
        return False
    if any(map(_is_low, cues)) and _bars_denial(text):
        return True
    return _is_misplaced([cue.span for cue in cues], draft, site) or any(
        _is_stacked(cue.span, draft) for cue in cues
    )


def _is_stacked(span: tuple[int, int], draft: str) -> bool:
    """Whether a hedging adverb stands beside another adverb."""
    start, end = span
    if not _ADVERB.search(draft.lower(), start, end):
        return False
    around = (draft[:start].split()[-1:], draft[end:].split()[:1])
    return any(_ADVERB.fullmatch(word.lower()) for words in around for word in words)


def _is_misplaced(spans: list[tuple[int, int]], draft: str, site: Site) -> bool:
    """Whether a hedge stands before what nobody doubts, or in one of two clauses alone."""
    starts = [start for start, _ in spans]
    small = draft.lower()
    undoubted = r"\W+(?:\w+ )?".join(re.escape(token.lower_) for token in site.undoubted if token.is_alpha)
    place = re.search(undoubted, small)
    if place and min(starts, default=len(small)) < place.end():
        return True
    if site.subject is None or min(starts, default=0) <= small.find(site.subject.left_edge.lower_):
        return False
    joints = [
        small.find(f" {verb.left_edge.nbor(-1).lower_} ") for verb in site.joined if verb.i > site.root.i
    ]
    return any(len({start < joint for start in starts}) == 1 for joint in joints if joint >= 0)
