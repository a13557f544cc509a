"""Which of the known answers to a question an answer gives, in whatever words: a right one, a wrong one, several."""

import re
from collections.abc import Iterable, Sequence
from itertools import dropwhile, takewhile
from typing import Literal

from ralc.english.answers.choices import picked
from ralc.english.answers.claims import (
    VERBS,
    Claim,
    added_words,
    aligned,
    claimed,
    committed,
    corrected,
    is_answer,
    key_words,
    of_another,
    without_asides,
)
from ralc.english.answers.meaning import asks_yes_or_no, lone_verdict, meaning, polarity, same_answer
from ralc.english.answers.names import EXACT_LENGTH, named, other_names
from ralc.english.choice_letters import states_choice
from ralc.english.negation import abstains, affirmed_and_denied, clauses, denies_asked, is_denial
from ralc.english.normalisation import (
    NAMING_WORDS,
    alike,
    answer_line,
    in_digits,
    in_full,
    in_shares,
    is_name,
    is_number,
    normalise,
    of_twenty_four_hours,
    plain,
    sentences,
    words,
)
from ralc.english.wordlists import case_of, phrases, word_list

Match = Literal["right", "wrong", "several", "other", "unsure", "none"]
_Names = Sequence[str]
#: A share of one, which a percentage may say.
_SHARE = re.compile(r"0\.\d+")
#: A time of twenty-four hours that says the half of the day, and one that may be of either.
_HALF, _TIME = re.compile(r"\b(?:0?0|1[3-9]|2[0-3]):\d\d\b"), re.compile(r"(?:1[0-2]|[1-9]):\d\d")
#: How a time says its half.
_OF_DAY = re.compile(r"(?<=\d)\s*[ap]\.?\s?m\b\.?", re.IGNORECASE)
#: A pair of coordinates, an interval: their order and their brackets count.
_TUPLE = re.compile(r"[(\[]\s*[-−]?[\d.]+(?:\s*,\s*[-−]?[\d.]+)+\s*[)\]]")
#: What was asked about, in another word.
_PRONOUNS = frozenset({"it", "he", "she", "they"})
_SIDES: dict[bool, Match] = {True: "right", False: "wrong"}
#: Words of a short answer, and of a sentence, whatever it is.
_SHORT, _SENTENCE = 2, 7
#: Words of a reply without a verb, at most: it says nothing but its answer.
_PHRASE = 4
#: Words of a question or a reply that tells much else: what must be said again is not known.
_LONG = 14


def match_answer(
    text: str,
    question: str,
    right: Sequence[str] | None,
    wrong: Sequence[str] = (),
    choices: Sequence[str] = (),
    correct_choice: int | None = None,
) -> Match:
    """Return which of the known answers to a question an answer gives.

    Parameters
    ----------
    text
        The answer, of any length.
    question
        What was asked; a background may stand before it, as in a prompt.
    right
        The accepted answers; None where the background leaves the question open, and it is right to say so.
    wrong
        Answers that are known to be wrong.
    choices
        Those of a multiple-choice question, in the order of their letters.
    correct_choice
        The place of the right one among `choices`, from 0.

    Returns
    -------
    str
        A `Match`: a ``right`` one alone, a ``wrong`` one (or a right one is denied), ``several``, some ``other``
        answer, ``none``, or ``unsure``.

    Examples
    --------
    >>> [match_answer(f"It is {name}.", "What is the capital of France?", ["Paris"]) for name in ("Paris", "Lyon")]
    ['right', 'other']
    """
    question = question.rpartition("\nQuestion: ")[2]
    text = _without_kind(answer_line(text), question, [*(right or ()), *wrong, *choices])
    text = text if "I" in {*(right or ()), *wrong} else in_full(text)
    if right is None:
        return _match_open(text, question, wrong)
    if _HALF.search(hours := of_twenty_four_hours(text)) or hours != text:
        either = (f"{name} pm" for name in right if _TIME.fullmatch(name))
        text = hours
        right = [*map(of_twenty_four_hours, (*right, *either))]
        wrong, choices = ([*map(of_twenty_four_hours, names)] for names in (wrong, choices))
    else:
        right = [*right, *(_OF_DAY.sub("", name) for name in right)]
    if chosen := picked(text, question, choices):
        return _SIDES[chosen == {correct_choice}]
    if not choices and (verdicts := {*map(lone_verdict, right)} - {None}):
        query = question if asks_yes_or_no(question) else f"{question} True or false?"
        if len(verdicts) == 1 and (side := polarity(text, query)) is not None:
            return _SIDES[side in verdicts]
        right = [name for name in right if lone_verdict(name) is None]
        if not right:
            return "none"
    if right and all(any(map(str.isdigit, in_digits(name))) for name in right):
        wrong = [name for name in wrong if any(map(str.isdigit, in_digits(name)))]
    if any(map(_SHARE.fullmatch, map(in_digits, right))):
        text = in_shares(text)
    elif in_shares(text) == text:
        right = [*right, *filter(_SHARE.fullmatch, map(in_shares, right))]
    tuples = {*map(_unspaced, right)} if right and all(map(_TUPLE.fullmatch, right)) else set()
    if tuples and (said := {*map(_unspaced, _TUPLE.findall(text))}) and not said & tuples:
        return "wrong"
    rivals = [choice for place, choice in enumerate(choices) if place != correct_choice] or wrong
    right = [*right, *([] if correct_choice is None else [choices[correct_choice]])]
    return _match_names(text, question, right, rivals, bool(choices))


