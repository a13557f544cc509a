"""Whether a true reply is no answer to its question, so that a doubt of its sentence would deny what is so.

What is asked for must be in the reply: somebody, a time, an amount, a place, what leads others. A reply whose subject
is what the question names must say again, in whatever words, something of what was asked of it. Each kind of question
has a rule of its own (`_RULES`). The words are compared without a parse, and their roles are read in the parse.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ralc import data
from ralc.english.answers.choices import picked
from ralc.english.answers.claims import corrected
from ralc.english.answers.meaning import asks_yes_or_no
from ralc.english.answers.names import names_country
from ralc.english.choice_letters import states_choice
from ralc.english.hedges.parse import FINITE, SUBJECTS, parse
from ralc.english.negation import abstains, is_denial
from ralc.english.normalisation import (
    IDLE_WORDS,
    NAMING_WORDS,
    alike,
    answer_line,
    in_digits,
    in_full,
    is_number,
    plain,
    words,
)
from ralc.english.wordlists import case_of, phrases, word_list

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

#: The kind of thing that is asked for: "Which city hosted it?", "the largest ocean".
_WHICH = re.compile(
    r"\b(?:which|what) (?!(?:is|was|are|were|do|does|did)\b)((?:[a-z]\w* )?\w+)", re.IGNORECASE
)
_MOST = re.compile(r"\b(?:most|\w+est|first|last) ((?:[a-z]\w+ ?){1,2})")
#: What leads others, and what says so of something in other words; a place behind the first.
_LEADING = re.compile(
    r"\b(?:(?i:(?<!by )most(?! of\b)|least|best|worst)|(?!(?:for|inter|requ|prot|gu|har|conqu)est)[a-z]{3,}est)\b"
)
_COMPARED = re.compile(
    r"\b(?:more|less|record|tops?|exceeds?|leads?|led|ahead|beats?|overt(?:akes?|ook)|unrivalled|than|all others|first"
    r"|out(?:weigh|number|rank|run)\w*|covers|(?:bigg|larg|tall|long|fast|old|high|deep|small|heavi)er)\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"\b(?:second|third|fourth|fifth)[- ]\w+", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\b(?:which|who|what)\b.* or ", re.IGNORECASE)
_ASKS_TIME = re.compile(
    r"^\W*when\b(?! .*,)|\bwhen (?:did|does|do|is|was|were|will|can)\b|\bdeadline\b|\bdate of\b"
    r"|\bcheck-?(?:in|out) time\b|\b(?:what|which) (?:year|day|date|month|century|decade|time)\b",
    re.IGNORECASE,
)
_ASKS_CAUSE = re.compile(r"\bwhy\b|\bwhat (?:causes?|caused)\b|\bcause of\b", re.IGNORECASE)
_ASKS_FORM = frozenset(
    {"symbol", "formula", "stand", "stands", "mean", "meaning", "opposite", "plural", "abbreviation"}
)
_ASKS_WHO = re.compile(r"\b(?:[Ww]hom?|[Ww]hose)\b")
#: What tells no cause, unless its words are causal.
_STATES = frozenset(
    {"is", "are", "was", "were", "has", "have", "had", "makes", "make", "covers", "falls", "fall"}
)
#: What a background may do with an answer.
_TOLD = re.compile(r"\b(?:gives?|given|known|mention(?:s|ed)?|names?|says?|stated?)\b")
_HARMS = re.compile(r"\b(?:affect|destroy|kill)\w*\b")
_MEANS = re.compile(r"\b(?:mean|stand|say|tell|letters|short|written|represent)\w*\b")
_WAYS = re.compile(r"\b(?:by|with|through|using|into|via|out)\b")
#: What counts things is no time: "nine cars", "756,950".
_COUNTED = re.compile(
    r"\b\d{1,3} (?!(?:year|month|week|day|hour|minute|second|centur|decade)|ago)[a-z]{3,}\b|\b\d[\d.,]*,\d{3}\b"
)
_MONTH = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber)\b"
)
_ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th)\b|\bevery \d+ \w+")
_YEAR = re.compile(r"1\d{3}|20\d\d")
_AMOUNT = re.compile(
    r"(\d+(?:[.,]\d+)*)(?: (?:million|billion|trillion|thousand|hundred|square|cubic|more|known|different))*"
    r" ?([^\W\d_]+|[%°]C?)?"
)
#: Names of no person: a prize, a cup, what stands behind "the", what a work is about; and before a name, who made it.
_NO_PERSON = re.compile(
    r"\b(?:about|the) (?:the )?(?!\w+['’]s\b)[A-Z]\w*(?: [A-Z]\w*)*"
    r"|\b(?:[A-Z]\w* ){1,4}(?:Awards?|Cups?|Medals?|Prizes?)\b"
)
_MADE_BY = frozenset({"work", "works", "pen", "hand", "idea", "invention", "creation"})
_BESIDE_PERSON = frozenset({"in", "at", "near", "on", "about", "against", "after", "during", "for", "of"})
#: Words that point at what was asked: "That would be Rome.", "Apple brought it out."; words that ask nothing.
_POINTING = word_list("pointing")
_EMPTY = NAMING_WORDS | word_list("naming") | {"many", "much", "most", "first", "last", "ever", "there"}


class Asked(NamedTuple):
    """What a question asks: of which `kind`, a name in `_RULES` or none, and in which words.

    `kinds` are the words for the kind of thing, `names` those that it names, `relation` the rest that says something.
    `senses` are other words for these.
    """

    kind: str
    text: str
    words: frozenset[str]
    names: frozenset[str]
    kinds: frozenset[str]
    relation: frozenset[str]
    senses: frozenset[str]


@cache
def _base_forms() -> dict[str, str]:
    rows = data.rows("irregular_verbs.csv")
    return {row[form]: row["base"] for row in rows for form in ("participle", "past")}


@cache
def _senses() -> list[tuple[str, tuple[str, ...]]]:
    """Each word that has others of its sense, and these."""
    groups = [tuple(one.replace("_", " ") for one in group.split("=")) for group in word_list("senses")]
    return [(one, group) for group in groups for one in group]


@lru_cache(maxsize=20_000)
def _same(one: str, other: str) -> bool:
    """Whether two words are one but for their endings."""
    if one == other or is_number(one) or is_number(other):
        return one == other
    bases = [_base_forms().get(word, word) for word in (one, other)]
    stems = {word.removesuffix("ies").removesuffix("y") for word in (one, other)}
    return alike(one, other) or alike(other, one) or bases[0] == bases[1] or len(stems) == 1


def _like(word: str, terms: Iterable[str]) -> bool:
    return any(word[:1] == term[:1] and _same(word, term) for term in terms)


@lru_cache(maxsize=1000)
def asked_of(question: str) -> Asked:
    """Return what a question asks."""
    asked = frozenset(words(question))
    kinds = frozenset(words(" ".join([*_WHICH.findall(question), *_MOST.findall(question)]))) - _EMPTY
    written = words(question, written=True)
    names = frozenset(plain(word) for word in written[1:] if word[0].isupper())
    relation = asked - _EMPTY - names - kinds - word_list("question_words")
    query = f" {' '.join(words(question))} "
    told = relation | kinds
    initials = {word[0] for word in told}
    meant = {
        group
        for one, group in _senses()
        if (one[0] in initials and _like(one, told)) or (" " in one and f" {one} " in query)
    }
    senses = frozenset(one for group in meant for one in group if not _like(one, asked))
    kind = _kind_of(question, asked, kinds, bool(relation or kinds))
    return Asked(kind, question, asked, names, kinds, relation, senses)


def _kind_of(question: str, asked: frozenset[str], kinds: frozenset[str], says: bool) -> str:
    """The kind of a question; none where anything may answer it."""
    who = _ASKS_WHO.search(question) is not None
    asks = who or not asked.isdisjoint(word_list("question_words"))
    if asks_yes_or_no(question):
        return "verdict"
    if _ALTERNATIVES.search(question) or not asks:
        return ""
    if not says and not (who and " the " in question) and ({"who", "what"} & asked or "about" in asked):
        return ""  # "Who was Ada Lovelace?"
    measure = phrases("measure_asked").search(question) is not None
    places = word_list("place_kinds", "named_kinds") | {"continent", "region", "island"}
    holds = {
        "cause": _ASKS_CAUSE.search(question) is not None,
        "time": _ASKS_TIME.search(question) is not None,
        "form": not _ASKS_FORM.isdisjoint(asked - kinds) and "how" not in asked,
        "amount": measure,
        "person": who or bool(kinds & (word_list("proper_kinds") - word_list("place_kinds"))),
        "place": "where" in asked,
        "region": "capital" in asked or bool(kinds & places),
        "way": "how" in asked,
        "leader": _LEADING.search(question) is not None and len(asked) <= 14,
    }
    return next((kind for kind, held in holds.items() if held), "thing")


class Reply:
    """A sentence of a reply beside what was asked: what is its subject, and what it says beyond the question."""

    def __init__(self, sentence: "Span", asked: Asked) -> None:
        """Find the subject of a sentence; where the parser missed its verb, the words before it are."""
        self.asked = asked
        self.text = sentence.text
        self.tokens = [token for token in sentence if not (token.is_punct or token.is_space)]
        self.said = frozenset(words(self.text))
        self.root = sentence.root
        self.finite = [token for token in self.tokens if token.tag_ in FINITE]
        self.head, self.subject = self._find_subject()
        self.named = [plain(token.lower_) for token in self.subject if plain(token.lower_) not in _EMPTY]
        self.rest = [plain(token.lower_) for token in self.tokens if token not in self.subject]
        self.digits = in_digits(self.text)

    def _find_subject(self) -> "tuple[Token | None, list[Token]]":
        subjects = [token for token in self.tokens if token.dep_ in SUBJECTS]
        main = [token for token in subjects if token.head == self.root or token.head in self.root.conjuncts]
        missed = next((one for one in self.tokens if one.tag_ == "NNS" and one.dep_ == "compound"), None)
        before = [token for token in self.tokens if self.finite and token.i < self.finite[0].i]
        if head := next(iter((*main, *subjects)), None):
            return head, [token for token in head.subtree if not token.is_punct]
        if before and before[-1].pos_ in ("NOUN", "PROPN"):
            return before[-1], before
        if self.finite or not self.tokens:
            return None, []
        head = missed or self._first
        return head, [token for token in self.tokens if token.i <= head.i]

    @property
    def is_phrase(self) -> bool:
        """Whether it has no verb: a name, a reason, a place."""
        missed = any(
            token.dep_ in SUBJECTS or (token.tag_ == "NNS" and token.dep_ == "compound")
            for token in self.tokens
        )
        opens = len(self.tokens) > 3 and self.text.rstrip().endswith(".")
        known = _like(plain(self._first.lower_), self.asked.words - _EMPTY)
        return not (self.finite or missed or (opens and known))

    @property
    def _first(self) -> "Token":
        """The first word that says something."""
        return next((token for token in self.tokens if plain(token.lower_) not in _EMPTY), self.tokens[0])

    @property
    def is_elliptic(self) -> bool:
        """Whether it says who did what was asked, and no more: "Vivaldi did."."""
        ends = self.finite and self.finite[-1] == self.tokens[-1]
        return bool(ends) and len(self.tokens) <= 3 and not self.on_topic

    @cached_property
    def on_topic(self) -> bool:
        """Whether its subject is what the question names."""
        return bool(self.named) and all(_like(word, self.asked.words) for word in self.named)

    @cached_property
    def in_other_words(self) -> bool:
        """Whether it has a word of the sense of one that was asked."""
        said = f" {' '.join(words(self.text))} "
        return any(f" {one} " in said for one in self.asked.senses)

    @cached_property
    def says_again(self) -> bool:
        """Whether it says something of what was asked of its subject."""
        subject = [token.lower_ for token in self.subject]
        left = [word for word in self.asked.relation if not _like(word, subject)]
        if not left:
            return self.in_other_words or not self.asked.kinds or self.says(self.asked.kinds)
        return self.in_other_words or any(_like(word, self.rest) for word in left)

    def says(self, terms: Iterable[str]) -> bool:
        """Return whether it has one of some words, but for its ending."""
        return any(_like(term, self.said) for term in terms)

    @cached_property
    def new_names(self) -> "list[Token]":
        """The names that the question does not have."""
        return [token for token in self.tokens if self.is_new_name(token)]

    def is_new_name(self, token: "Token") -> bool:
        """Return whether a token is of a name that the question does not have."""
        capital = token.text[0].isupper() and (token.i > self.tokens[0].i or token.pos_ == "PROPN")
        word = plain(token.lower_)
        return capital and token.pos_ != "ADJ" and word not in _EMPTY and not _like(word, self.asked.words)

    @property
    def says_nothing(self) -> bool:
        """Whether it has no word that the question does not have: "Tunisia is the capital city"."""
        terms = words(self.text)
        known = IDLE_WORDS | self.asked.words
        twice = any(
            terms.count(word) > 1 for word in self.asked.words - _EMPTY
        )  # "Djibouti is the capital of Djibouti."
        return known.issuperset(terms) and not twice and not self.is_pronoun

    @property
    def opens_with_name(self) -> bool:
        """Whether its subject is a new name."""
        return any(token in self.subject for token in self.new_names)

    @property
    def points(self) -> bool:
        """Whether a word points at what was asked: "Apple brought *it* out"."""
        return not _POINTING.isdisjoint(self.said)

    @property
    def is_pronoun(self) -> bool:
        """Whether its subject is a pronoun."""
        return self.head is not None and not self.named

    @property
    def is_copular(self) -> bool:
        """Whether it says what something is."""
        return self.root.lower_ in ("is", "are", "was", "were")

    @cached_property
    def classes(self) -> bool:
        """Whether it says of which class or how something is: "is a metal", "are expensive"."""
        attributes = [
            token for token in self.tokens if token.head == self.root and token.dep_ in ("attr", "acomp")
        ]
        indefinite = (child.lower_ in ("a", "an") for token in attributes for child in token.lefts)
        how = (token.dep_ == "acomp" and token.text.islower() for token in attributes)  # "It is Abéché."
        return self.is_copular and (any(how) or any(indefinite))

    @property
    def names_asked(self) -> bool:
        """Whether it says what that which was asked for is: "The last county is Riverside"."""
        if self.head is None or not self.is_copular or self.classes or not self.on_topic:
            return False
        definite = any(child.lower_ == "the" for child in self.head.children)
        attribute = any(child.dep_ == "attr" for child in self.root.children)
        return definite and attribute and _like(plain(self.head.lower_), self.asked.words - self.asked.names)

    @property
    def is_of_all(self) -> bool:
        """Whether it speaks of all of a kind of which one was asked for: "Planets orbit the Sun"."""
        kinds = self.asked.kinds
        plural = [
            token
            for token in self.tokens
            if token.tag_ in ("NNS", "NNPS") and _like(plain(token.lower_), kinds)
        ]
        if self.head is None or _LEADING.search(self.text):
            return False
        word = plain(self.head.lower_)
        if self.head.lower_ == "there":
            return bool(plural)
        if self.subject[0].lower_ in ("all", "each", "every"):
            return _like(word, kinds)
        bare = not any(
            child.dep_ == "poss" or child.lower_ in ("the", "these") for child in self.head.children
        )
        others = (
            one for one in self.named if not (_like(one, self.asked.words) or is_number(in_digits(one)))
        )
        return (
            self.head in plural
            and word not in kinds
            and bare
            and {*others} <= {"thousand", "million", "about"}
        )

    @cached_property
    def is_of_another(self) -> bool:
        """Whether it says what was asked of something that the question does not name: "Mexico's capital is"."""
        if not self.opens_with_name or not self.asked.names or self.says(self.asked.names):
            return False
        others = (token for token in self.new_names if token not in self.subject)
        told = any(not self.says_again or token.dep_ == "dobj" for token in others)
        return told and not self.points and not self.in_other_words

    @cached_property
    def is_of_other_topic(self) -> bool:
        """Whether it says what was asked of another thing: "The symbol of silver is Ag", "Mexico's capital is"."""
        relation = self.asked.relation | ({"capital"} & self.asked.words)
        if self.says(self.asked.names):
            return False
        known = self.asked.words - _EMPTY
        for token in self.tokens:
            if not _like(plain(token.head.lower_), relation):
                continue
            if token.dep_ == "poss" and token.pos_ == "PROPN" and not _like(plain(token.lower_), known):
                return True
            capital = token.lower_ == "of" and token.head.lower_ == "capital"
            if capital or (token.lower_ in ("of", "for") and token.head in self.subject):
                speech = ("NOUN", "PROPN") if self.asked.kind == "form" else ("PROPN",)
                things = (child for child in token.children if child.dep_ == "pobj" and child.pos_ in speech)
                if any(not any(_like(plain(one.lower_), known) for one in thing.subtree) for thing in things):
                    return True
        return False

    @cached_property
    def owners(self) -> "list[Token]":
        """Whose its subject is, where that is nothing that was asked: Chile, of "the area of Chile"."""
        if self.head is None or self.head.pos_ != "NOUN" or _like(plain(self.head.lower_), self.asked.words):
            return []
        owners = [child for child in self.head.children if child.dep_ == "poss" and child.pos_ != "PRON"]
        return owners + [
            one for child in self.head.children if child.lower_ == "of" for one in child.children
        ]

    @property
    def is_of_other_trait(self) -> bool:
        """Whether it says something else of what the question names."""
        known = self.asked.words - _EMPTY
        return not self.says_again and any(_like(plain(one.lower_), known) for one in self.owners)

    @property
    def is_elsewhere(self) -> bool:
        """Whether it says something of what the question does not name, and nothing of what it names."""
        new = any(self.is_new_name(one) for one in self.owners)
        return new and not (self.points or self.in_other_words or self.says(self.asked.words - _EMPTY))


def _preposition(token: "Token") -> "Token | None":
    """The preposition before a name."""
    for _ in range(5):
        if token.dep_ == "pobj":
            return token.head
        if token.dep_ not in ("compound", "conj", "appos", "nmod", "poss", "amod", "nummod"):
            return None
        token = token.head
    return None


def _lacks_time(reply: Reply) -> bool:
    asked = reply.asked
    if not (phrases("time").search(_COUNTED.sub("", reply.digits)) or _MONTH.search(reply.text)):
        return True
    others = reply.opens_with_name and asked.names and not reply.says(asked.names)
    if others and reply.says_again and not (reply.points or reply.in_other_words):
        return True  # "The Lusitania sank in 1915."
    return reply.on_topic and not reply.says_again


def _lacks_amount(reply: Reply) -> bool:
    digits = _ORDINAL.sub("", reply.digits)
    known = [word for word in reply.asked.words if is_number(word)]
    for number in known:
        digits = re.sub(rf"\b{re.escape(number)}\b", "", digits)
    if not phrases("amount").search(digits):
        return True
    return (
        (reply.on_topic or reply.is_of_other_trait)
        and not reply.says_again
        and not _fits(digits, reply.asked)
    )


def _fits(digits: str, asked: Asked) -> bool:
    """Whether a number is of what was counted, or in a unit of what was measured."""
    for number, unit in _AMOUNT.findall(digits):
        bare = not unit or unit.lower() in _EMPTY
        if _YEAR.fullmatch(number) and (bare or _like(unit.lower(), ("in",))):
            continue
        if bare or _like(unit.lower(), asked.words):
            return True
        dimensions = (one.replace("_", " ").split("=") for one in word_list("dimensions"))
        if any(_like(unit.lower(), group) and not asked.words.isdisjoint(group) for group in dimensions):
            return True
    return False


def _lacks_person(reply: Reply) -> bool:
    said = _NO_PERSON.sub("", reply.text)
    persons = [token for token in reply.new_names if token.text in said and _is_person(token, reply)]
    if persons:
        return reply.is_of_another
    if "by" in reply.said:
        return False
    others = reply.named and not any(_like(word, reply.asked.words) for word in reply.named)
    return not (others and (reply.says_again or reply.points))  # "Senators stabbed him."


def _is_person(token: "Token", reply: Reply) -> bool:
    """Whether a name stands where somebody does something, not where a place or what a work is about stands."""
    before = _preposition(token)
    if token.dep_ == "poss" and token.head.lower_ in _MADE_BY:
        return True  # "one of Handel's works"
    if before is None or before.lower_ in reply.asked.words or before.lower_ not in _BESIDE_PERSON:
        return True
    return before.lower_ == "of" and (before.head.lower_ in _MADE_BY or reply.is_pronoun)


def _lacks_place(reply: Reply) -> bool:
    prepositions = [
        token
        for token in reply.tokens
        if token.dep_ == "prep" and phrases("place").search(f"{token.lower_} it")
    ]
    placed = [
        token
        for token in prepositions
        if (token.head.pos_ != "ADJ" or any(map(reply.is_new_name, token.children)))
        and not any(phrases("time").search(child.lower_) for child in token.children)
    ]
    native = "native" in reply.said or not {"here", "there", "north", "south", "east", "west"}.isdisjoint(
        reply.said
    )
    named = reply.is_pronoun and reply.is_copular and reply.new_names  # "It is Bogotá."
    if not placed and not native and not named and not (reply.opens_with_name and reply.points):
        return True
    there = any(_preposition(token) for token in reply.new_names) or reply.is_copular
    return reply.on_topic and not reply.says_again and not there and "located" not in reply.said


def _lacks_region(reply: Reply) -> bool:
    asked = reply.asked
    leads = _LEADING.search(asked.text) is not None
    if leads:
        return not (_leads(reply) or (reply.is_copular and not reply.classes)) or reply.is_of_all
    if reply.says_again and reply.is_copular and not reply.classes and "capital" in asked.words:
        return False
    if reply.is_of_another:
        return True
    if "country" in asked.words and names_country(reply.text, asked.text):
        return False
    large = word_list("containers") if asked.words.isdisjoint(("continent", "ocean", "sea")) else frozenset()
    names = [token for token in reply.new_names if plain(token.lower_) not in large]
    peoples = [token for token in reply.tokens if _is_people(token, reply, large)]
    if not names and not peoples:
        return not (reply.is_pronoun and reply.is_copular and not reply.classes)
    if reply.is_of_all or (
        "capital" in asked.words
        and not reply.says_again
        and (reply.classes or _COMPARED.search(reply.text) or _LEADING.search(reply.text))
    ):
        return True
    if reply.on_topic and not reply.says_again:
        waters = not word_list("named_kinds").isdisjoint(asked.kinds)
        at = (
            ("on", "along", "by", "through", "at")
            if waters
            else ("in", "at", "near", "to", "from", "by", "of", "on")
        )
        told = (
            token.dep_ == "attr" or ((one := _preposition(token)) is not None and one.lower_ in at)
            for token in names
        )
        return not (peoples or any(told) or "banks" in reply.said)
    if reply.opens_with_name and not (reply.says_again or reply.points):
        told = any(map(is_number, words(reply.digits))) or any(
            token not in reply.subject for token in reply.new_names
        )
        return not (told or any(_like(word, reply.rest) for word in asked.names | asked.kinds))
    return False


def _is_people(token: "Token", reply: Reply, large: Collection[str]) -> bool:
    """Whether a word is of a people, where its country was asked for: "a Polish composer"."""
    of_people = token.pos_ == "ADJ" and token.text[0].isupper() and case_of(token.text) != "small"
    known = _like(plain(token.lower_), (*reply.asked.words, *large))
    return (
        of_people
        and not known
        and not reply.asked.words.isdisjoint(("country", "nation", "continent", "nationality"))
    )


def _leads(reply: Reply) -> bool:
    """Whether it says that something leads others, or by how much."""
    text = reply.text if _BEHIND.search(reply.asked.text) else _BEHIND.sub("", reply.text)
    told = _LEADING.search(text) or _COMPARED.search(text) or reply.is_pronoun
    numbers = (word for word in words(reply.digits) if is_number(word) and word not in reply.asked.words)
    scales = re.search(r"\b(?:half|quarter|[mb]illions|percent)\b", reply.text)
    return bool(told) or (not reply.on_topic and not reply.is_of_all and (any(numbers) or scales is not None))


def _lacks_leader(reply: Reply) -> bool:
    told = reply.is_copular and not reply.classes and not reply.on_topic
    return reply.is_of_all or not (_leads(reply) or told)


def _lacks_cause(reply: Reply) -> bool:
    causal = word_list("causal") - {"light"} - (set() if reply.classes else {"of"})
    told = not causal.isdisjoint(reply.said - reply.asked.words)
    states = reply.root.lower_ in _STATES or reply.classes or _HARMS.search(reply.text) is not None
    return reply.on_topic and not told and states


def _lacks_form(reply: Reply) -> bool:
    symbols = (
        (token.text.isupper() and len(token.text) <= 5) or (token.text[0].isupper() and len(token.text) <= 2)
        for token in reply.tokens[1:]
        if not _like(token.lower_, reply.asked.words)
    )
    told = _MEANS.search(reply.text) and not reply.classes
    if any(symbols) or reply.in_other_words or told or _spells(reply):
        return False
    return (
        reply.on_topic or reply.opens_with_name or reply.classes or reply.is_of_other_trait
    ) and not reply.says(_ASKS_FORM & reply.asked.words)


def _spells(reply: Reply) -> bool:
    """Whether its words begin as an abbreviation in the question does: "the World Health Organization"."""
    initials = "".join(word[0] for word in words(reply.text, written=True)).lower()
    short = (word for word in words(reply.asked.text, written=True) if len(word) > 1 and word.isupper())
    return any(word.lower() in initials for word in short)


def _lacks_verdict(reply: Reply) -> bool:
    return reply.on_topic and not reply.says_again


def _lacks_way(reply: Reply) -> bool:
    works = not {"work", "works", "function"}.isdisjoint(reply.asked.words)
    return reply.on_topic and not (reply.says_again or works or _WAYS.search(reply.text))


def _lacks_thing(reply: Reply) -> bool:
    if "difference" in reply.asked.words:
        both = len([word for word in reply.asked.words - _EMPTY if word in reply.said]) > 1
        passive = any(token.dep_ == "auxpass" for token in reply.tokens)
        return reply.on_topic and not both and (reply.is_copular or passive)
    other = reply.is_of_all or reply.is_of_another or reply.is_of_other_trait
    return other or (reply.on_topic and not reply.says_again)


_RULES: dict[str, Callable[[Reply], bool]] = {
    "amount": _lacks_amount,
    "cause": _lacks_cause,
    "form": _lacks_form,
    "leader": _lacks_leader,
    "person": _lacks_person,
    "place": _lacks_place,
    "region": _lacks_region,
    "thing": _lacks_thing,
    "time": _lacks_time,
    "verdict": _lacks_verdict,
    "way": _lacks_way,
}


def may_be_beside(text: str, question: str, choices: Sequence[str] = ()) -> bool:
    """Return whether a reply may be true and still no answer: who doubts its sentence may deny what is so.

    All its sentences must be beside the question. What asks back and what admits not to know is none. Nothing is beside
    a question that yes or no answers, or what something is.

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
    asked = asked_of(in_full(question.rpartition("\nQuestion: ")[2]))
    text = answer_line(text)
    if not asked.kind or states_choice(text) or picked(text, question, choices) or corrected(text) != text:
        return False
    claims = [one for one in parse(text).sents if not (one.text.strip().endswith("?") or _admits(one.text))]
    return bool(claims) and all(_is_beside(Reply(one, asked)) for one in claims)


def _admits(text: str) -> bool:
    """Whether a sentence admits not to know, or that the background does not tell."""
    return abstains(text) or (is_denial(text) and _TOLD.search(text) is not None)


def _is_beside(reply: Reply) -> bool:
    """Whether a sentence is no answer."""
    if not reply.tokens or reply.is_phrase or reply.is_elliptic:
        return False
    head = reply.head
    if head is None and reply.root.tag_ == "VB":
        return False  # "Open the billing tab."
    if head is not None and head.lower_ in ("you", "we", "i", "answer", "question"):
        return False
    if reply.is_elsewhere or (reply.says_nothing and not reply.names_asked):
        return True
    of = reply.asked.kind in ("form", "thing", "amount", "time") or "capital" in reply.asked.words
    return (of and reply.is_of_other_topic) or (not reply.names_asked and _RULES[reply.asked.kind](reply))
