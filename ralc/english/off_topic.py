"""Whether a true reply is no answer to its question, so that a doubt of its sentence would deny what is so.

What is asked for must be in the reply: somebody, a time, an amount, a place, what leads others. A reply whose subject
is what the question names must say again, in whatever words, something of what was asked of it. Each kind of question
has a rule of its own (`_RULES`). The words are compared without a parse, and their roles are read in the parse.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ralc.english.answers.choices import picked
from ralc.english.answers.claims import corrected
from ralc.english.answers.meaning import asks_yes_or_no
from ralc.english.answers.names import names_country
from ralc.english.choice_letters import names_listed, states_choice
from ralc.english.hedges.main_clause import is_negative
from ralc.english.hedges.parse import BE, FINITE, SUBJECTS, parse
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
    r"\b(?:which|what) (?!(?:is|was|are|were|do|does|did|causes?|caused|happen(?:s|ed))\b)((?:[a-z]\w* )?\w+)",
    re.IGNORECASE,
)
#: What leads others, and what says so of something in other words; a place behind the first.
_LEADING = re.compile(
    r"\b(?:(?i:(?<!by )most(?! of\b)|least|best|worst)|(?!(?:for|inter|requ|prot|gu|har|conqu)est)[a-z]{3,}est)\b"
)
_COMPARED = re.compile(
    r"\b(?:more|less|record|tops?|exceeds?|leads?|led|ahead|beats?|overt(?:akes?|ook)|unrivalled|than|all others|first"
    r"|out(?:weigh|number|rank|run)\w*|covers|(?:bigg|larg|tall|long|fast|old|high|deep|small|heavi)er)\b",
    re.IGNORECASE,
)
#: What anything may answer: "Which is older, A or B?", "What happens next?", "How is it compared to Rome?".
_OPEN = re.compile(r"\b(?:which|who|what)\b.* or |\bwhat (?:\w+ly )?happen|\bhow\b.* compare", re.IGNORECASE)
_ASKS_TIME = re.compile(
    r"^\W*when\b(?! .*,)|\bwhen (?:did|does|do|is|was|were|will|can)\b|\bdeadline\b|\bdate of\b"
    r"|\bcheck-?(?:in|out) time\b|\b(?:what|which) (?:year|day|date|month|century|decade|time)\b",
    re.IGNORECASE,
)
_ASKS_CAUSE = re.compile(r"\bwhy\b|\bwhat (?:causes?|caused)\b|\bcause of\b", re.IGNORECASE)
_ASKS_FORM = frozenset({"symbol", "formula", "stand", "stands", "opposite", "plural", "abbreviation"})
_ASKS_WHO = re.compile(r"(?<![a-z] )\b[Ww]ho(?:m|se)?\b|\b(?:by|for|from|of|to|with) who")
#: An office that is no name, though in capitals: "the CEO of Apple", "Apple's CEO".
_OFFICE = re.compile(r"\bthe ([A-Z]{2,}) of\b|['’]s ([A-Z]{2,})\b")
#: What a background may do with an answer.
_TOLD = re.compile(r"\b(?:gives?|given|known|mention(?:s|ed)?|names?|says?|stated?)\b")
#: The symbol of an element, a formula of a substance, an abbreviation.
_SYMBOL = re.compile(r"[A-Z][a-z]?|[A-Z](?=\w*[A-Z\d])\w*")
#: What counts things is no time: "nine cars", "756,950".
_COUNTED = re.compile(
    r"\b\d{1,3} (?!(?:year|month|week|day|hour|minute|second|centur|decade)|ago)[a-z]{3,}\b|\b\d[\d.,]*,\d{3}\b"
)
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
_MADE_BY = frozenset({"work", "works", "pen", "hand", "idea", "invention", "creation", "one"})
_BESIDE_PERSON = frozenset(
    {"from", "in", "at", "near", "on", "about", "against", "after", "during", "for", "of"}
)
#: What stands before a place.
_PLACING = frozenset({"in", "at", "on", "near", "from", "by", "through"})
_ALONG = frozenset({"on", "along", "by", "through", "at"})
#: Words that ask nothing.
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
def _senses() -> list[tuple[str, tuple[str, ...]]]:
    """Each word that has others of its sense, and these."""
    groups = [tuple(one.replace("_", " ") for one in group.split("=")) for group in word_list("senses")]
    return [(one, group) for group in groups for one in group]


@lru_cache(maxsize=5_000)
def _same(one: str, other: str) -> bool:
    """Whether two words are one but for their endings."""
    stems = {word.removesuffix("ies").removesuffix("y") for word in (one, other)}
    return alike(one, other) or alike(other, one) or len(stems) == 1


def _like(word: str, terms: Iterable[str]) -> bool:
    return any(word[:1] == term[:1] and _same(word, term) for term in terms)


@lru_cache(maxsize=1000)
def asked_of(question: str) -> Asked:
    """Return what a question asks."""
    asked = frozenset(words(question))
    kinds = frozenset(words(" ".join(_WHICH.findall(question)))) - _EMPTY
    written = words(question, written=True)
    offices = {plain(one) for pair in _OFFICE.findall(question) for one in pair}
    names = frozenset(plain(word) for word in written[1:] if word[0].isupper()) - offices
    relation = asked - _EMPTY - names - kinds - word_list("question_words")
    query = f" {' '.join(words(question))} "
    told = relation | kinds
    firsts = {one[:1] for one in told}
    near = (
        one for one in _senses() if f" {one[0]} " in query or (one[0][:1] in firsts and _like(one[0], told))
    )
    meant = {group for _, group in near}
    senses = frozenset(one for group in meant for one in group if not _like(one, asked))
    kind = _kind_of(question, asked, kinds, bool(relation or kinds))
    return Asked(kind, question, asked, names, kinds, relation, senses)


def _kind_of(question: str, asked: frozenset[str], kinds: frozenset[str], says: bool) -> str:
    """The kind of a question; none where anything may answer it."""
    who = _ASKS_WHO.search(question) is not None
    if asks_yes_or_no(question):
        return "verdict"
    if _OPEN.search(question) or asked.isdisjoint(word_list("question_words")):
        return ""
    if not says and not asked.isdisjoint(("who", "what")):
        return ""  # "Who was Ada Lovelace?"
    measure = phrases("measure_asked").search(question) is not None
    places = word_list("place_kinds", "named_kinds") | {"continent", "region", "island"}
    holds = {
        "cause": _ASKS_CAUSE.search(question) is not None,
        "time": _ASKS_TIME.search(question) is not None,
        "form": not _ASKS_FORM.isdisjoint(asked - kinds),
        "amount": measure,
        "language": not kinds.isdisjoint(("language", "languages")),
        "person": who or bool(kinds & (word_list("proper_kinds") - word_list("place_kinds"))),
        "place": "where" in asked,
        "region": "capital" in asked or bool(kinds & places),
        "way": "how" in asked,
        "leader": _LEADING.search(question) is not None,
    }
    return next((kind for kind, held in holds.items() if held), "thing")


class Reply:
    """A sentence of a reply beside what was asked: what is its subject, and what it says beyond the question."""

    def __init__(self, sentence: "Span", asked: Asked) -> None:
        """Find the subject of a sentence; where the parser missed its verb, the words before it are."""
        self.asked = asked
        self.text = sentence.text
        self.tokens = [token for token in sentence if not token.is_punct]
        self.said = frozenset(words(self.text))
        self.root = sentence.root
        self.finite = [token for token in self.tokens if token.tag_ in FINITE]
        self.head, self.subject = self._find_subject()
        self.named = [plain(token.lower_) for token in self.subject if plain(token.lower_) not in _EMPTY]
        self.told = [token for token in self.tokens if token not in self.subject]
        self.rest = [plain(token.lower_) for token in self.told]
        self.digits = in_digits(self.text)

    def _find_subject(self) -> "tuple[Token, list[Token]]":
        subjects = [token for token in self.tokens if token.dep_ in SUBJECTS]
        main = [token for token in subjects if token.head == self.root]
        if head := next(iter((*main, *subjects)), None):
            return head, [token for token in head.subtree if not token.is_punct]
        return self._first, [token for token in self.tokens if token.i <= self._first.i]

    @property
    def is_phrase(self) -> bool:
        """Whether it has no verb of its own: a name, a reason, a place."""
        missed = any(token.tag_ == "NNS" and token.dep_ == "compound" for token in self.tokens)
        return not (self.finite or missed or self.head.dep_ in SUBJECTS)

    @property
    def points_back(self) -> bool:
        """Whether "it" is what was asked of, or it is a condition alone: "The clerk has it.", "If it rains."."""
        opening = self.tokens[0]
        if opening.head == self.root and (opening.dep_ == "mark" or opening.tag_ == "WRB"):
            return True
        return any(one.dep_ == "dobj" and one.tag_ == "PRP" for one in self.tokens)

    @property
    def _first(self) -> "Token":
        """The first word that says something."""
        return next((token for token in self.tokens if plain(token.lower_) not in _EMPTY), self.tokens[0])

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
        # "Djibouti is the capital of Djibouti."
        twice = any(terms.count(word) > 1 for word in self.asked.words - _EMPTY)
        idle = known.issuperset(terms) and self.asked.kind != "verdict"
        return idle and not twice

    @property
    def opens_with_name(self) -> bool:
        """Whether its subject is a new name."""
        return any(token in self.subject for token in self.new_names)

    @property
    def is_pronoun(self) -> bool:
        """Whether its subject is a pronoun."""
        return not self.named

    @property
    def is_copular(self) -> bool:
        """Whether it says what something is."""
        return self.root.lower_ in BE

    @cached_property
    def classes(self) -> bool:
        """Whether it says of which class something is: "is a metal"."""
        attributes = ([token, *token.lefts] for token in self.root.children if token.dep_ == "attr")
        return any(
            one.lower_ in ("a", "an") or (one.tag_ == "NNS" and len(words) == 1)
            for words in attributes
            for one in words
        )

    @property
    def names_asked(self) -> bool:
        """Whether it says what that which was asked for is: "The last county is Riverside"."""
        common = self.on_topic and self.head.pos_ == "NOUN" and not self.classes
        return common and any(child.dep_ == "attr" for child in self.root.children)

    @property
    def denies(self) -> bool:
        """Whether it denies what was supposed, or leaves it open: "Dragons do not exist.", "It depends."."""
        none = is_negative(self.root)
        whole = self.root.lower_ in ("exist", "happened")
        return none and (whole or (self.says_again and not self.classes))

    @property
    def tells_beside(self) -> bool:
        """Whether it tells something new of what the question names, and nothing of what was asked."""
        return self.on_topic and not self.says_again and any(map(self.is_new, self.told))

    def is_new(self, token: "Token") -> bool:
        """Whether a word is a name, a number, a place or a class that was not asked, or what is done to something."""
        if _like(plain(token.lower_), self.asked.words):
            return False
        asked = self.asked
        # "Fish lay eggs.", but not "Onions release a gas that irritates the eyes."
        acts = asked.kind in ("cause", "way") and sum(one.tag_.startswith("VB") for one in self.tokens) < 2
        one_of_kind = acts or (bool(asked.kinds) and not self.says(asked.kinds))
        return (
            token.pos_ in ("PROPN", "NUM")
            or (token.dep_ == "pobj" and _preposition(token).lower_ in _PLACING)
            or (token.dep_ == "attr" and self.classes)
            or (token.dep_ == "dobj" and one_of_kind)
        )

    @property
    def is_of_all(self) -> bool:
        """Whether it speaks of all of a kind of which one was asked for: "Planets orbit the Sun"."""
        several = self.head.tag_ in ("NNS", "NNPS") and not self.says_again
        several = several or self.subject[0].lower_ in ("all", "each", "every")
        return several and _like(plain(self.head.lower_), self.asked.kinds | (_ASKS_FORM & self.asked.words))

    @cached_property
    def is_of_another(self) -> bool:
        """Whether it says what was asked of something that the question does not name: "Mexico's capital is"."""
        if not self.opens_with_name or self.says(self.asked.names):
            return False
        others = (token for token in self.new_names if token not in self.subject)
        told = any(self.is_copular or (self.says_again and token.dep_ == "dobj") for token in others)
        return told and not self.in_other_words

    @cached_property
    def is_of_other_topic(self) -> bool:
        """Whether it says what was asked of another thing: "The symbol of silver is Ag", "Mexico's capital is"."""
        if self.says(self.asked.names) or self.subject[0].tag_ == "PRP$":  # "Your flight to Oslo"
            return False
        speech = ("NOUN", "PROPN") if self.asked.kind == "form" else ("PROPN",)
        for token in self.tokens:
            of = token.dep_ == "prep" and _like(plain(token.head.lower_), self.asked.relation)
            if of and (token.head in self.subject or token.head.lower_ == "capital"):
                things = (child for child in token.children if child.pos_ in speech)
                known = self.asked.words - _EMPTY
                if any(not any(_like(plain(one.lower_), known) for one in thing.subtree) for thing in things):
                    return True
        return False

    @cached_property
    def owners(self) -> "list[Token]":
        """Whose its subject is, where that is nothing that was asked: Chile, of "the area of Chile"."""
        if _like(plain(self.head.lower_), self.asked.words):
            return []
        owners = [child for child in self.head.children if child.dep_ == "poss"]
        return owners + [
            one for child in self.head.children if child.lower_ == "of" for one in child.children
        ]

    @property
    def is_of_other_trait(self) -> bool:
        """Whether it says something else of what the question names."""
        new = self.is_copular and any(map(self.is_new, self.told))
        return new and any(_like(plain(one.lower_), self.asked.words) for one in self.owners)

    @property
    def is_elsewhere(self) -> bool:
        """Whether it says what something is that the question does not name, and nothing of what it names."""
        new = self.is_copular and any(map(self.is_new_name, self.owners))
        return new and not self.says(self.asked.words - _EMPTY)


def _preposition(token: "Token") -> "Token | None":
    """The preposition before a name."""
    for _ in range(5):
        if token.dep_ == "pobj":
            return token.head
        token = token.head
    return None


def _lacks_time(reply: Reply) -> bool:
    if not phrases("time").search(_COUNTED.sub("", reply.digits)):
        return True
    return reply.on_topic and not reply.says_again


def _lacks_amount(reply: Reply) -> bool:
    if not phrases("amount").search(reply.digits):
        return True
    named = reply.on_topic or reply.is_of_other_trait
    return named and not reply.says_again and not _fits(reply.digits, reply.asked)


def _fits(digits: str, asked: Asked) -> bool:
    """Whether a number is of what was counted, or in a unit of what was measured."""
    for number, unit in _AMOUNT.findall(digits):
        if (not unit or unit in IDLE_WORDS) and not _YEAR.fullmatch(number):
            return True
        dimensions = (one.replace("_", " ").split("=") for one in word_list("dimensions"))
        if any(_like(unit.lower(), group) and not asked.words.isdisjoint(group) for group in dimensions):
            return True
    return False


def _lacks_person(reply: Reply) -> bool:
    said = _NO_PERSON.sub("", reply.text)
    persons = [token for token in reply.new_names if token.text in said and _is_person(token, reply)]
    if persons:
        # "Microsoft makes Windows."
        made = all(token.dep_ == "dobj" for token in persons)
        return reply.is_of_another or (made and reply.on_topic and not reply.says_again)
    if "by" in reply.said:
        return False
    others = reply.named and not any(_like(word, reply.asked.words) for word in reply.named)
    return not others  # "Senators stabbed him."


def _is_person(token: "Token", reply: Reply) -> bool:
    """Whether a name stands where somebody does something, not where a place or what a work is about stands."""
    before = _preposition(token)
    if before is None or before.lower_ in reply.asked.words or before.lower_ not in _BESIDE_PERSON:
        return True
    return before.head.lower_ in _MADE_BY


def _lacks_place(reply: Reply) -> bool:
    placed = any(
        token.dep_ == "prep"
        and phrases("place").search(f"{token.lower_} it")
        and token.head.pos_ != "ADJ"
        and (token.lower_ != "to" or token.head.pos_ == "VERB")  # "home to many fish"
        and not any(phrases("time").search(child.lower_) for child in token.children)
        for token in reply.tokens
    )
    # "It is Bogotá.", "Mvezo was his birthplace."
    named = reply.is_copular and reply.new_names and (reply.is_pronoun or reply.opens_with_name)
    if not placed and not named:
        return not (reply.on_topic and reply.in_other_words)
    # "Camels store fat in their humps."
    return reply.on_topic and not reply.says_again


def _lacks_way(reply: Reply) -> bool:
    return reply.tells_beside and word_list("manner").isdisjoint(reply.said)


def _lacks_language(reply: Reply) -> bool:
    """Whether it names no language: "Peru grows potatoes."."""
    names = (token for token in reply.tokens if token.text[0].isupper() and case_of(token.text) != "small")
    known = reply.asked.words | word_list("containers") - {"latin"}
    return all(_like(plain(one.lower_), known) for one in names)


def _lacks_region(reply: Reply) -> bool:
    asked = reply.asked
    if _LEADING.search(asked.text):
        return _lacks_leader(reply)
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
        return True
    ranked = reply.classes or _LEADING.search(reply.text)
    if "capital" in asked.words and not reply.says_again and ranked:
        return True
    if reply.on_topic and not reply.says_again:
        waters = not word_list("named_kinds").isdisjoint(asked.kinds)
        at = _ALONG if waters else (*_PLACING, "to", "of")
        told = (
            token.dep_ == "attr" or ((one := _preposition(token)) is not None and one.lower_ in at)
            for token in names
        )
        return not (peoples or any(told) or "banks" in reply.said)
    return False


def _is_people(token: "Token", reply: Reply, large: Collection[str]) -> bool:
    """Whether a word is of a people, where its country was asked for: "a Polish composer"."""
    of_people = token.pos_ == "ADJ" and token.text[0].isupper() and case_of(token.text) != "small"
    return of_people and not _like(plain(token.lower_), (*reply.asked.words, *large))


def _leads(reply: Reply) -> bool:
    """Whether it says that something leads others, or by how much."""
    known = reply.asked.words | reply.asked.senses
    told = any(_like(one.lower(), known) for one in _LEADING.findall(reply.text)) or _COMPARED.search(
        reply.text
    )
    return bool(told) or any(map(is_number, words(reply.digits)))


def _lacks_leader(reply: Reply) -> bool:
    told = reply.is_copular and not (reply.classes or reply.on_topic or _LEADING.search(reply.text))
    return not (_leads(reply) or told)


def _lacks_cause(reply: Reply) -> bool:
    causal = word_list("causal") - {"light", "from"} - (set() if reply.classes else {"of"})
    return reply.tells_beside and causal.isdisjoint(reply.said)


def _lacks_form(reply: Reply) -> bool:
    symbols = (one for one in reply.tokens[1:] if not _like(one.lower_, reply.asked.words))
    if any(_SYMBOL.fullmatch(one.text) for one in symbols):
        return False
    told = reply.says(_ASKS_FORM & reply.asked.words)
    return (reply.on_topic or reply.classes) and not (told or reply.in_other_words)


def _lacks_verdict(reply: Reply) -> bool:
    question = parse(reply.asked.text)
    verb = next(question.sents).root
    asks_class = question[0].lower_ in BE and reply.classes  # "Is glass a liquid?"
    if reply.on_topic and not _like(plain(verb.lower_), reply.named):
        return reply.tells_beside and not asks_class
    # Of coffee, that it contains the caffeine of which something was asked.
    asked = {plain(one.lower_) for token in question if token.dep_ in SUBJECTS for one in token.subtree}
    left = reply.asked.relation - asked
    behind = any(_like(word, reply.rest) for word in asked - _EMPTY)
    return behind and not reply.says(left)


def _lacks_thing(reply: Reply) -> bool:
    other = reply.is_of_another or reply.is_of_other_trait
    return other or reply.tells_beside


_RULES: dict[str, Callable[[Reply], bool]] = {
    "amount": _lacks_amount,
    "cause": _lacks_cause,
    "form": _lacks_form,
    "language": _lacks_language,
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
    chooses = states_choice(text) or names_listed(text, question) or picked(text, question, choices)
    if not asked.kind or chooses or corrected(text) != text:
        return False
    said = [one for one in parse(text).sents if any(map(str.isalnum, one.text))]
    claims = [one for one in said if not (one.text.strip().endswith("?") or _admits(one.text))]
    return bool(claims) and all(_is_beside(Reply(one, asked)) for one in claims)


def _admits(text: str) -> bool:
    """Whether a sentence admits not to know, or that the background does not tell."""
    return abstains(text) or (is_denial(text) and _TOLD.search(text) is not None)


def _is_beside(reply: Reply) -> bool:
    """Whether a sentence is no answer."""
    # "It sells bread."
    needed = reply.asked.kind in ("amount", "language", "place", "time") and reply.tokens[0].tag_ == "PRP"
    if reply.is_pronoun and not needed and not any(map(reply.is_new, reply.told)):
        return False
    if (
        reply.is_phrase
        or reply.points_back
        or reply.names_asked
        or reply.denies
        or reply.head.lower_ in ("you", "we", "i", "answer", "question")
    ):
        return False
    return (
        reply.is_elsewhere
        or reply.is_of_all
        or reply.says_nothing
        or reply.is_of_other_topic
        or _RULES[reply.asked.kind](reply)
    )