#: The kind of thing that is asked for: "Which city hosted it?", "the largest ocean"; a place in an order: "4th".
_WHICH = re.compile(r"\b(?:[Ww]hich|[Ww]hat) (?!(?:is|was|are|were|do|does|did)\b)((?:[A-Z]\w* )?\w+)")
_MOST = re.compile(r"\b(?:most|\w+est|first|last) ((?:[a-z]\w+ ?){1,2})")
_ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th)\b")
#: A name that says where something is, and one of a people, or what a work is about: "hangs in the Louvre", "a Danish
#: prince".
_PLACED = re.compile(r"\b(?:in|at|near|borders|of) the [A-Z]\w*(?: [A-Z]\w*)*")
_NAMED_PLACE = re.compile(r"\b(?:in|at|near) [A-Z]\w*\W*$|\bcapital of [A-Z]\w*")
_PEOPLE = re.compile(
    r"\ban? [A-Z]\w+(?= [a-z])"
    r"|\b(?:about|(?<!\bhand )(?<!\bpen )of|the) (?:the )?(?!\w+['’]s\b)[A-Z]\w*(?: [A-Z]\w*)*"
    r"|\b(?:[A-Z]\w* ){1,4}(?:Awards?|Cups?|Medals?|Prizes?)\b"
)
#: What points at what was asked for; what says of which kind or where it is; where a thing stands; how many there are.
_POINTED = re.compile(
    r"(?:(?:that|this)(?: (?:title|hono[u]?r|distinction|credit|would) (?:belongs|goes|went|have) to(?: be)?"
    r"| (?:is|was|are|were|(?:would|must|will|should|has to) be)) "
    r"|it (?:is|was) the (?:work|idea|invention|creation) of |(?:we|our) "
    r"|you (?:can|could|get|have to|may|need|pay|will|(?:are (?:covered|looking for|thinking of))) )"
    r"(?!(?:an?|all|because|correct|false|how|not|right|so|true|very|when|where|why|wrong)\b)",
    re.IGNORECASE,
)
_CLASSED = re.compile(
    r"(?:\S+ ){1,4}?(?:is|are|was|were) (?:(?:born|set|[a-z]+ed) )?(?:an?|at|in|near|on|the(?! \w+\W*$))\b"
)
#: A reply behind its question that opens with one of its alternatives ("Which is bigger, Venus or Mars? Venus is."),
#: or with a name of the kind ("Which sea is salty? The Dead Sea is."), or says what somebody is.
_GIVEN = re.compile(
    r"[,:] (?=[^?]{0,80} or )[^?]{0,60}?\b(\w{3,40})\b[^?]{0,60}\?\s{1,3}(?:(?:the|an?) )?\1\b"
    r"|\bwhich (\w{1,40})\b[^?]{0,120}\?\s{1,3}(?:the )?(?!(?:all|each|every|one|that|this)\b)(?-i:[A-Z])\w{1,40} \2\b"
    r"|\b(?:job|living|occupation|profession)\b[^?]{0,60}\?\s.{0,80}\b(?:is|was|were|are) (?:an?\b|[a-z]+s\b)",
    re.IGNORECASE,
)
#: What works out a number, "17 x 6 = 102"; along which water something is.
_WORKED_OUT = re.compile(r"\d[\d.,]*\s?(?:[x×*+/÷^−-]\s?\d[\d.,]*|[²³])\s?(?:=|is\b|equals\b)")
_ON_WATER = re.compile(r"\b(?:along|banks of|by|on|through) the [A-Z]")
#: What says something of each of a kind; a question for a cause; what a thing does that is no cause of it.
_OF_EACH = re.compile(r"\W*(?:all|each|every) (\w+)", re.IGNORECASE)
_CAUSE = re.compile(r"\bwhat (?:causes?|caused|is the cause of|was the cause of)\b", re.IGNORECASE)
_HARMS = re.compile(r"\b(?:is|are|was|were|affect\w*|destroy\w*|kill\w*)\b")
_INSIDE = re.compile(r"\b(?:in|at|near|of) (?:the )?[A-Z]\w*(?: [A-Z]\w*)*")
_OF_NAME = re.compile(r"\bof (?:the )?([A-Z]\w+)")
_STANDS = re.compile(
    r"[Tt]he \w+ (?:is|sits|stands|lies|was|can be found)\b.*\b(?:in|at|on|near) (?:the )?[A-Z]"
)
_COUNTED = re.compile(
    r"\b\d{1,3} (?!(?:year|month|week|day|hour|minute|second|centur|decade)|ago)[a-z]{3,}\b"
)
#: What a thing is in a word or two; what says what it is made of, or called.
_TRAIT = re.compile(r"(?:\S+ ){1,3}(?:is|are|was|were) (?!an?\b|the\b|\S+s$)\S+(?: \S+)?")
_SAYS = re.compile(
    r"\b(?:made (?:of|from|up|with)|consists?|contains?|includes?|uses?|called|named|known|means?|equals?)\b"
)


