"""Grades by comparison with the accepted and the known wrong answers, without a model."""

import re
from collections.abc import Iterator, Sequence

from ralc.english.answer_meaning import asks_yes_or_no, lone_verdict, meaning, polarity, same_answer
from ralc.english.claims import (
    Claim,
    added_words,
    aligned,
    claimed,
    committed,
    corrected,
    has_verb,
    key_words,
    of_another,
    relates,
    without_asides,
)
from ralc.english.names import EXACT_LENGTH, adjectives, also_called, is_slip, lettered, named
from ralc.english.negation import UNGIVEN, UNTOLD, abstains, affirmed_and_denied, clauses
from ralc.english.normalisation import (
    LONGEST,
    NAMING_WORDS,
    alike,
    in_digits,
    in_full,
    is_name,
    normalise,
    plain,
    sentences,
    tokens,
    words,
)
from ralc.english.wordlists import phrases, word_list
from ralc.registry import CORRECT, INCORRECT, NOT_ATTEMPTED, UNPARSED

#: Words that name no one place, person or thing.
_SAYS_NOTHING = word_list("function_words", "hedge_words", "placing_words", "containers", "says_nothing")
#: Words of a short answer, and of a sentence, whatever it is.
_SHORT, _SENTENCE = 2, 7
#: Ways to ask for one thing.
_SYNONYMS = [word_list(f"asked_of_{kind}") for kind in ("people", "places", "times", "sizes")]
#: Words of the denial itself, and function words that say what is missing.
_DENIAL_WORDS, _PLACES = word_list("denial_words"), frozenset({"where", "when", "why", "who"})


def reference_grade(
    text: str,
    question: str,
    *,
    accepted: Sequence[str],
    wrong: Sequence[str] = (),
    choices: Sequence[str] = (),
    correct_choice: int | None = None,
    answerable: bool = True,
) -> str:
    """Return the grade of an answer by comparison, without a model.

    Where a text ends in a line that says its answer ("ANSWER: B", "The answer is (B).", a box), that line decides. An
    answer is CORRECT when its answering clauses affirm an accepted answer of what was asked and no other. Others are a
    known wrong one, another choice, an alternative of its own. To deny the accepted answer, or to name several, is
    INCORRECT. Where nothing is named it is what means the same (`ralc.english.same_answer`). What is about something
    else than was asked, or only admits not to know, is NOT_ATTEMPTED. An unanswerable question is answered by saying
    that the background does not say what was asked. Where nothing decides, the grade is ``unparsed``. Such are an
    accepted answer said of something that the question does not name, and a denial of mostly what was asked. So are
    other words than those of accepted answers that are sentences, without choices.

    >>> reference_grade("I think it might be Paris.", "What is the capital of France?", accepted=["Paris"])
    'CORRECT'
    """
    question = question.rpartition("\nQuestion: ")[2]
    text = answer_line(text)
    text = text if "I" in {*accepted, *wrong} else in_full(text)
    if not answerable:
        return _grade_unanswerable(text, question, wrong)
    polar = {lone_verdict(name) for name in accepted} - {None}
    if polar and not choices:
        query = question if asks_yes_or_no(question) else f"{question} True or false?"
        if len(polar) == 1 and (side := polarity(text, query)) is not None:
            return _right(side in polar)
        accepted = [name for name in accepted if lone_verdict(name) is None]
        if not accepted:
            return NOT_ATTEMPTED
    numeric = bool(accepted) and all(map(_has_number, accepted))
    rivals = [choice for place, choice in enumerate(choices) if place != correct_choice]
    rivals = rivals or [name for name in wrong if not numeric or _has_number(name)]
    right = [*accepted, *([] if correct_choice is None else [choices[correct_choice]])]
    letter, rest = lettered(corrected(text), len(choices))
    claim = claimed(rest, question)
    if letter is None and len(normalise(text)) > EXACT_LENGTH and normalise(text) in map(normalise, right):
        return CORRECT
    if letter is None and claim is not None:
        letter, _ = lettered(claim.affirmed, len(choices))
    if letter is not None:
        alone = claim is None or not named(claim.affirmed, rivals)
        return _right(letter == correct_choice and alone)
    # An answer in words of its own is none of several choices, but may well be what a sentence accepted says.
    own_words = not choices and _are_sentences(right)
    right += other_names(rest, question, right, rivals)
    graded = _grade_committed(rest, question, right, rivals)
    if graded is not None or claim is None:
        return graded or NOT_ATTEMPTED
    return _grade_claim(claim, question, right, rivals, own_words)


