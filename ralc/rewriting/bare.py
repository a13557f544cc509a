"""An answer without the hedge it came with, so that a rewrite does not hedge twice."""

import re
from collections.abc import Iterable, Mapping

from ralc.english.contractions import contractible
from ralc.rewriting.passing import without_greeting

#: Hedges that say the opposite of what follows: taking them away would turn the answer round.
_NEGATING = re.compile(
    r"\b(?:not|no|doubt|unlikely|improbable|impossible|slight|slim|little|remote|anyone's)\b"
)
#: Adverbs that are hedges wherever they stand.
_ADVERB = r"(?!likely|clearly|absolutely|theoretically)\w+ly|perhaps|maybe"
#: Where one is the speaker's: behind an article it belongs to what is spoken of ("their allegedly obscene contents").
_DETERMINERS = ("a", "an", "the", "my", "your", "his", "her", "its", "our", "their", "these", "those", "of")
_FREE = "(?<!,)" + "".join(rf"(?<!\b{word})" for word in _DETERMINERS)
#: Others that a lexicon need not hold.
_ADVERBIAL = r"(?:without (?:a |any )?doubt|beyond (?:a |any |all )?doubt|in all likelihood)"
_DEGREE = (
    r"(?:(?:very|pretty|quite|fairly|rather|really|absolutely|almost|nearly|reasonably|completely|totally|entirely|highly"
    r"|extremely|somewhat|mostly|fully|firmly|strongly|honestly|truly) )"
)
#: Half or more: what is lower says that it is rather not so.
_SHARE = r"(?:about |over |at least )?(?:100|[5-9]\d(?:\.\d+)?) ?(?:%|percent|per cent)"
_SURE = r"(?:sure|certain|confident|convinced)\b"
#: What a speaker says of the own mind: "I am pretty sure", "I'd guess", "I'm 90 % sure".
_SELF = (
    rf"(?:I|we)(?:(?: am| are|['’]m|['’]re| feel) (?:{_DEGREE}?|{_SHARE} ){_SURE}"
    rf"|(?: would|['’]d|['’]m| do)? {_DEGREE}?(?-i:think|believe|guess|guessing|suppose|assume|reckon|suspect)\b)"
)
_CHANCE = (
    rf"there(?: is|['’]s) (?:an? )?(?:{_SHARE}|good|high|strong|decent|fair|reasonable|very good) "
    r"(?:chance|probability|likelihood|possibility)"
)
_LIKELY = (
    r"it(?: is|['’]s) (?:(?:very|quite|most|highly|more than) )?(?:likely|probable|possible|certain|clear)"
)
#: Clauses that are hedges, and those of them that are without *that*, before a phrase, too ("I think Paris").
_GUESS = r"my (?:best )?guess (?:is|would be)"
_CLAUSES = rf"{_SELF}|{_CHANCE}|{_LIKELY}|{_GUESS}|(?:I have|there(?: is|['’]s)) no doubt"
_BEFORE_PHRASES = rf"I (?-i:think|believe|guess|suppose|assume)|I(?: woul|['’])d say|{_GUESS}"
_KNOWN = r"I(?: would|['’]d)? (?-i:know|bet|say)(?: that)? (?=(?:it|this|the answer)(?:['’]s| is| was)\b)"
_NO_PHRASE = r"(?!(?:in|of|so|about|for|to|what|who|where|why|how|not)\b)"
#: A clause that follows without *that*: what one is sure of, and not what one knows well.
_CLAUSE = (
    r"(?=(?:it|he|she|that|there)['’]s\b"
    r"|(?:(?!(?:who|which|that|where|what)\b)[\w'’-]+ ){1,12}(?:is|are|was|were|has|had|have|can|will|lies|means)\b)"
)
#: "It is likely Paris", "it was without a doubt he": before what is named, and no adjective ("is likely to be").
_WITHIN = re.compile(
    rf"\b(is|are|was|were) (?:(?:(?:most|very|quite|highly) )?likely|{_ADVERBIAL},?) "
    r"(?=(?:the|an?|no|many|most|some|several|due|because) |(?-i:[A-Z0-9]))",
    re.IGNORECASE,
)
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
        def of(frame: str) -> list[str]:
            return [expression for expression, own in frames.items() if own == frame]

        adverbs = [one for one in of("adverb") if re.fullmatch(_ADVERB, one) and not _NEGATING.search(one)]
        openings = [
            *_joined([one for one in of("clause") if not _NEGATING.search(one)], " that "),
            *_joined(of("opener"), ", "),
            *_joined(of("standalone"), ", but "),
            rf"(?:{_CLAUSES})(?: that,? |,? {_NO_PHRASE}{_CLAUSE})",
            rf"(?:{_BEFORE_PHRASES}) {_NO_PHRASE}",
            _KNOWN,
            rf"{_ADVERBIAL}, ",
            r"if I (?:remember|recall) correctly, ",
        ]
        words = _joined(adverbs, "")
        self._opening = re.compile(f"^(?:{'|'.join(openings)})", re.IGNORECASE)
        inside = [f"^{word},? (?!not\\b)|{_FREE} {word}(?= \\w)|, {word}(?=[.,!?]|$)" for word in words]
        self._adverb = re.compile("|".join(inside) or r"(?!)", re.IGNORECASE)

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
        rest = self._adverb.sub("", self._opening.sub("", without_greeting(text), count=1))
        rest = _AFTERWARDS.sub("", _TAG.sub("", _ASIDE.sub("", rest)))
        rest = _WITHIN.sub(r"\1 ", rest).strip()
        if rest == text.strip() or not any(character.isalnum() for character in rest):
            return text
        return rest[:1].upper() + rest[1:]


def _joined(expressions: Iterable[str], joint: str) -> list[str]:
    """A pattern of any of the expressions, the longest first, and what follows it; none where there is no hedge."""
    ordered = sorted(expressions, key=len, reverse=True)
    return [f"(?:{'|'.join(map(contractible, ordered))}){joint}"] if ordered else []