def _without_kind(text: str, question: str, names: _Names) -> str:
    """A text whose names lack the kind of thing that was asked for, unless one known has it: "the Nile River"."""
    asked = word_list("named_kinds") & set(words(question))
    kinds = asked.difference(*(words(name) for name in names))
    if not kinds:
        return text
    return re.sub(rf"\b([A-Z]\w+) (?:{'|'.join(sorted(map(str.capitalize, kinds)))})\b", r"\1", text)


def _unspaced(text: str) -> str:
    """A text without its spaces."""
    return "".join(text.replace("−", "-").split())


def is_nonresponsive(text: str, question: str, choices: Sequence[str] = ()) -> bool:
    """Return whether a reply answers something else than was asked, without knowing what is accepted.

    These are the rules by which `match_answer` finds none in an answer that claims something. All sentences must be
    beside the question. No answer to a yes-or-no question, no reason,
    no short phrase, admission or denial that the background tells is.

    Parameters
    ----------
    text
        The reply, of any length.
    question
        What was asked; a background may stand before it, as in a prompt.
    choices
        Those of a multiple-choice question, if it is one.

    >>> question = "What is the capital of Trinidad and Tobago?"
    >>> [is_nonresponsive(text, question) for text in ("It is a Caribbean country.", "Its capital is San Fernando.")]
    [True, False]
    """
    question = question.rpartition("\nQuestion: ")[2]
    text = in_full(answer_line(text))
    # A reason need not name what it is the reason of.
    if (
        states_choice(text)
        or picked(text, question, choices)
        or asks_yes_or_no(question)
        or "why" in words(question)
        or _asks_what_is(question)
    ):
        return False
    parts = (part for part in sentences(text) if not (part.endswith("?") or is_denial(part)))
    claims = [claim for part in parts if (claim := claimed(part, question)) and claim.affirmed]
    said = words(text)
    query = set(words(question))
    asked_about = len(said) > 2 and _is_like(said[0], query)  # "The Nile flows through Egypt."
    pronoun = not _PRONOUNS.isdisjoint(said[:1])  # "It hangs in Paris."
    phrase = len(said) <= _PHRASE and VERBS.isdisjoint(said) and not (asked_about or pronoun)
    elliptic = (
        len(said) < _PHRASE and said[-1:] and said[-1] in VERBS and said[0] not in NAMING_WORDS
    )  # "Vivaldi did."
    return bool(claims) and not phrase and not elliptic and not any(_answers(one, question) for one in claims)


