"""Read the hedging and boosting cues of running text: ``read_cues``.

A cue is the longest match of a pattern (`ralc.english.wordlists`), with the degree word and the negation before it.
"Not entirely sure" is class ``sure``, degree ``max``, negated. Only the speaker's cues are read. Words in quotation
marks and names are none, nor are words about the matter (`ralc.english.hedges.parse.is_speakers`).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from ralc.english.hedges.parse import LONGEST, is_speakers, parse, parse_all
from ralc.english.hedges.stated_numbers import StatedNumber, stated_numbers
from ralc.english.negation import abstains
from ralc.english.normalisation import SPEAKERS, spell_out
from ralc.english.readable_text import prose, text_spans
from ralc.english.wordlists import CLAUSE_MARKS, DEGREES, CueClass, cue_classes, matches, word_list

CERTAIN_FROM = 0.995  # "100% sure" is certainty, not the number 1
CLAUSE_REACH = 40  # tokens; keeps the work linear in texts without punctuation
# ASSUME a quotation mark without a partner within so many characters is a stray one.
#: What says of an answer in front how sure its speaker is: "I doubt that this is right.", "That's a guess.".
REMARK = (
    r"(?:I(?:['’]m| (?:am|believe|cannot|could|doubt|have|suspect|think|would))\b[^.!?\n]{0,80}"
    r"\b(?:this|that['’]s|(?:about|of) that)\b"
    r"|It (?:is|may|might)\b[^.!?\n]{0,80}\bthis (?:is|answers)\b"
    r"|(?:Perhaps |There['’]s a (?:very )?good chance )?"
    r"(?:[Tt]hat['’]s|(?:This|That|[Aa]ll of that) (?:is|may|might|could))\b"
    r"[^.!?\n]{0,80}\b(?:answer|correct|guess|right|says?|think|true)\b)"
)
#: A choice in its own words: "B. It is unknown", "It is D. Uncertain.".
_CHOSEN = re.compile(
    r"(?:^\W{0,5}|\b(?:is|that|answer|choice|option):?\W{1,5})[A-J][\])*_]{0,4}[.):\]]\s+"
    rf"(?!{REMARK})(?P<said>[^\n.!?]*)",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTED = re.compile(r'"[^"]{,300}"|[“«][^”»"]{,300}["”»]')
#: Where a line begins that no cue goes into: behind a line's end before a capital.
_LINE = re.compile(r"(?=\n[ \t*_#>-]*+[A-Z])")
_WORD = re.compile(
    r"(?P<word>\d+(?:[.,/]\d+)*(?:\s?%)?|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\W_]+)"
    r"|(?P<mark>[.,;:!?…—()\[\]{}]|\"|[“”«»]|\n(?=[ \t*_#>-]*+[A-Z]))"
)
_SPEAKER = re.compile(r"(?:I|AI)(?:['’]|$)")
_MONTH = re.compile(r"May\s\d")  # a sentence may begin with it
#: The clause after a doubt that claims another answer: "I don't think it is Lagos; it is Abuja". A name is "_".
_CLAIM = r"(?:(?:i|we) \w+ )?(?:(?:it|they|he|she|(?:the )?answer) (?:is|are|was|were|must)(?!\S)|the \w+ (?:is|was) _)"
_REPLACED = re.compile(
    r"so [.!] (?:\S+ ){2,}|(?:(?!but |so )[^\W_]\S* |_ ){2,}?(?:[,;.] (?:because|since|as|for) [^.!?:;]*)?"
    rf"(?:(?:(?:[,;] )?(?:but|so|instead|rather) |[;.] )(?:(?:and|but|so|instead|rather|,) )*{_CLAIM}|, {_CLAIM} _)"
)
#: What concedes before the clause that claims: "I know it is confusing, but it is old.".
_CONCEDING = ("i know", "i understand")
#: What somebody refuses, before a clause that claims all the same.
_REFUSED = re.compile(
    r"((?:\S+ )*?(?:able to|unable to|access|assist|give|help|offer|provide|share|supply) "
    r"(?!(?:\S+ ){0,4}(?:answer|certain\w*|exact|information|precise|specific|sure) )[^.;!?—]*)"
    r"(?:[;—] | but )(?!i |we |my |please )"
)
#: The clause that answers what others say: "Many say Sydney, but the capital of Australia is Canberra".
_COUNTERED = re.compile(r"[^.;!?]* but (?!i |we |my )")


class Token(NamedTuple):
    """One token: its lower-case text, that again where a cue may use it, and where it, or its contraction, stands."""

    text: str
    word: str
    start: int
    end: int


@dataclass(frozen=True)
class Cue:
    """One cue found in a text: where, which, and how modified.

    ``start`` and ``end`` are positions of tokens in the prose, ``span`` of characters in the text. ``degree`` is one of
    the groups of :data:`DEGREES` or ``""``.
    ``number`` is the probability that a number beside the cue states (``95% sure``), else None.
    """

    start: int
    end: int
    name: str
    expression: str
    degree: str = ""
    negated: bool = False
    number: float | None = None
    span: tuple[int, int] = (0, 0)

    def behind(self, tokens: int, characters: int) -> "Cue":
        """Return the same cue behind so many tokens and characters."""
        start, end = self.span
        span = (start + characters, end + characters)
        return replace(self, start=self.start + tokens, end=self.end + tokens, span=span)

    @property
    def family(self) -> CueClass:
        """Its class, with the direction and the assumed place."""
        return cue_classes()[self.name]


def tokenise(text: str) -> list[Token]:
    """Split a text into tokens, contractions spelled out; marks, and a line's end before a capital, are tokens, too.

    Their places are counted from where their line begins.

    >>> [(token.text, token.start, token.end) for token in tokenise("I can't.")]
    [('i', 0, 1), ('can', 2, 7), ('not', 2, 7), ('.', 7, 8)]
    """
    return _read(text)[0]


@lru_cache(maxsize=2_000)
def _read(text: str) -> tuple[list[Token], list[Cue]]:
    """The tokens of a text, and what may be a cue by its words alone, which never goes beyond a line."""
    # Words in quotation marks are of no cue, nor are names inside a sentence, nor what a choice says.
    quoted = bytearray(len(text))
    for match in _CHOSEN.finditer(text):
        quoted[slice(*match.span("said"))] = b"\1" * len(match["said"])
    for match in _QUOTED.finditer(text):
        if match.start() or text[match.end() + 1 :]:  # a text may be a quotation as a whole
            quoted[slice(*match.span())] = b"\1" * len(match[0])
    shouting = text.isupper()
    tokens: list[Token] = []
    cues: list[Cue] = []
    at = 0
    for line in _LINE.split(text):
        end = at + len(line)
        read, found = _read_line(line, bytes(quoted[at:end]), shouting=shouting)
        cues += (one.behind(len(tokens), at) for one in found)
        tokens += read
        at = end
    return tokens, cues


@lru_cache(maxsize=5_000)
def _read_line(text: str, quoted: bytes, *, shouting: bool) -> tuple[list[Token], list[Cue]]:
    """As `_read`, of a line, which many wordings of an answer share."""
    opens = True
    tokens: list[Token] = []
    for match in _WORD.finditer(text):
        piece = match.group()
        start, end = match.span()
        if match.lastgroup == "mark":
            tokens.append(Token(piece, piece, start, end))
            opens = opens or piece in ".!?:;…—([{\n"  # what ends a sentence
            continue
        name = piece[0].isupper() and not (opens or shouting or _SPEAKER.match(piece))
        usable = not (quoted[start] or name or (piece == "May" and _MONTH.match(text, start)))
        tokens += [Token(word, word * usable, start, end) for word in spell_out(piece.lower())]
        opens = False
    words = [token.word for token in tokens]
    cues = _with_numbers(_candidates(words), words)
    return tokens, [replace(cue, span=(tokens[cue.start].start, tokens[cue.end - 1].end)) for cue in cues]


def read_cues(text: str) -> list[Cue]:
    """Return the speaker's cues in the prose of a text, in order, not overlapping.

    >>> [(cue.name, cue.degree, cue.negated) for cue in read_cues("I'm not entirely sure, but maybe Oslo.")]
    [('sure', 'max', True), ('maybe', '', False)]
    """
    return [*_cues(text)]


@lru_cache(maxsize=2_000)
def _cues(text: str) -> tuple[Cue, ...]:
    """The cues of a text."""
    plain = prose(text)
    at = [place for span in text_spans(text) for place in span.at] if "\n" in text else range(len(text))
    tokens, found = _read(plain)
    words = [token.word for token in tokens]
    cues = [
        replace(cue, span=(at[cue.span[0]], at[cue.span[1] - 1] + 1))
        for cue in found
        if not _is_replaced(cue, words) and _is_speakers(cue, tokens, plain)
    ]
    if words[-1:] == ["?"]:
        place = at[plain.rindex("?")]
        cues.append(Cue(len(words) - 1, len(words), "question", "?", span=(place, place + 1)))
    return tuple(cues)


def read_ahead(texts: Iterable[str]) -> None:
    """Parse, in one batch, what finding the cues of some texts asks of the parse."""
    parse_all(line for text in map(prose, texts) for line in _asked(text))


@lru_cache(maxsize=5_000)
def _asked(text: str) -> list[str]:
    """The lines of a text that may have cues of the matter."""
    tokens, cues = _read(text)
    return [_line(text, cue)[1] for cue in cues if _may_be_content(cue, tokens)]


def _candidates(words: Sequence[str]) -> list[Cue]:
    """What may be a cue by its words alone; one that is used up as the degree word of the next goes."""
    kept: list[Cue] = []
    for first, end, name in matches(words):
        start, degree, negated = _modified(name, first, words)
        while kept and kept[-1].end > start and kept[-1].name != "none":
            kept.pop()
        kept.append(Cue(start, end, name, " ".join(words[first:end]), degree, negated))
    return [cue for cue in kept if cue.name != "none"]


def _modified(name: str, start: int, words: list[str]) -> tuple[int, str, bool]:
    """(start, degree, negated) of a cue once the words before it are read."""
    position = start
    degree = ""
    if name in word_list("gradable") | word_list("negatable"):
        position, degree = _degree_before(words, start, name)
    if name not in word_list("negatable"):
        return position, degree, False
    at = position
    for _ in range(6):
        if at >= 2 and "_".join(words[at - 2 : at]) in word_list("negating_phrases"):
            return at - 2, degree, True
        before = words[at - 1] if at else ""
        if before in word_list("negations"):
            return at - 1, degree, True
        inner, more = _degree_before(words, at, "sure")
        if more:
            at = inner
            degree = degree or more
        elif before in word_list("transparent") and name in word_list("state_classes"):
            at -= 1
        else:
            break
    return position, degree, False


def _degree_before(words: list[str], position: int, name: str) -> tuple[int, str]:
    for length in (3, 2, 1):
        if position >= length:
            group = DEGREES.get(tuple(words[position - length : position]))
            if group:
                return position - length, group
    return position, ""


def _may_be_content(cue: Cue, tokens: Sequence[Token]) -> bool:
    """Whether a cue may speak of the matter: not "if memory serves", nor an adverb that opens the text."""
    signs = {"memory", *SPEAKERS}.intersection(cue.expression.split())
    if signs or cue.name not in word_list("ambiguous"):
        return False
    opens = cue.start < 3 and all(one.text in CLAUSE_MARKS for one in tokens[: cue.start])
    return not (opens and cue.name in word_list("opening"))


def _is_speakers(cue: Cue, tokens: Sequence[Token], text: str) -> bool:
    """Whether a cue is the speaker's doubt of the claim."""
    if not _may_be_content(cue, tokens):
        return True
    start, line = _line(text, cue)
    words = parse(line).char_span(*(place - start for place in cue.span), alignment_mode="expand")
    return words is None or is_speakers(words, cue.name, numbered=cue.number is not None)