def answer_line(text: str) -> str:
    """Return what a text says to be its answer in a line behind others; the whole text where it has no such line."""
    tail = text[-LONGEST:]
    lines = phrases("boxed").findall(tail)
    if not lines and ("\n" in text.strip() or len(text) > LONGEST):
        lines = phrases("answer_line").findall(tail)
    return lines[-1] if lines and words(lines[-1]) else text


def _right(right: bool) -> str:
    return CORRECT if right else INCORRECT


def other_names(text: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> list[str]:
    """Return what else stands for right answers in a text: last names, slips, other names of countries."""
    query = set(words(question))
    who = not query.isdisjoint({"who", "whom", "whose"})
    people = [tokens(name)[-1] for name in right if who and _by_last_name(name, text)]
    slips = misspelt(in_digits(text), [*right, *people], excluded=[*wrong, question])
    national = [people_of for name in right for people_of in adjectives(name)] if "country" in query else []
    return [*people, *slips, *national, *(other for name in right for other in also_called(name))]


def _by_last_name(person: str, text: str) -> bool:
    """Whether somebody of two or three names is meant by the last; not where a text has another first name."""
    names = tokens(person)
    if not (2 <= len(names) <= 3 and names[0][0].isupper() and names[-1][0].isupper() and len(names[-1]) > 2):
        return False
    before = map(plain, re.findall(rf"\b([A-Z][\w'’-]+) {re.escape(names[-1])}\b", text))
    return NAMING_WORDS.union(word_list("titles"), map(plain, names)).issuperset(before)


def misspelt(text: str, names: Sequence[str], excluded: Sequence[str] = ()) -> Iterator[str]:
    """Yield the words of a text that are one of some names but for a slip of the pen; not of those `excluded`."""
    terms = tokens(text)
    exact = {tuple(words(name)) for name in (*excluded, *names)}
    for name in names:
        meant = words(name)
        for start in range(len(terms) - len(meant) + 1 if meant else 0):
            written = terms[start : start + len(meant)]
            word = tuple(map(plain, written))
            if word not in exact and all(a == b or is_slip(a, b) for a, b in zip(word, meant, strict=True)):
                yield " ".join(written)


def _has_number(name: str) -> bool:
    return any(map(str.isdigit, in_digits(name)))


def _are_sentences(right: Sequence[str]) -> bool:
    """Whether the accepted answers are sentences: one in other words cannot be told from a wrong one."""
    lengths = [(len(words(name)), name) for name in right]
    whole = sum(count >= _SENTENCE or (count > _SHORT + 1 and has_verb(name)) for count, name in lengths)
    return 2 * whole > len(right)


def _grade_committed(text: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> str | None:
    """Grade by the known answers in the clauses that align best; None where they do not decide."""
    claims = "".join(mark + part for part, mark in clauses(text) if not (words(part) and abstains(part)))
    affirmed = in_digits(affirmed_and_denied(claims)[0])
    parts = aligned(affirmed, question, [*right, *wrong])
    kept = {place < len(right) for place in committed(parts)}
    mentioned = {place < len(right) for clause in parts for place in clause.names}
    if mentioned == {True}:
        naming = (sentence for sentence in sentences(affirmed) if named(sentence, right))
        of_asked = any(not of_another(sentence, question, right) for sentence in naming)
        return CORRECT if kept and of_asked and not _names_several(affirmed, question, right, wrong) else None
    return _right(True in kept) if len(mentioned) == 2 and len(kept) == 1 else None


def _grade_claim(
    claim: Claim, question: str, right: Sequence[str], wrong: Sequence[str], own_words: bool
) -> str:
    """Grade what an answer claims; `own_words`: a right one may be said in other words altogether."""
    affirmed = in_digits(claim.affirmed)
    ids, rivals = _named_apart(affirmed, right, wrong)
    # A choice of some length is not said by chance, whatever the sentence is about.
    short = all(len(words(right[place])) <= _SHORT for place in ids)
    if not claim.on_topic and (short or not ids):
        return NOT_ATTEMPTED
    if ids:
        if _names_several(affirmed, question, right, wrong):
            return INCORRECT
        return UNPARSED if short and of_another(affirmed, question, right) else CORRECT
    if rivals or named(claim.denied, right):
        return INCORRECT
    if (graded := _grade_meant(affirmed, question, right, wrong)) is not None:
        return graded
    if own_words:
        return UNPARSED
    return INCORRECT if _is_answer(affirmed, question, right) else NOT_ATTEMPTED


def _named_apart(text: str, right: Sequence[str], wrong: Sequence[str]) -> tuple[set[int], set[int]]:
    """Which right and which wrong answers a text names; one within another that stands there is not named."""
    both = named(text, [*right, *wrong])
    return {place for place in both if place < len(right)}, {place for place in both if place >= len(right)}


def _names_several(affirmed: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> bool:
    """Whether a text that names a right answer names another beside it, or gives it as an alternative."""
    bare = without_asides(affirmed)
    if not named(bare, right):
        bare = affirmed  # its brackets are no aside: "(3^(1/2))mc"
    parts = phrases("alternative").split(bare)
    naming = [bool(named(part, right)) for part in parts]
    other = any(added_words(part, question) for part, names in zip(parts, naming, strict=True) if not names)
    return bool(_named_apart(bare, right, wrong)[1]) or (any(naming) and other)


def _grade_meant(affirmed: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> str | None:
    """Grade an answer in words of its own by what means the same; None where nothing does.

    Names must be the same; one that stands there in full was looked for, and refused: "New York City" is not New York.
    """
    form, bare = meaning(affirmed, question), normalise(affirmed)
    if form.kind == "polar":
        return UNPARSED if any(meaning(name, question).kind == "polar" for name in right) else None
    if form.kind != "answer":
        added, *rest = ([plain(word) for word in added_words(name, question)] for name in (affirmed, *right))
        return CORRECT if added and added in rest else None
    means_right, means_wrong = (
        {
            same_answer(affirmed, name, question)
            for name in names
            if meaning(name, question).names == form.names and normalise(name) not in bare
        }
        for names in (right, wrong)
    )
    if ("yes" in means_right) != ("yes" in means_wrong):
        return _right("yes" in means_right)
    return UNPARSED if {"yes", "unsure"} & means_right else None


def _is_answer(affirmed: str, question: str, right: Sequence[str] = ()) -> bool:
    """Whether a claim is an answer to a question, however wrong.

    None is what names nothing where names are asked for, or only what holds many ("in West Africa"). A thing said to be
    itself ("the capital of Chad is Chad") is one.
    """
    if not affirmed or not relates(affirmed, question):
        return False
    terms, empty = words(affirmed), {*_SAYS_NOTHING, *words(question)}
    added = [word for word in tokens(affirmed) if plain(word) not in empty]
    if not added:
        itself = 1 if {"it", "its"} & set(terms) else 2
        return any(terms.count(key) >= itself for key in key_words(question))
    names = right and all(name[:1].isupper() and len(name) > EXACT_LENGTH for name in right)
    return not (names and has_verb(affirmed) and not any(map(is_name, added)))


def _grade_unanswerable(text: str, question: str, wrong: Sequence[str]) -> str:
    """Grade an answer to a question that the background leaves open."""
    kept = [part for part in sentences(corrected(text)) if words(part) and not part.endswith("?")]
    denied = [denying_clauses(part) for part in kept]
    if any(some and denies_asked(part, question) for part, some in zip(kept, denied, strict=True)):
        beside = {part for sentence in kept for part, _ in clauses(sentence)}.difference(*denied)
        return _right(not any(named(part, wrong) or phrases("guess_beside").search(part) for part in beside))
    claim = None if denied and denied[0] else claimed(text, question)
    answered = claim is not None and claim.on_topic and _is_answer(claim.affirmed, question)
    return INCORRECT if answered else NOT_ATTEMPTED


def denying_clauses(text: str) -> list[str]:
    """Return the clauses of a text that say that something is missing ("but not its population")."""
    kinds = (UNTOLD, UNGIVEN, phrases("not_beside"))
    return [part for part, _ in clauses(text) if any(kind.search(part) for kind in kinds)]


def denies_asked(text: str, question: str) -> bool:
    """Return whether what a denial says is missing is what was asked, or nothing in particular.

    Each of its clauses that denies something is looked at by itself.
    """
    query = set(words(question))
    topic = query.union(*(group for group in _SYNONYMS if group & query))
    missing = map(_missing, denying_clauses(text))
    return not all(any(not any(alike(word, key) for key in topic) for word in some) for some in missing)


def _missing(clause: str) -> set[str]:
    """Return the words for what a clause says is missing."""
    rest = (word for word in words(clause) if word not in _DENIAL_WORDS and not word.endswith("ly"))
    return {word for word in rest if word in _PLACES or word not in NAMING_WORDS}