def may_be_beside(text: str, question: str, choices: Sequence[str] = ()) -> bool:
    """Return whether a reply may be true and still no answer: who doubts its sentence may deny what is so.

    It answers something else (`is_nonresponsive`), or it speaks of what was asked about and says less than half again
    of what was asked of it. A name that was asked for, or an amount, answers without that.

    Parameters
    ----------
    text
        The reply, of any length.
    question
        What was asked; a background may stand before it, as in a prompt.
    choices
        Those of a multiple-choice question, if it is one.

    Examples
    --------
    >>> question = "When was Nelson Mandela released from prison?"
    >>> replies = "Nelson Mandela became president in 1994.", "Mandela was released in 1990.", "In 1990."
    >>> [may_be_beside(text, question) for text in replies]
    [True, False, False]
    """
    if _says_again(in_full(answer_line(text)), in_full(question.rpartition("\nQuestion: ")[2])):
        return False
    if is_nonresponsive(text, question, choices):
        return True
    question = in_full(question.rpartition("\nQuestion: ")[2])
    text = in_full(answer_line(text))
    if states_choice(text) or picked(text, question, choices):
        return False
    if _tells_else(text, question):
        return True
    said = words(text)
    asked = {*words(question)}
    kinds = _kinds_asked(question)
    about = next((word for word in said if word not in NAMING_WORDS), "")
    if about in kinds and len(said) <= _PHRASE and VERBS.isdisjoint(said[:-1]):
        return False  # "Lake Superior.", "Vitamin C does."
    if not _is_like(about, asked - NAMING_WORDS) or len(asked) > _LONG or not _PRONOUNS.isdisjoint(said):
        return False
    if _asks_what_is(question):
        return False
    amount = phrases("measure_asked").search(question) and phrases("amount").search(in_digits(text))
    places = word_list("named_kinds", "place_kinds")
    given = word_list("proper_kinds") & kinds and any(_new_names(_INSIDE.sub("", text), question))
    if amount or places & kinds or given or "who" in asked:
        return False
    names = {plain(word) for word in words(question, written=True)[1:] if is_name(word)}
    relation = asked - NAMING_WORDS - kinds - names - {about}
    again = sum(_is_like(word, said) or any(alike(one, word) for one in said) for word in relation)
    return bool(relation) and 2 * again < len(relation)


def _tells_else(text: str, question: str) -> bool:
    """Whether a reply tells of what a question names, and neither names one of the kind nor a cause asked for.

    "Baghdad is a large city" names no river that flows through it, "Each element has a number" none of them.
    """
    kinds = _kinds_asked(question)
    each = _OF_EACH.match(text)
    if each and _is_like(each[1].lower(), kinds):
        return True
    asked = {*words(question)}
    topic = [*takewhile(lambda word: word in asked | NAMING_WORDS, words(text))]
    if {*topic} <= NAMING_WORDS | kinds or not _PRONOUNS.isdisjoint(topic):
        return False
    if _CAUSE.search(question):
        return _HARMS.search(text) is not None and word_list("causal").isdisjoint({*words(text)} - asked)
    places = kinds & word_list("place_kinds")
    if not (places or kinds & word_list("named_kinds", "proper_kinds")):
        return False
    said = text if places else _INSIDE.sub("", text)
    return not any(_new_names(said, question))


def _says_again(text: str, question: str) -> bool:
    """Return whether a reply answers in other words than the question's: "That would be Rome.", "It came down in 1989."

    It points at what was asked for, takes a side, or works out a number. Or it gives what is of its kind, and says of
    nothing that the question names something else than was asked.
    """
    terms = words(text)
    if not terms or _POINTED.match(text):
        return bool(terms)
    asked = {*words(question)}
    if _GIVEN.search(f"{question} {text}") or _WORKED_OUT.match(text):
        return True
    about = next((word for word in terms if word not in NAMING_WORDS), "")
    if _CAUSE.search(question) and about and not _is_like(about, asked - NAMING_WORDS):
        return True  # "The Earth is tilted."
    kinds = _kinds_asked(question)
    if word_list("named_kinds") & kinds and _ON_WATER.search(text):
        return True
    if word_list("unnamed_kinds") & kinds and _TRAIT.fullmatch(text.rstrip(" .")):
        return True  # "K is potassium."
    if ("where" in asked and _STANDS.match(text)) or _opens_with_name(text, question):
        return True
    given = _gives_kind(text, question)
    if given and not any(_is_like(word, terms) for word in asked - NAMING_WORDS):
        return True
    said = f" {' '.join(terms)} "
    query = f" {' '.join(words(question))} "
    senses = (group.replace("_", " ").split("=") for group in word_list("senses"))
    same = any(
        any(f" {one} " in query and f" {one} " not in said for one in sense)
        and any(f" {one} " in said for one in sense)
        for sense in senses
    )
    return same and given is not False


