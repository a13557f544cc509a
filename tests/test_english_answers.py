"""What an answer is made of: words, sentences, numbers, names, denials, the line that answers, yes or no."""

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc import data
from ralc.clustering import lexical_clusters
from ralc.english import (
    match_answer,
    may_be_beside,
    negation,
    normalisation,
    orders_writing,
    same_answer,
    wordlists,
)
from ralc.english.answers import choices, claims, meaning, names
from tests.cases import cases

DATA = Path(__file__).parent / "data"
TEXT = st.text(max_size=60)


def phrase(row: dict[str, str]) -> str:
    """The pattern of a row of ``answer_phrases.csv``, with the phrases that it names."""
    return re.sub(r"<(\w+)>", lambda other: f"(?:{wordlists.phrases(other[1]).pattern})", row["pattern"])


@pytest.mark.parametrize(
    "row", data.rows("answer_phrases.csv"), ids=lambda row: f"{row['kind']}: {row['example']}"
)
def test_a_pattern_is_found_in_its_example(row):
    assert row["example"].strip()
    assert re.search(phrase(row), row["example"], re.IGNORECASE)


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a table of cases."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _picked(text: str, known: str) -> str:
    """The places of the choices that an answer picks."""
    places = choices.picked(text, "Which is the largest planet?", known.split("|"))
    return " ".join(map(str, sorted(places)))


def _choice(text: str, choices: tuple[str, ...]) -> meaning.Meaning:
    """What an answer claims, where that is one of several choices."""
    claim = meaning.meaning(text, "", choices)
    return claim if claim.kind == "choice" else meaning.Meaning("none")


#: What is said of a text, and of what stands beside it, as in the table.
FUNCTIONS = {
    "words": lambda text, _: " ".join(normalisation.words(text)),
    "first_sentence": lambda text, _: normalisation.first_sentence(text),
    "cut_off": lambda text, _: normalisation.first_sentence(text, cut=True),
    "sentences": lambda text, _: "|".join(normalisation.sentences(text)),
    "denies_background": lambda text, _: negation.denies_background(text) and negation.abstains(text),
    "abstains": lambda text, _: negation.abstains(text),
    "denies_asked": lambda text, asked: match_answer(text, asked, None) == "right",
    "negation": lambda text, name: " ".join(str(name in one) for one in negation.affirmed_and_denied(text)),
    "in_digits": lambda text, _: normalisation.in_digits(text),
    "misspelt": lambda text, name: any(names.misspelt(text, [name])),
    "named": lambda text, known: "".join(map(str, names.named(text, known.split("|")))),
    "picked": _picked,
    "chosen": lambda text, choices: "".join(_choice(text, tuple(choices.split("|"))).words),
    "clusters": lambda text, asked: " ".join(map(str, lexical_clusters(text.split("|"), asked))),
    "answer_line": lambda text, _: normalisation.answer_line(text),
    "orders_writing": lambda text, _: orders_writing(text),
    "asks_yes_or_no": lambda text, _: meaning.asks_yes_or_no(text),
}


@pytest.mark.parametrize("of", FUNCTIONS)
def test_what_is_read_in_an_answer(of: str) -> None:
    cases = [row for row in rows("english_answers.csv") if row["of"] == of]
    found = {row["text"]: str(FUNCTIONS[of](row["text"], row["beside"])) for row in cases}
    assert found == {row["text"]: row["expected"] for row in cases}


def test_what_an_answer_says_of_yes_or_no() -> None:
    """As many as when the table was read last: a sentence is compared by its words."""
    says = {"yes": True, "no": False, "": None}
    known = rows("yes_no_own.csv")
    assert sum(meaning.polarity(row["answer"], row["question"]) is says[row["says"]] for row in known) >= 51


@given(TEXT, TEXT, st.sampled_from(["What is the capital of Kenya?", "", "?", "Is", "Is it", "Is Rome?"]))
def test_any_texts_are_read(one: str, other: str, question: str) -> None:
    assert same_answer(one, one, question) != "no"
    assert same_answer(one, other, question) == same_answer(other, one, question)
    assert claims.claimed(one, question) is None or one
    assert names.named(one, [other, question]) <= {0, 1}
    assert normalisation.first_sentence(one, cut=True) in " ".join(one.split())
    assert negation.abstains(one) or normalisation.words(one)
    assert all(normalisation.sentences(one))


def test_replies_that_answer_something_else() -> None:
    """What is true of a country, an element or a city is no answer to what was asked about it."""
    wrong = []
    for row in rows("nonresponsive.csv"):
        known = row["choices"].split("|") if row["choices"] else []
        found = may_be_beside(row["reply"], row["question"], known)
        wrong += [row] if found != (row["nonresponsive"] == "1") else []
    assert wrong == []


@cases
def test_a_reply_may_be_true_and_no_answer(question, reply, beside):
    assert may_be_beside(reply, question) == beside


def test_answers_that_mean_the_same() -> None:
    wrong = []
    for row in rows("same_answers.csv"):
        choices = row["choices"].split("|") if row["choices"] else []
        found = same_answer(row["one"], row["other"], row["question"], choices)
        wrong += [(found, row)] if found == ("no" if row["same"] == "1" else "yes") else []
    assert wrong == []
