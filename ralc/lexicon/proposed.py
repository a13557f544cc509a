"""Hedges as language models list them: items of a reply, tidied, and how each stands in a sentence.

A reply is untrusted. It should be a Python list, but bullets, numbers, explanations, prose and lists that break
off come as well, so it is read line by line, never evaluated, and what is no item is told apart from what is.
"""

import re

from ralc.english.contractions import spelled_out

#: How much of a reply is looked at, in characters, and how many of its items.
LONGEST_REPLY, MOST_ITEMS = 40_000, 400
#: The longest expression, in words.
MOST_WORDS = 8

#: A quoted text; an apostrophe inside a word ends none.
_TEXT = r"""(?:"((?:\\.|[^"\\]){1,100})"|'((?:\\.|[^'\\]|'(?=\w)){1,100})')"""
#: Quoted texts that are items: a comma, a bracket, a comment or the line's end comes next.
_QUOTED = re.compile(rf"(?<![\w\\]){_TEXT}(?=\s*(?:[,;\])}}#]|$))")
#: A quoted text at the beginning of a bullet, whatever is said about it.
_LEADING = re.compile(_TEXT)
_BULLET = re.compile(r"\s*(?:[-*•–]|\d{1,3}[.)])\s+")
#: Where an expression ends and what it is a hedge of, or what is said about it, begins.
_END = re.compile(r"\.\.|…|[\[\](){}<>_=|:;\"]|\s[-–—]\s|,\s")
_TYPOGRAPHIC = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "`": None, "*": None})

_SURE = "certain|uncertain|sure|unsure|confident|convinced|positive|skeptical|doubtful"
_COMPLEMENT = re.compile(
    rf"\b({_SURE}) (?:of|about|in)(?: (?:it|this|that))?$|(?<! on)(?<! to)(?<! with) that(?: [xyz])?$"
)
_PRONOUN = re.compile(r"\bi\b(?!\.)")
#: An expression: words, and a per cent among them.
WORDS = re.compile(r"[A-Za-z][A-Za-z' -]*(?:\d{1,3}(?:%| percent)[A-Za-z' -]*)?")

#: By its first word, or else its last, an expression without a subject ("no idea", "quite sure") gets one.
_SUBJECT_BY_FIRST = {
    "I": "believe think guess assume presume suppose suspect doubt know reckon imagine expect feel bet recall gather "
    "have had would can cannot do strongly firmly tend",
    "I have": "no absolutely some",
    "it": "seems appears looks follows",
    "it is": "hard difficult",
}
_SUBJECT_BY_LAST = {
    "I am": f"{_SURE} clueless guessing speculating".replace("|", " "),
    "it is": "possible probable plausible conceivable impossible improbable implausible inconceivable clear unclear "
    "evident obvious apparent undeniable unquestionable indisputable questionable debatable believed said known "
    "established rumored",
    "it": "be",  # might be, could be
    "with": "confidence certainty conviction hesitation reservations",
}
_WHETHER = ("unclear", "not clear", "questionable", "debatable", "it is uncertain")
_NEGATED = r"\bnot|\bcannot|\bno|\blittle|\bjust|\bonly"
_UNSURE = "unsure|uncertain|skeptical|doubtful|clueless|far from|in two minds|in the dark"
#: What waits for a verb, or for what there is none of.
_UNFINISHED = re.compile(
    r"(?:I|we|it) (?:have|had|would|can|cannot|could|may|might|must|do|do not|tend|strongly|firmly)"
    r"(?: no| some| absolutely)?"
)
#: What an expression speaks of, by the first pattern that is found in it; the speaker's confidence where none is.
_KINDS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("evidential", r"\b(?:evidence|research|studies|sources?|reports?|reportedly|rumou?r\w*|alleged\w*|apparently"
                       r"|supposedly|purportedly|accounts|documented|established|proven|heard|read|recall|remember"
                       r"|recollection|memory|confirm|seems?|seemingly|appears?|evidently|logically|experts?|fact)\b"),
        ("possibility", r"\b(?:theor\w+|hypothetical\w*|conceivabl[ey]|potentially|plausibl[ey]|ruled out)\b"),
        ("social", r"\b(?:opinion|view|argu\w+|obvious\w*|clear(?:ly)?|of course|undeniabl[ey]|indisputabl[ey]|people"
                   r"|widely|generally|everyone|said|guarantee|we)\b|unquestionabl"),
        ("idiom", r"\b(?:grain of salt|quote me|shot in the dark|coin|anyone's guess|good as mine|top of my head"
                  r"|clue)\b"),
    )
)  # fmt: skip
_AGAINST = re.compile(
    r"\b(?:un|not )likely|improbabl|(?<!not )impossible|doubtful|(?<!no )(?<!little )(?<!without a )\bdoubt$"
    r"|\b(?:little|remote|slim|slight|small|no|hardly any|outside) (?:chance|possibility)"
)
#: How an expression stands, by the first pattern that fits all of it.
_FRAMES = tuple(
    (frame, re.compile(pattern, re.I))
    for frame, pattern in (
        ("tag", r"(?:but|though|although|or|and)\b.*|for sure|no doubt"),
        ("adverb", r"(?!it |is )(?:\w+ ){0,2}(?:\w{3,}ly|perhaps|maybe|doubtless)(?: not)?"),
        ("standalone", r"(?:this|that|your|who|nobody|do not quote)\b.*|it remains .*|there is no (?:way|telling).*"),
        ("standalone", r"it is (?:hard|difficult|impossible) to (?:say|tell|know)"),
        ("clause", r"(?:I|we) have (?:\w+ )?no doubt|.* (?:whether|if|is)"),
        ("standalone", rf"(?:I|we) (?=.*(?:{_NEGATED})\b).*|I am (?:\w+ )*(?:{_UNSURE})\b.*"),
        ("standalone", r"I (?:could|may|might) be \w+|I have (?:my|some) doubts|I lack .*"),
        ("clause", r"(?:I|we|it|there|my|the|all|some|most|many|evidence|research|studies|experts)\b .+"),
        ("opener", r"(?:as|at|from|if|unless|to|in|based|according|with|without|beyond|by|for|off|on|under|given|of|"
                   r"chances|odds|rumor|more|take|barring|subject)\b .+"),
    )
)  # fmt: skip