def _kinds_asked(question: str) -> set[str]:
    """The kinds of thing that a question asks for: *team* of "Which team won?"."""
    return {*words(" ".join([*_WHICH.findall(question), *_MOST.findall(question)]))}


def _asks_who(question: str) -> bool:
    """Whether a question asks for a person, a team or a company."""
    kinds = word_list("proper_kinds") - word_list("place_kinds")
    return not {*words(question)}.isdisjoint(("who", "whom", "whose")) or not kinds.isdisjoint(
        _kinds_asked(question)
    )


def _new_names(text: str, question: str) -> list[bool]:
    """Whether each word of a text is of a name that the question does not have."""
    known = {*words(question)} | NAMING_WORDS
    return [
        is_name(word) and not is_number(word) and case_of(word) != "small" and plain(word) not in known
        for word in words(text, written=True)
        if word not in ("The", "and")
    ]


def _opens_with_name(text: str, question: str) -> bool:
    """Whether a reply says of a new name alone what it does, where one was asked for: "France took the title."."""
    new = _new_names(text, question)
    asks = _asks_who(question) or phrases("superlative").search(question) is not None
    rest = [*dropwhile(bool, new)]
    return new[:1] == [True] and asks and not (any(rest) or _CLASSED.match(text))


def _gives_kind(text: str, question: str) -> bool | None:
    """Whether a text has a time, an amount, a place or a name, where a question asks for it; None where for none."""
    asked = {*words(question)}
    other = any(_new_names(" ".join(_OF_NAME.findall(text)), question))  # "The area of Chile is"
    if asked & {"when", "year", "deadline"}:
        return not other and phrases("time").search(_COUNTED.sub("", in_digits(text))) is not None
    if phrases("measure_asked").search(question):
        return not other and phrases("amount").search(in_digits(text)) is not None
    if "where" in asked:
        return phrases("place").search(text) is not None
    if _asks_who(question):
        elsewhere = _PEOPLE.sub("", _NAMED_PLACE.sub("", _PLACED.sub("", text)))
        new = _new_names(elsewhere, question)
        return not any(new[:1]) and (any(new) or "by" in words(text))
    return None


def _asks_what_is(question: str) -> bool:
    """Whether a question asks for anything of what it names: "Who was Ada Lovelace?", "Tell me about Paris."."""
    written = words(question, written=True)
    common = {plain(word) for word in written[1:] if not is_name(word)} - NAMING_WORDS
    opens = len(written) > 1 and plain(written[0]) in ("who", "what")
    return not common and (opens or "about" in words(question))


def _answers(claim: Claim, question: str) -> bool:
    """Whether a claim is an answer to a question, however wrong."""
    text = claim.affirmed
    asked = {*words(question)}
    most = phrases("superlative").search
    both = most(question) is not None and most(text) is not None  # "Everest is the highest."
    about = next((word for word in words(text) if word not in NAMING_WORDS), "")
    strict = asked & {"capital", "country", "state", "symbol"} or not _is_like(about, asked - NAMING_WORDS)
    says = (
        _TRAIT.fullmatch(text.rstrip(" .")) or _SAYS.search(text) or phrases("measure_asked").search(question)
    )
    if both or _spells(text, question) or (says and not strict):
        return _is_of_kind(text, question)
    return claim.on_topic and is_answer(text, question) and _is_of_kind(text, question)


def _is_like(word: str, terms: Iterable[str]) -> bool:
    """Whether a word is one of some terms, but for its ending."""
    return any(alike(word, term) or word.removesuffix("ies") == term.removesuffix("y") for term in terms)


