"""Words that look like a hedge and speak of the matter, not of what the speaker holds of it.

"The tablets may be taken with food" permits, "possible side effects" names a kind of effect, "its author is unknown"
is an answer, and "I don't think it is Lagos; it is Abuja" says nothing about how sure the speaker is of Abuja.
"""

from collections.abc import Sequence

from ralc.english.modals import heard
from ralc.english.normalisation import set_of
from ralc.english.numbers import says_wrong
from ralc.english.scope import ARTICLES, CONJUNCTIONS, QUESTIONS, REACH, SELVES, clause_start, of_matter, rest
from ralc.english.verbs import ADVERB, BE, HAVE, MODALS, PARTICIPLE
from ralc.english.vocabulary import CLAUSE_MARKS, DETERMINERS, NUMBER_NOUNS, SENTENCE_ENDS

CHANCE_REACH = 8  # from a chance to what it is a chance of

_NO_PLURALS = set_of("is was its his this thus us as has does always perhaps yes")
#: Verbs by which somebody else says or thinks what follows, and those on whose word the answer rests.
_SAYS = set_of(
    "says say said states state stated argues argue argued holds hold held claims claim claimed predicts predict"
    " predicted implies implied teaches taught believes believed thinks thought warned hoped feared ruled wrote"
)
_WITNESSES = set_of(
    "accounts article articles author authors background book books data doctor doctors document documents"
    " encyclopedia evidence experts historians others passage people records report reports researchers"
    " scholars scientists some source sources studies study teacher teachers text website wikipedia"
)
#: What answers are called: "possible answers" are doubtful ones, "possible symptoms" are symptoms.
_ANSWERS = set_of(
    "answers candidates choices dates explanations guesses locations names options places years"
)
#: Classes of cues of which an adjective may belong to a noun.
_ATTRIBUTES = set_of("possible probable likely conceivable improbable unlikely impossible alleged disputed")
#: Those of which several are no kind of thing: "the likely causes are two", but "the possible symptoms are two".
_LIKELIHOODS = set_of("likely probable unlikely improbable")
_ENDINGS = ("ble", "likely", "ed", "ial", "ive", "ous")
_ITSELF = (CLAUSE_MARKS - set('"”»')) | set_of("it this that answer which what there")
#: What the world does not know, wherever the speaker stands, and what opens the question that it has not answered.
_UNKNOWN = set_of(
    "unknown known understood mystery unresolved unanswered debated disputed contested debate dispute"
)
#: What somebody does not know or holds for doubtful, and what stands before it where that is the speaker or what the
#: answer rests on.
_ATTITUDES = set_of("know idea clue doubt believe think")
_SPEAKERS = (
    CLAUSE_MARKS
    | CONJUNCTIONS
    | SELVES
    | set_of("there one though although to with without of")
    | set_of("assistant ai model document background passage text speaker")
)
_AUXILIARIES = BE | HAVE | MODALS | set_of("remains remain been be do does did not never no")
_DISBELIEVED = set_of("slight remote almost_none improbable unlikely impossible doubt")
_HARDLY = set_of(
    "unlikely improbable doubt impossible no small slim slight tiny remote little minimal negligible"
)
_CHANCES = set_of("chance good_chance slight")
#: What follows "a chance of" where it is the chance of what happens, beside doings and what stands in the plural or
#: after "a", and by what a speaker gives that of an answer.
_EVENTS = set_of("rain snow hail frost fog death survival recovery infection relapse success failure")
_HAPPENS = set_of("caught elected hit killed picked selected struck")
_GIVES = set_of("say give put guess estimate")
#: What one declines by after an apology, and what one owns up by.
_DENIES = set_of("not no nor never unable")
_OWNS_UP = set_of(
    "confusion delay error errors got late made meant misread misspoke mistake mistakes mistyped wrong"
)
#: Classes of cues by which an answer is thought little of, and those of what others hold.
_REJECTING = set_of("doubt unlikely probably_not improbable impossible")
_OTHERS = set_of("reported majority alleged presume disputed")
_TURNS = set_of("but so instead rather and")
_CLAIMS = frozenset(
    (subject, verb)
    for subject, verbs in {
        "it": "is was must",
        "they": "are were",
        "he": "is was",
        "she": "is was",
        "answer": "is was",
    }.items()
    for verb in verbs.split()
)
_CONCESSIVE = set_of("although though while")
_REASONS = set_of("because since as for")


