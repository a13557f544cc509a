"""An answer without the hedge it came with, so that a rewrite does not hedge twice."""

import re
from collections.abc import Iterable, Mapping

from ralc.english.casing import capitalised
from ralc.english.contractions import contractible
from ralc.english.meaning import vouched
from ralc.english.passages import only_hedges
from ralc.english.places import denies
from ralc.english.sentences import parted, read_sentence
from ralc.english.standing import pattern_of, standings, without, without_seeming
from ralc.rewriting.passing import without_greeting

#: At most so many hedges open an answer: "I could be wrong, but I think it is likely that ...".
_OPENINGS = 3
#: Hedges that in some frames say the opposite of what follows: taking them away would turn the answer round.
_TURNED = ("adverb", "clause")
_NEGATING = re.compile(
    r"\b(?:not|no|far|doubt|unlikely|improbabl[ey]|impossible|slight|slim|little|remote|anyone's)\b"
)
#: Adverbs that a lexicon need not hold.
_ADVERBIAL = r"(?:without (?:a |any )?doubt|beyond (?:a |any |all )?doubt|in all likelihood)"
_DEGREE = (
    r"(?:(?:very|most|pretty|quite|fairly|rather|really|absolutely|almost|nearly|reasonably|completely|totally|entirely|highly"
    r"|extremely|somewhat|mostly|fully|firmly|strongly|honestly|truly) )"
)
#: Half or more: what is lower says that it is rather not so.
_SHARE = r"(?:about |over |at least )?(?:100|[5-9]\d(?:\.\d+)?) ?(?:%|percent|per cent)"
_SURE = r"(?:sure|certain|confident|convinced)\b"
#: What a speaker says of the own mind: "I am pretty sure", "we'd guess", "I'm 90 % sure"; "we are 95 % confident" may
#: tell of an interval.
_SELF = (
    rf"(?:I(?: am|['’]m| feel) {_SHARE} {_SURE}|(?:I|we)(?: am| are|['’]m|['’]re| feel) {_DEGREE}?{_SURE}"
    rf"|(?:I|we)(?: would|['’]d|['’]m| do)? {_DEGREE}?"
    r"(?-i:think|believe|guess|guessing|suppose|assume|reckon|suspect)\b)"
)
_CHANCE = (
    rf"there(?: is|['’]s) (?:an? )?(?:{_SHARE}|good|high|strong|decent|fair|reasonable|very good) "
    r"(?:chance|probability|likelihood|possibility)"
)
_LIKELY = (
    r"it(?: is|['’]s) (?:(?:very|quite|most|highly|more than) )?(?:likely|probable|possible|certain|clear)"
)
#: Clauses that are hedges, and those that stand before a phrase, too ("I think Paris").
_GUESS = r"my (?:best )?guess (?:is|would be)"
_SAID = r"I(?: woul|['’])d say(?: with \w+ (?:certainty|confidence))?"
_CLAUSES = rf"{_SELF}|{_SAID}|{_CHANCE}|{_LIKELY}|{_GUESS}|(?:I have|there(?: is|['’]s)) no doubt"
_BEFORE_PHRASES = rf"(?:I|we) (?-i:think|believe|guess|suppose|assume|reckon)|I(?: woul|['’])d say|{_GUESS}"
_NO_PHRASE = r"(?!(?:in|of|so|about(?! \d)|for|to|what|who|where|why|how|not|with)\b)"
_OPENING = re.compile(rf"(?:{_CLAUSES}),? (?!but )", re.IGNORECASE)
#: What a speaker says of himself between commas.
_BETWEEN = re.compile(rf'^([^"“”,]*), (?:{_SELF}|{_SAID}),(?= )', re.IGNORECASE)
#: What a speaker says of himself before *but*, and after it.
_COMMENT = re.compile(r"(I(?: |['’])[^,.;:]*), but ")
_CONCESSION = re.compile(r", (?:but|though|although) (I(?: |['’])[^,.;:!?]*)(?=[.!]*$)")
_KNOWN = r"I(?: would|['’]d)? (?-i:know|bet|say)(?: that)? (?=(?:it|this|the answer)(?:['’]s| is| was)\b)"
#: What is said of an answer after it: behind a comma, in brackets, or as a line of its own.
_AFTERWARDS = re.compile(
    rf", (?:{_ADVERBIAL}|for (?:sure|certain)|as far as I know|if I (?:remember|recall) correctly|no doubt)(?=[.!]*$)"
    rf"|, {_SELF}(?=[.!]*$)"
    rf"| \((?:I(?:['’]m| am) {_DEGREE}?|{_SHARE} |{_DEGREE}){_SURE}\)(?=[.!]*$)"
    rf"|(?:(?<=[.!;,\n]) ?\(?| \()confidence(?: level)?(?: is)?:? ?{_SHARE}\)?[.!]*$",
    re.IGNORECASE,
)
#: How sure one is, in brackets behind an answer: "Paris (highly likely)", whichever way.
_TAG = re.compile(
    r" \((?:(?:almost|very|most|quite|highly|extremely|fairly) )?"
    r"(?:definite|certain|sure|clear|presumab|likely|unlikely|probab|improbab|possib|impossib|maybe|perhaps|doubtful)\w*"
    r"\)(?=[.!]*$)",
    re.IGNORECASE,
)
#: A last sentence that says of the answer how sure it is, and nothing else.
_ASIDE = re.compile(
    r"(?<=[.!])\s+(?:but )?(?:(?:I|we)(?: am|['’]m)? (?:think|believe|hope|guess|suppose|sure|certain|confident)\b"
    r"[^.!?]*\b(?:correct|right|true|helps?|answer|it|so)|(?:hope|I hope) (?:this|that|it) helps)[.!]*$",
    re.IGNORECASE,
)