def _is_of_kind(text: str, question: str) -> bool:
    """Whether a sentence about what was asked may say who, which, when, where or how many it is.

    "Hamlet is a tragedy" does not say who wrote it. What is asked of a thing in other words ("stand for") must be said
    in one of them.
    """
    asked = set(words(question))
    terms = words(text)
    query = asked - NAMING_WORDS
    about = next((word for word in terms if word not in NAMING_WORDS or word in _PRONOUNS), "")
    measure = phrases("measure_asked").search(question)
    if not _is_like(about, query | _PRONOUNS) or ("how" in asked and not measure):
        return True
    topic = [*takewhile(lambda word: word in NAMING_WORDS or _is_like(word, query), terms)]
    kinds = {word for kind in (*_WHICH.findall(question), *_MOST.findall(question)) for word in kind.split()}
    if kinds - asked.intersection(topic) and any(
        word.endswith("s") and _is_like(word, kinds - {word}) for word in topic
    ):
        return False  # "Planets orbit the Sun": one of them was asked for
    relation = {word for word in query - kinds - word_list("naming") if not _is_like(word, topic)}
    rest = terms[len(topic) :]
    shared = not relation or about in _PRONOUNS or any(_is_like(word, relation) for word in rest)
    who = not {*words(question, written=True)}.isdisjoint(("Who", "who", "whom", "whose", "Whose"))
    elsewhere = _PLACED.sub("", text)
    elsewhere = elsewhere if word_list("proper_kinds") & kinds else _NAMED_PLACE.sub("", elsewhere)
    elsewhere = _PEOPLE.sub("", elsewhere) if who else elsewhere
    capitals = (word for word in words(elsewhere, written=True)[1:] if is_name(word) and not is_number(word))
    named = any(plain(word) not in asked for word in capitals)
    if who:
        return named or "by" in terms
    if measure:
        return phrases("amount").search(_ORDINAL.sub("", in_digits(" ".join(rest)))) is not None
    if word_list("named_kinds", "proper_kinds") & kinds or "capital" in asked:
        return named or "in" in terms
    if asked & {"when", "year"}:
        return phrases("time").search(_COUNTED.sub("", in_digits(text))) is not None and (
            shared or phrases("dated").search(in_digits(text))
        )
    if "where" in asked:
        return phrases("place").search(text) is not None
    if phrases("superlative").search(question):
        return named or any(map(is_number, terms)) or phrases("superlative").search(text) is not None
    known = {word for word in topic if word in query} - key_words(question)
    told = not VERBS.isdisjoint(topic) and (len(known) > 1 or not kinds.isdisjoint(known))
    long = max(len(asked), len(terms)) > _LONG or asked & {"following", "happen", "happens", "happened"}
    if told or long or (named and any(_is_like(word, kinds) for word in rest)):
        return True
    return shared or bool(
        _SAYS.search(text) or _TRAIT.fullmatch(text.rstrip(" .")) or _spells(text, question)
    )


def _spells(text: str, question: str) -> bool:
    """Whether the words of a text begin as an abbreviation in the question does: "the World Health Organization"."""
    if not {"stand", "mean", "short"}.intersection(words(question)):
        return False
    initials = "".join(word[0] for word in words(text, written=True)).lower()
    return any(
        len(word) > 1 and word.isupper() and word.lower() in initials
        for word in words(question, written=True)
    )


def _match_names(text: str, question: str, right: _Names, wrong: _Names, chosen: bool) -> Match:
    """Match the known answers by name, and by meaning."""
    if len(normalise(text)) > EXACT_LENGTH and normalise(text) in map(normalise, right):
        return "right"
    rest = corrected(text)
    claim = claimed(rest, question)
    # An answer in words of its own is none of several choices, but may well be what a sentence accepted says.
    lengths = [(len(words(name)), not VERBS.isdisjoint(words(name))) for name in right]
    whole = sum(length >= _SENTENCE or (length > _SHORT + 1 and verb) for length, verb in lengths)
    own_words = not chosen and 2 * whole > len(right)
    right = [*right, *other_names(rest, question, right, wrong)]
    match = _match_committed(rest, question, right, wrong)
    if match is not None or claim is None:
        return match or "none"
    return _match_claim(claim, question, right, wrong, own_words)


