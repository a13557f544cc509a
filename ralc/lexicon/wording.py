"""What the words of an expression tell: how it stands in a sentence, what it speaks of, and for which side."""

import re

#: An expression: words, and a per cent among them.
WORDS = re.compile(r"[A-Za-z][A-Za-z' -]*(?:\d{1,3}(?:%| percent)[A-Za-z' -]*)?")
SURE = "certain|uncertain|sure|unsure|confident|convinced|positive|skeptical|doubtful"
_NEGATED = r"\bnot|\bcannot|\bno|\blittle|\bjust|\bonly"
_UNSURE = "unsure|uncertain|skeptical|doubtful|clueless|far from|in two minds|in the dark"
#: Words that wait for a noun: what ends in one breaks a sentence.
_WAITING = frozenset(
    {"with", "of", "to", "for", "in", "on", "by", "a", "an", "the", "from", "at", "about", "against", "under"}
)
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


def waits(expression: str) -> bool:
    """Return whether an expression waits for a noun, so that a sentence with it is broken.

    >>> waits("consistent with"), waits("most likely")
    (True, False)
    """
    return expression.split()[-1].lower() in _WAITING


def guess_frame(expression: str) -> str | None:
    """Return the likely frame of an expression (`ralc.english.hedge_placement.FRAMES`); None if that is unclear.

    >>> [guess_frame(e) for e in ("probably", "I think", "to my knowledge", "no doubt", "I have no idea", "red")]
    ['adverb', 'clause', 'opener', 'tag', 'standalone', None]
    """
    if _UNFINISHED.fullmatch(expression):
        return None
    return next((frame for frame, pattern in _FRAMES if pattern.fullmatch(expression)), None)


def guess_kind(expression: str) -> str:
    """Return what an expression probably speaks of (`ralc.lexicon.expressions.KINDS`).

    >>> [guess_kind(e) for e in ("research suggests", "theoretically", "obviously", "I am sure")]
    ['evidential', 'possibility', 'social', 'confidence']
    """
    return next((kind for kind, pattern in _KINDS if pattern.search(expression.lower())), "confidence")


def guess_polarity(expression: str) -> str:
    """Return whether an expression speaks for an answer or against it (`ralc.lexicon.expressions.POLARITIES`).

    >>> [guess_polarity(e) for e in ("it is unlikely", "probably not", "I have no doubt")]
    ['against', 'reverses', 'for']
    """
    if expression.lower().endswith(" not"):
        return "reverses"
    return "against" if _AGAINST.search(expression.lower()) else "for"