class Bare:
    """Takes the hedges of a lexicon out of answers.

    Parameters
    ----------
    frames
        The frame of each expression.
    """

    def __init__(self, frames: Mapping[str, str]) -> None:
        def any_of(frame: str, joint: str) -> list[str]:
            own = [one for one, theirs in said.items() if theirs == frame]
            return _any([one for one in own if frame not in _TURNED or not _turns(one)], joint)

        said = {one: frame for one, frame in frames.items() if not vouched(f"{one} it is so.")}
        openings = [
            *any_of("clause", " that "),
            *any_of("opener", ", "),
            *any_of("standalone", ", but "),
            rf"(?:{_CLAUSES}),? that,? ",
            rf"(?:{_BEFORE_PHRASES}) {_NO_PHRASE}",
            rf"(?:{_ADVERBIAL}|if I (?:remember|recall) correctly), ",
            _KNOWN,
        ]
        adverbs = "|".join([*any_of("adverb", ""), _ADVERBIAL])
        self._opening = re.compile(f"(?:{'|'.join(openings)})(?=.*\\w)", re.IGNORECASE)
        self._adverb = pattern_of(f"{_DEGREE}?(?:{adverbs})")

    def __call__(self, text: str) -> str:
        """Return an answer without a greeting or a hedge of the lexicon that opens it, and without its hedging adverbs.

        What hedges by denying ("I doubt that ...") stays, and so does a hedge that is the whole answer; a last
        sentence that only says how sure the answer is goes.

        >>> bare = Bare({"I think": "clause", "probably": "adverb", "I doubt": "clause"})
        >>> bare("Sure! It is Paris."), bare("Hmm, let me think. It's Paris."), bare("Sure.")
        ('It is Paris.', "It's Paris.", 'Sure.')
        >>> bare("I think that the capital is probably Paris."), bare("I doubt that it is Paris.")
        ('The capital is Paris.', 'I doubt that it is Paris.')
        """
        rest = _AFTERWARDS.sub("", _TAG.sub("", _ASIDE.sub("", without_greeting(text))))
        before, words, after = parted(rest)
        for _ in range(_OPENINGS):
            words = self._without_opening(words)
        if (doubt := _CONCESSION.search(words)) and only_hedges(doubt[1]):
            words = words[: doubt.start()] + words[doubt.end() :]
        words = without_seeming(self._without_adverbs(_BETWEEN.sub(r"\1", words)))
        rest = f"{before}{words}{after}".strip()
        if rest == text.strip() or not any(character.isalnum() for character in rest):
            return text
        return capitalised(rest)

    def _without_opening(self, words: str) -> str:
        """A sentence or phrase without a hedge that it follows."""
        if found := self._opening.match(words):
            return words[found.end() :]
        clause, comment = _OPENING.match(words), _COMMENT.match(words)
        if clause and read_sentence(words[clause.end() :]).is_clause:
            return words[clause.end() :]
        return words[comment.end() :] if comment and only_hedges(comment[1]) else words

    def _without_adverbs(self, words: str) -> str:
        """A sentence or phrase without the adverbs that hedge its claim."""
        return without([span for span, how in standings(self._adverb, words) if how == "claim"], words)


def _turns(hedge: str) -> bool:
    """Whether an answer without a hedge would say the opposite."""
    return bool(_NEGATING.search(hedge)) or denies(hedge)


def _any(expressions: Iterable[str], joint: str) -> list[str]:
    """A pattern of any of the expressions, the longest first, and what follows it; none where there is no hedge."""
    ordered = sorted(expressions, key=len, reverse=True)
    return [f"(?:{'|'.join(map(contractible, ordered))}){joint}"] if ordered else []
