"""Grades by comparison with the accepted and the known wrong answers, without a model."""

import re
from collections.abc import Iterable, Sequence

from ralc.english.answer_meaning import asks_yes_or_no, meaning, polarity, said_alone, same_answer
from ralc.english.claims import (
    CONTAINERS,
    Claim,
    added_words,
    aligned,
    alternatives,
    answer_line,
    claimed,
    committed,
    corrected,
    has_verb,
    key_words,
    of_another,
    relates,
    without_asides,
)
from ralc.english.names import EXACT_LENGTH, lettered, named, other_names
from ralc.english.negation import abstains, affirmed_and_denied, clauses, denies_asked, denying_clauses
from ralc.english.normalisation import (
    IDLE_WORDS,
    in_full,
    is_name,
    normalise,
    plain,
    sentences,
    set_of,
    tokens,
    words,
)
from ralc.english.quantities import in_digits
from ralc.registry import CORRECT, INCORRECT, NOT_ATTEMPTED, UNPARSED

#: Two names joined.
_AND = re.compile(r"([A-Z][\w'’.-]*),? (?:and|&) (?:the )?(?!I\b)([A-Z][\w'’.-]*)")
#: A guess at a name or number, beside the admission that the background does not say.
_GUESS = re.compile(
    r"\b(?i:guess|estimate|probably|perhaps|maybe|say|think|suppose)\b\W+(?:[a-z]+\W+){0,4}?[\dA-Z]"
)
#: Words that name no one place, person or thing.
_SAYS_NOTHING = IDLE_WORDS | CONTAINERS | set_of("true false incorrect wrong possible question yes")
#: Words of a short answer, and of a sentence, whatever it is.
_SHORT, _SENTENCE = 2, 7


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
    answer is CORRECT when the clauses that answer affirm an accepted answer of what was asked and no other (a known
    wrong one, another choice, an alternative of its own); to deny the accepted answer, or to name several, is
    INCORRECT. Where nothing is named it is what means the same (`ralc.english.same_answer`). What is about something
    else than was asked, or only admits not to know, is NOT_ATTEMPTED. An unanswerable question is answered by saying
    that the background does not say what was asked. Where nothing decides, the grade is ``unparsed``: an accepted
    answer said of something that the question does not name, a denial of mostly what was asked, or other words than
    those of accepted answers that are sentences, without choices.

    >>> reference_grade("I think it might be Paris.", "What is the capital of France?", accepted=["Paris"])
    'CORRECT'
    """
    question = question.rpartition("\nQuestion: ")[2]
    text = answer_line(text)
    text = text if "I" in {*accepted, *wrong} else in_full(text)
    if not answerable:
        return _grade_unanswerable(text, question, wrong)
    if not choices and any(said_alone(name) is not None for name in accepted):
        if (graded := _grade_polar(text, question, accepted)) is not None:
            return graded
        accepted = [name for name in accepted if said_alone(name) is None]
        if not accepted:
            return NOT_ATTEMPTED
    others = [choice for place, choice in enumerate(choices) if place != correct_choice]
    others = others or _of_kind(wrong, accepted)
    return _grade_open(text, question, accepted, others, choices, correct_choice)


def _grade_polar(text: str, question: str, accepted: Sequence[str]) -> str | None:
    """Return the grade by yes or no, where the right answer is one of them; None where the text says neither."""
    right = {said_alone(name) for name in accepted} - {None}
    if len(right) > 1:
        return None
    said = polarity(text, question if asks_yes_or_no(question) else f"{question} True or false?")
    return None if said is None else _right(said in right)


def _of_kind(wrong: Sequence[str], accepted: Sequence[str]) -> list[str]:
    """Return the wrong answers that can stand in a right one's place: none without a number where all right have one.

    >>> _of_kind(["Africa/Lagos", "2.1 million"], ["1.6 million"])
    ['2.1 million']
    """
    numeric = bool(accepted) and all(any(map(str.isdigit, in_digits(name))) for name in accepted)
    return [name for name in wrong if not numeric or any(map(str.isdigit, in_digits(name)))]


def _grade_open(
    text: str,
    question: str,
    accepted: Sequence[str],
    others: Sequence[str],
    choices: Sequence[str],
    correct_choice: int | None,
) -> str:
    """Return the grade of an answer that is neither yes nor no, by letter, wording or claim."""
    right = [*accepted, *([] if correct_choice is None else [choices[correct_choice]])]
    letter, rest = lettered(corrected(text), len(choices))
    claim = claimed(rest, question)
    if letter is None and _is_verbatim(text, right):
        return CORRECT
    if letter is None and claim is not None:
        letter, _ = lettered(claim.affirmed, len(choices))
    if letter is not None:
        alone = claim is None or not named(claim.affirmed, others)
        return _right(letter == correct_choice and alone)
    # An answer in words of its own is none of several choices, but may well be what a sentence accepted says.
    own_words = not choices and _are_sentences(right)
    right = [*right, *other_names(rest, question, right, others)]
    graded = _grade_committed(rest, question, right, others)
    if graded is not None or claim is None:
        return graded or NOT_ATTEMPTED
    return _grade_claim(claim, question, right, others, own_words)


def _is_verbatim(text: str, right: Sequence[str]) -> bool:
    """Return whether a text is a right answer, but for its writing; too short ones are told otherwise."""
    return len(normalise(text)) > EXACT_LENGTH and normalise(text) in map(normalise, right)


def _are_sentences(right: Sequence[str]) -> bool:
    """Return whether the accepted answers are sentences: one in other words cannot be told from a wrong one."""
    whole = [
        len(words(name)) >= _SENTENCE or (len(words(name)) > _SHORT + 1 and has_verb(name)) for name in right
    ]
    return 2 * sum(whole) > len(whole)


def _grade_committed(text: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> str | None:
    """Return the grade by the known answers in the clauses that align best; None where they do not decide."""
    told = "".join(mark + part for part, mark in clauses(text) if not (words(part) and abstains(part)))
    affirmed = in_digits(affirmed_and_denied(told)[0])
    found = aligned(affirmed, question, [*right, *wrong])
    kept = committed(found)
    sides = {0 <= place < len(right) for place in kept}
    mentioned = {0 <= place < len(right) for clause in found for place in clause.names}
    if mentioned == {True}:
        alone = _answers_question(affirmed, question, right) and not _names_several(
            affirmed, question, right, wrong
        )
        return CORRECT if sides and alone else None
    if len(mentioned) < 2 or not sides:
        return None
    return None if len(sides) > 1 else _right(True in sides)


def _answers_question(affirmed: str, question: str, right: Sequence[str]) -> bool:
    """Return whether a sentence with a right answer says it of what was asked."""
    naming = (sentence for sentence in sentences(affirmed) if named(sentence, right))
    return any(not of_another(sentence, question, right) for sentence in naming)


def _grade_claim(
    claim: Claim, question: str, right: Sequence[str], wrong: Sequence[str], own_words: bool
) -> str:
    """Return the grade of what an answer claims; `own_words`: a right one may be said in other words altogether."""
    affirmed = in_digits(claim.affirmed)
    found, others = _named_apart(affirmed, right, wrong)
    if found:
        return _grade_named(claim, affirmed, found, question, right, wrong)
    if others and claim.on_topic:
        return INCORRECT
    if not claim.on_topic:
        return NOT_ATTEMPTED
    if named(claim.denied, right):
        return INCORRECT
    if (graded := _grade_meant(affirmed, question, right, wrong)) is not None:
        return graded
    if own_words:
        return UNPARSED
    return INCORRECT if _is_answer(affirmed, question, right) else NOT_ATTEMPTED


def _right(right: bool) -> str:
    return CORRECT if right else INCORRECT


def _grade_named(
    claim: Claim,
    affirmed: str,
    found: Iterable[int],
    question: str,
    right: Sequence[str],
    wrong: Sequence[str],
) -> str:
    """Return the grade of a claim that names right answers, those at the places `found`."""
    # A choice of some length is not said by chance, whatever the sentence is about.
    short = all(len(words(right[place])) <= _SHORT for place in found)
    if short and not claim.on_topic:
        return NOT_ATTEMPTED
    if _names_several(affirmed, question, right, wrong):
        return INCORRECT
    return UNPARSED if short and of_another(affirmed, question, right) else CORRECT


def _named_apart(text: str, right: Sequence[str], wrong: Sequence[str]) -> tuple[set[int], set[int]]:
    """Return which right and which wrong answers a text names; one within another that stands there is not named."""
    both = named(text, [*right, *wrong])
    return {place for place in both if place < len(right)}, {place for place in both if place >= len(right)}


def _names_several(affirmed: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> bool:
    """Return whether a text that names a right answer names another beside it."""
    bare = without_asides(affirmed)
    if not _named_apart(bare, right, wrong)[0]:
        bare = affirmed  # its brackets are no aside: "(3^(1/2))mc"
    if _named_apart(bare, right, wrong)[1]:
        return True
    known, asked = set(words(" ".join(right))), set(words(question))
    for pair in _AND.finditer(bare):
        one, other = ({plain(name)} <= known for name in pair.groups())
        if one != other and not {plain(name) for name in pair.groups()} & asked:
            return True
    parts = list(alternatives(bare))
    return any(named(part, right) for part in parts) and any(
        not named(part, right) and added_words(part, question) for part in parts
    )


def _grade_meant(affirmed: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> str | None:
    """Return the grade of an answer in words of its own by what means the same; None where nothing does.

    Names must be the same; one that stands there in full was looked for, and refused: "New York City" is not New York.
    """
    added, said, bare = _added(affirmed, question), meaning(affirmed, question), normalise(affirmed)
    if said.kind != "answer":
        polar = said.kind == "polar" and any(meaning(name, question).kind == "polar" for name in right)
        same = added and said.kind != "polar" and added in [_added(name, question) for name in right]
        return UNPARSED if polar else CORRECT if same else None
    verdicts = [
        {
            same_answer(affirmed, name, question)
            for name in names
            if meaning(name, question).names == said.names and normalise(name) not in bare
        }
        for names in (right, wrong)
    ]
    means_right, means_wrong = ("yes" in found for found in verdicts)
    if means_right != means_wrong:
        return _right(means_right)
    return UNPARSED if {"yes", "unsure"} & verdicts[0] else None


def _added(text: str, question: str) -> list[str]:
    """Return the words that a text adds to a question, but for numbers."""
    return [plain(word) for word in added_words(text, question) if word.isalpha()]


def _is_answer(affirmed: str, question: str, right: Sequence[str] = ()) -> bool:
    """Return whether a claim is an answer to a question, however wrong.

    None is what names nothing where names are asked for, or only what holds many ("in West Africa"). A thing said to be
    itself ("the capital of Chad is Chad") is one.

    >>> [_is_answer(text, "What is the capital of Chad?", ["Ndjamena"]) for text in ("Paris", "It is in West Africa")]
    [True, False]
    """
    if not affirmed or not relates(affirmed, question):
        return False
    said, asked = words(affirmed), {*_SAYS_NOTHING, *words(question)}
    added = [word for word in tokens(affirmed) if plain(word) not in asked]
    if tokens(affirmed)[-1:] == ["I"] and any(len(name) <= EXACT_LENGTH for name in right):
        return True
    if not added:
        itself = 1 if {"it", "its"} & set(said) else 2
        return any(said.count(key) >= itself for key in key_words(question))
    names = right and all(name[:1].isupper() and len(name) > EXACT_LENGTH for name in right)
    return not (names and has_verb(affirmed) and not any(map(is_name, added)))


def _grade_unanswerable(text: str, question: str, wrong: Sequence[str]) -> str:
    """Return the grade of an answer to a question that the background leaves open."""
    told = [part for part in sentences(corrected(text)) if words(part) and not part.endswith("?")]
    asked = [denies_asked(part, question) if denying_clauses(part) else False for part in told]
    if True in asked:
        denied = {part for sentence in told for part in denying_clauses(sentence)}
        beside = [part for sentence in told for part, _ in clauses(sentence) if part not in denied]
        return _right(not any(named(part, wrong) or _GUESS.search(part) for part in beside))
    if told and denying_clauses(told[0]):
        return NOT_ATTEMPTED
    claim = claimed(text, question)
    answered = claim is not None and claim.on_topic and _is_answer(claim.affirmed, question)
    return INCORRECT if answered else NOT_ATTEMPTED