def _match_committed(text: str, question: str, right: _Names, wrong: _Names) -> Match | None:
    """Match the known answers in the clauses that align best; None where they do not decide."""
    claims = "".join(mark + part for part, mark in clauses(text) if not (words(part) and abstains(part)))
    affirmed = in_digits(affirmed_and_denied(claims)[0])
    parts = aligned(affirmed, question, [*right, *wrong])
    hits = {place < len(right) for place in committed(parts)}
    mentioned = {place < len(right) for clause in parts for place in clause.names}
    if mentioned == {True}:
        naming = (sentence for sentence in sentences(affirmed) if named(sentence, right))
        of_asked = any(not of_another(sentence, question, right) for sentence in naming)
        return "right" if hits and of_asked and not _names_several(affirmed, question, right, wrong) else None
    return _SIDES[True in hits] if len(mentioned) == 2 and len(hits) == 1 else None


def _match_claim(claim: Claim, question: str, right: _Names, wrong: _Names, own_words: bool) -> Match:
    """Match what an answer claims; `own_words`: a right one may be said in other words altogether."""
    affirmed = in_digits(claim.affirmed)
    places = named(affirmed, [*right, *wrong])
    ids = [place for place in places if place < len(right)]
    # A choice of some length is not said by chance, whatever the sentence is about.
    short = all(len(words(right[place])) <= _SHORT for place in ids)
    if not claim.on_topic and short:
        return "none"
    if ids:
        if _names_several(affirmed, question, right, wrong):
            return "several"
        return "unsure" if short and of_another(affirmed, question, right) else "right"
    if places or named(claim.denied, right):
        return "wrong"
    if (match := _match_meaning(affirmed, question, right, wrong)) is not None:
        return match
    if own_words:
        return "unsure"
    return "other" if is_answer(affirmed, question, right) else "none"


def _names_several(affirmed: str, question: str, right: _Names, wrong: _Names) -> bool:
    """Whether a text that names a right answer names another beside it, or gives it as an alternative."""
    bare = without_asides(affirmed)
    if not named(bare, right):
        bare = affirmed  # its brackets are no aside: "(3^(1/2))mc"
    parts = phrases("alternative").split(bare)
    naming = [bool(named(part, right)) for part in parts]
    other = any(added_words(part, question) for part, names in zip(parts, naming, strict=True) if not names)
    # One within another that stands there is not named.
    rival = any(place >= len(right) for place in named(bare, [*right, *wrong]))
    return rival or (any(naming) and other)


def _match_meaning(affirmed: str, question: str, right: _Names, wrong: _Names) -> Match | None:
    """Match an answer in words of its own by what means the same; None where nothing does.

    Names must be the same; one that stands there in full was looked for, and refused: "New York City" is not New York.
    """
    form = meaning(affirmed, question)
    bare = normalise(affirmed)
    if form.kind == "polar":
        return "unsure" if any(meaning(name, question).kind == "polar" for name in right) else None
    if form.kind != "answer":
        added, *rest = ([plain(word) for word in added_words(name, question)] for name in (affirmed, *right))
        return "right" if added and added in rest else None
    means_right, means_wrong = (
        {
            same_answer(affirmed, name, question)
            for name in names
            if meaning(name, question).names == form.names and normalise(name) not in bare
        }
        for names in (right, wrong)
    )
    if ("yes" in means_right) != ("yes" in means_wrong):
        return _SIDES["yes" in means_right]
    return "unsure" if {"yes", "unsure"} & means_right else None


def _match_open(text: str, question: str, wrong: Sequence[str]) -> Match:
    """Match an answer to a question that the background leaves open."""
    statements = [part for part in sentences(corrected(text)) if words(part) and not part.endswith("?")]
    parts = [[part for part, _ in clauses(sentence)] for sentence in statements]
    denied = [list(filter(is_denial, row)) for row in parts]
    if any(denies_asked(part, question) for row in denied for part in row):
        rest = set().union(*parts).difference(*denied)
        guessed = any(named(part, wrong) or phrases("guess_beside").search(part) for part in rest)
        return "several" if guessed else "right"
    claim = None if denied and denied[0] else claimed(text, question)
    answered = claim is not None and claim.on_topic and is_answer(claim.affirmed, question)
    return "other" if answered else "none"