def of_content(name: str, start: int, end: int, words: Sequence[str]) -> bool:
    """Return whether a cue of class `name`, the words from `start` to `end`, speaks of the matter.

    >>> of_content("may", 2, 3, "the tablets may be taken with food".split())
    True
    >>> of_content("may", 1, 2, "it may be taken from homer".split())
    False
    """
    if not heard(start, end, words):
        return True
    if name in _ATTRIBUTES and _is_attribute(start, end, words):
        return True
    noun = name in {"possible", "unsure"} and words[start - 1 : start] == ["the"]
    of_what = [*words[end + 1 : end + 3], ""]
    if noun and words[end : end + 1] == ["of"] and of_what[0].isalpha() and "being" not in of_what:
        return True  # "the uncertainty of the measurement", but "the possibility of it being Rome"
    if name in {"hard_to_say", "disputed"} and not _UNKNOWN.isdisjoint(words[start:end]):
        return _of_what_is_known(start, end, words)
    attitude = name in {"clueless", "doubt", "unsure"} and not _ATTITUDES.isdisjoint(words[start:end])
    if attitude and {"i", "we"}.isdisjoint(words[start:end]) and _subject(start, words) not in _SPEAKERS:
        return True
    if name in _DISBELIEVED and says_wrong(words, end):
        return True
    if name in {"possible", "impossible"} and words[end : end + 1] == ["to"]:
        return True
    if name == "wrong" and not _HARDLY.isdisjoint(words[clause_start(words, start) : start]):
        return True
    if name in _CHANCES and of_event(start, end, words):
        return True
    if name == "abstention" and words[end - 1] == "sorry":
        # "Sorry, the answer above was wrong: it is W" excuses, "Sorry, I do not have it" declines.
        said = words[end : end + REACH]
        return _DENIES.isdisjoint(said) and not _OWNS_UP.isdisjoint(said)
    return name not in _OTHERS | {"abstention"} and (_of_others(start, words) or _supposed(start, words))


def _is_attribute(start: int, end: int, words: Sequence[str]) -> bool:
    """Whether an adjective belongs to a noun of which the clause says something: "every possible route crosses it".

    "A possible answer is Bonn" and "the likely cause was a leak" say what it is.
    """
    before, adjective = words[start - 1] if start else ".", words[end - 1]
    after, head = [*words[end : end + 2], "", ""][:2]
    adverb = ADVERB.fullmatch(adjective) and (not adjective.endswith("likely") or before not in DETERMINERS)
    if (
        adverb
        or not adjective.endswith(_ENDINGS)
        or not after.isalpha()
        or after in DETERMINERS | SELVES
        or {after, after + "s"} & _ANSWERS
    ):
        return False
    after_it = rest(start, words)
    last = next((place for place in after_it if words[place] in CLAUSE_MARKS), after_it.stop)
    if (_is_plural(after) or _is_plural(head)) and before not in BE | {"it"}:
        return adjective not in _LIKELIHOODS or not any(_is_copula(at, words) for at in range(end, last))
    if words[start - 2 : start - 1] == ["as"]:
        return False  # "he comes to mind as a likely author"
    predicate = not before.isalpha() or before in BE | {"it", "be", "been"} or ADVERB.fullmatch(before)
    return not predicate and BE.isdisjoint(words[clause_start(words, start) : last])


def _is_copula(at: int, words: Sequence[str]) -> bool:
    """Whether a form of *be* says what something is: "the causes were two", but "the voters were often asked"."""
    following = (word for word in words[at + 1 : at + REACH] if word != "not" and not ADVERB.fullmatch(word))
    return words[at] in BE and not PARTICIPLE.fullmatch(next(following, ""))


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in _NO_PLURALS


def _supposed(at: int, words: Sequence[str]) -> bool:
    """Whether a condition of the matter stands before a position in its clause: "ask if anything is unclear"."""
    return any(
        words[place] in {"if", "unless", "whether"} and words[place - 1] != "even" and of_matter(place, words)
        for place in range(clause_start(words, at), at - 1)
    )


def _of_others(at: int, words: Sequence[str]) -> bool:
    """Whether somebody says or thinks what stands at a position, on whose word the answer does not rest.

    "My doctor thinks that it is probably a virus" answers by what is thought of *it*.
    """
    first = clause_start(words, at, marks=SENTENCE_ENDS)
    return any(
        words[place] in _SAYS
        and words[place + 1] == "that"
        and words[place + 2] not in {"it", "this"}
        and words[place - 1] not in SELVES | _WITNESSES | BE | HAVE | MODALS | {"be", "been", "to", ","}
        and not ADVERB.fullmatch(words[place - 1])
        for place in range(first + 1, at - 1)
    )