def read_items(reply: str | None) -> list[str]:
    """Return the items of a reply, as they stand there; a line of prose is one, too.

    >>> read_items('hedges = ["maybe", "I don\\'t know",\\n  "cert')
    ['maybe', "I don't know", '"cert']
    >>> read_items("1. **Perhaps**: a guess\\n- 'I think' is common")
    ['Perhaps: a guess', 'I think']
    """
    items: list[str] = []
    for line in (reply or "")[:LONGEST_REPLY].translate(_TYPOGRAPHIC).splitlines():
        items += _line_items(line.strip())
        if len(items) >= MOST_ITEMS:
            break
    return items[:MOST_ITEMS]


def _line_items(line: str) -> list[str]:
    """The items of one line."""
    if not any(character.isalnum() for character in line):
        return []
    bullet = _BULLET.match(line)
    line = line[bullet.end() :] if bullet else line
    leading = _LEADING.match(line) if bullet else None
    quoted = list(_QUOTED.finditer(line)) or ([leading] if leading else [])
    return [(found[1] or found[2]).replace("\\", "").strip() for found in quoted] or [line]


def tidy(item: str) -> str:
    """Return an item as an expression: lower case but for *I*, without contraction, explanation, *that*.

    >>> tidy("It's possible that..."), tidy("I'm certain of that."), tidy("Maybe (low confidence)")
    ('it is possible', 'I am certain', 'maybe')
    """
    text = _END.split(item.lstrip(".… "), maxsplit=1)[0]
    text = spelled_out(text.strip(" .,!?'\"-")).replace("can not", "cannot")
    text = _COMPLEMENT.sub(lambda found: found[1] or "", text).strip()
    return _PRONOUN.sub("I", text)


def with_subject(expression: str) -> str:
    """Return an expression that lacks its subject with one, where that is clear.

    >>> with_subject("quite sure"), with_subject("no idea"), with_subject("plausible"), with_subject("perhaps")
    ('I am quite sure', 'I have no idea', 'it is plausible', 'perhaps')
    """
    expression = expression.removeprefix("am ").removeprefix("is ")
    if guess_frame(expression):
        return expression
    words = expression.split()
    for subjects, word in ((_SUBJECT_BY_FIRST, words[0]), (_SUBJECT_BY_LAST, words[-1])):
        for subject, known in subjects.items():
            if word in known.split():
                return " ".join([subject, *words])
    return expression


def guess_frame(expression: str) -> str | None:
    """Return how an expression probably stands in a sentence (`ralc.english.frames.FRAMES`); None if that is unclear.

    >>> [guess_frame(e) for e in ("probably", "I think", "to my knowledge", "no doubt", "I have no idea", "red")]
    ['adverb', 'clause', 'opener', 'tag', 'standalone', None]
    """
    if _UNFINISHED.fullmatch(expression):
        return None
    return next((frame for frame, pattern in _FRAMES if pattern.fullmatch(expression)), None)


def guess_kind(expression: str) -> str:
    """Return what an expression probably speaks of (`ralc.lexicon.committed.KINDS`).

    >>> [guess_kind(e) for e in ("research suggests", "theoretically", "obviously", "I am sure")]
    ['evidential', 'possibility', 'social', 'confidence']
    """
    return next((kind for kind, pattern in _KINDS if pattern.search(expression.lower())), "confidence")


def guess_polarity(expression: str) -> str:
    """Return whether an expression speaks for an answer or against it (`ralc.lexicon.committed.POLARITIES`).

    >>> [guess_polarity(e) for e in ("it is unlikely", "probably not", "I have no doubt")]
    ['against', 'reverses', 'for']
    """
    if expression.lower().endswith(" not"):
        return "reverses"
    return "against" if _AGAINST.search(expression.lower()) else "for"


def read_hedge(item: str) -> tuple[str, str | None, str]:
    """Return an item's expression, its frame, and what is wrong with it (empty where nothing is).

    >>> read_hedge("Pretty sure..."), read_hedge("blue sky")[2]
    (('I am pretty sure', 'clause', ''), 'no frame')
    """
    expression = tidy(item)
    if not expression:
        return "", None, "empty"
    if len(expression.split()) > MOST_WORDS or len(expression) > 80:
        return expression[:80], None, "too long"
    if not WORDS.fullmatch(expression):
        return expression, None, "not words"
    expression = with_subject(expression)
    if expression.startswith("it is ") and expression.endswith(_WHETHER):
        expression += " whether"
    frame = guess_frame(expression)
    return expression, frame, "" if frame else "no frame"