def _line(text: str, cue: Cue) -> tuple[int, str]:
    """Where the line of a cue begins, and the line."""
    at = cue.span[0]
    start = text.rfind("\n", max(at - LONGEST, 0), at) + 1
    return start, text[start : start + LONGEST].partition("\n")[0]


def _is_replaced(cue: Cue, words: list[str]) -> bool:
    """Whether the next clause replaces what a cue doubts, or answers what others say."""
    behind = " ".join(word or "_" for word in words[cue.end : cue.end + CLAUSE_REACH])
    if cue.expression.startswith(_CONCEDING):  # "I know it is confusing, but it is old."
        return _COUNTERED.match(behind) is not None
    if cue.name == "abstention":  # "I am not able to diagnose you, but it is old." refuses, and claims
        refused = _REFUSED.match(f"{' '.join(words[cue.start : cue.end])} {behind}")
        return refused is not None and not abstains(refused[1].replace("not able", "unable"))
    if cue.name in word_list("others"):
        return _COUNTERED.match(behind) is not None
    return cue.name in word_list("rejecting") and _REPLACED.match(behind) is not None


def _with_numbers(cues: Sequence[Cue], words: list[str]) -> Sequence[Cue]:
    """Add the numbers that state the speaker's certainty: ``95% sure``, ``a chance of 30%``, ``Confidence: 30%``."""
    stated = stated_numbers(words)
    if not stated:
        return cues
    read = [_beside_number(cue, words, stated) for cue in cues]
    for number in (one for one in stated if one.alone is not None):
        start, end = number.alone
        overlapping = [cue for cue in read if cue.start < end and start < cue.end]
        if not (overlapping and number.yields):
            read = [cue for cue in read if cue not in overlapping]
            read.append(Cue(start, end, "chance", words[end - 1], number=number.probability))
    # "I would say there is a 90% chance": the number says how sure.
    ruled = {cue.start - gap for cue in read if cue.number is not None for gap in range(5)}
    cues = [cue for cue in read if cue.name not in word_list("ruled_by_numbers") or cue.end not in ruled]
    return sorted(cues, key=lambda cue: cue.start)


def _beside_number(cue: Cue, words: list[str], stated: Sequence[StatedNumber]) -> Cue:
    """A cue with the number beside it: "95% sure", "a chance of 30%"."""
    behind = cue.end + (words[cue.end : cue.end + 1] == ["of"])
    for number in stated:
        before = cue.name in word_list("numbered") and number.end in (cue.start, cue.start - 1)
        after = number.start == behind and (
            cue.expression == "odds are" or (cue.name == "chance" and behind > cue.end)
        )
        if before or after:
            sure = number.probability >= CERTAIN_FROM and not cue.negated
            start = number.start if before else cue.start
            return replace(cue, start=start, name="certain" if sure else cue.name, number=number.probability)
    return cue