def _of_what_is_known(start: int, end: int, words: Sequence[str]) -> bool:
    """Whether a cue answers that something is unknown: "its author is unknown", "it is not known who wrote it".

    "It is unknown" and "the answer is unknown" say so of the answer.
    """
    if words[end - 1] in QUESTIONS or (end < len(words) and words[end] in QUESTIONS):
        return True
    return _subject(start, words) not in _ITSELF


def _subject(at: int, words: Sequence[str]) -> str:
    """The last word before a predicate, without its auxiliaries and adverbs; a full stop where none stands there."""
    first = max(0, at - REACH)
    while at > first and (words[at - 1] in _AUXILIARIES or ADVERB.fullmatch(words[at - 1])):
        at -= 1
    return words[at - 1] if at else "."


def of_event(start: int, end: int, words: Sequence[str]) -> bool:
    """Return whether a chance, the words from `start` to `end`, is one of something that happens.

    >>> of_event(1, 3, "a 30% chance of rain".split()), of_event(1, 3, "a 30% chance that it is".split())
    (True, False)
    >>> of_event(4, 6, "each side has a 30% chance".split())
    True
    """
    first = clause_start(words, start)
    before = words[first:start]
    # "the chance of twins is one in eighty"
    named = (at for at in range(first, start - 1) if words[at] in NUMBER_NOUNS and words[at + 1] == "of")
    after = next(named, end - 1) + 1
    following = [*words[after : after + CHANCE_REACH], "", "", ""]
    if not {"i", "we"}.isdisjoint(before) and not _GIVES.isdisjoint(before):
        return False
    if following[:2] == ["of", "being"]:
        return following[2] in _HAPPENS
    if following[0] == "of":
        what = following[1]
        happens = what in {"a", "an"} or what.endswith("ing") or _is_plural(what)
        return happens or not _EVENTS.isdisjoint(following[1:3])  # "of heavy rain"
    if start < 4 or words[start - 1] != "a" or not {"being", "that"}.isdisjoint(following):
        return False
    return words[start - 2] in HAVE and words[start - 4] in ARTICLES | {"the"}


def set_aside(name: str, start: int, end: int, words: Sequence[str]) -> bool:
    """Return whether what a cue speaks of is set aside by the claim of the next clause.

    >>> set_aside("doubt", 1, 4, "i do not think it is lagos ; it is abuja".split())
    True
    >>> set_aside("doubt", 1, 4, "i do not think it is lagos .".split())
    False

    A name is an empty word (`ralc.english.cues`).

    >>> set_aside("doubt", 1, 4, [*"i do not think it is".split(), "", ",", "it", "is", "", "."])
    True
    """
    if name not in _REJECTING and name not in _OTHERS:
        return False
    stop = min(len(words), end + REACH)
    place = end
    while place < stop and words[place] not in CLAUSE_MARKS and words[place] not in {"but", "so"}:
        place += 1
    if place - end < 2 and name in _REJECTING:
        return False  # "I am doubtful, but it is ..." rejects nothing else
    concessive = name in _OTHERS and words[clause_start(words, start)] in _CONCESSIVE
    turned = False
    if name in _REJECTING and words[place + 1 : place + 2] and words[place + 1] in _REASONS:
        place = next((at for at in range(place + 1, stop) if words[at] in SENTENCE_ENDS), stop)
    while place < stop and (words[place] in CLAUSE_MARKS or words[place] in _TURNS):
        turned = turned or words[place] in {"but", ";", ".", "so", "instead", "rather"}
        place += 1
    if concessive and place < stop:
        return True
    own = {"i", "we", "my"} & {*words[clause_start(words, start) : end], *words[place : place + 1]}
    named = "" in words[place : rest(place, words).stop]
    if name in _OTHERS and not own and named and words[place - 1] == "but":
        return True  # "Many say Sydney, but the capital of Australia is Canberra"
    if words[place : place + 1] and words[place] in {"i", "we"}:
        place += 2  # "I think it is Abuja"
    claim, said = tuple(words[place : place + 2]), words[place + 2 : place + 3]
    if claim[:1] == ("the",) and ("answer" in claim or words[place + 3 : place + 4] == [""]):
        claim = ("answer", *said)  # "the capital is Rome"
    # "I don't think it is Sydney, it is Canberra": a name stands in the other's place.
    turned = turned or (name in _REJECTING and said == [""])
    return turned and claim in _CLAIMS and (name in _REJECTING or words[place - 1] == "but")
