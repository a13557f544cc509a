"""A short sentence of another language is never hedged; foreign names within English are no reason to pass.

The sentences were written for this file before the model was made (data/languages.csv). It was chosen with the half
``development`` alone.
"""

from pathlib import Path

import pandas as pd
import pytest

from ralc.english import unread
from ralc.rewriting.doors import Reason, skip_reason
from tests.cases import cases
from tests.harm import as_it_comes

SENTENCES = pd.read_csv(Path(__file__).parent / "data/languages.csv")
#: What has capitals alone may be a name, what is no sentence a term; some words are of English, too.
MAY_BE_NAMES = {
    "Cevap B.",
    "De Maas stroomt door Maastricht.",
    "Era Leonardo da Vinci.",
    "Odpowiedź to B.",
    "Petőfi Sándor volt.",
    "Vastaus on 9.",
    "Złoto to metal.",
    "Clique em Configurações.",
    "Kliknij Ustawienia.",
    "tres días laborables",
}
#: Most of it is a title, or no word of it is English alone.
TAKEN_FOR_FOREIGN = {
    "Gabriel García Márquez wrote Cien años de soledad.",
    "Ivrea, near Torino.",
    "Jean-Luc Godard directed Pierrot le fou.",
    "Niels Bohr met Einstein.",
}


@pytest.mark.parametrize("half", ["development", "held out"])
def test_sentences_of_other_languages_are_not_hedged(half):
    others = SENTENCES[(SENTENCES["language"] != "en") & (SENTENCES["half"] == half)]
    assert len(others) > 100
    assert others["language"].nunique() >= 10
    assert {text for text in others["text"] if not unread(text)} <= MAY_BE_NAMES
    made = as_it_comes().rewrite(others["text"].tolist(), [0.35] * len(others))
    assert {one.original for one in made if one.changed} <= MAY_BE_NAMES


def test_english_with_foreign_names_is_hedged():
    texts = SENTENCES.loc[SENTENCES["language"] == "en", "text"].tolist()
    assert len(texts) > 60
    assert {text for text in texts if unread(text)} <= TAKEN_FOR_FOREIGN
    made = as_it_comes().rewrite(texts, [0.35] * len(texts))
    assert {one.original for one in made if not one.changed} <= TAKEN_FOR_FOREIGN


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Der Testzeitraum beträgt 14 Tage.",
            "Bitte wenden Sie sich an den Support.",
            "Goethe schrieb den Faust.",
        ),
        *("die Testphase dauert 14 Tage", "ihre Rechnung finden Sie unter Einstellungen"),
    ],
)
def test_support_replies_in_german_are_not_english(text):
    assert unread(text) == "it is not in English"
    assert unread(f"{text}\n\n{text}") == "it is not in English"


@cases
def test_few_words_tell_the_language(english, other):
    assert unread(english) == ""
    assert unread(other) == "it is not in English"


def test_a_question_settles_the_language_of_a_few_words():
    assert unread("Yazar Orhan Pamuk.", "Kar'ın yazarı kim?") == "it is not in English"
    assert unread("The author is Pamuk.", "Kar'ın yazarı kim?") == ""
    assert unread("Orhan Pamuk.", "Who is the author of Kar?") == ""


@pytest.mark.parametrize("text", ["Kitap masada.", "Katten sover.", "Oggi piove.", "Babam evde."])
def test_two_words_that_nobody_asked_for_are_no_english(text):
    assert skip_reason(text) is Reason.OTHER_LANGUAGE
    assert skip_reason("Homo sapiens.") is skip_reason("Carpe diem.", "What is a motto?") is Reason.NONE


def test_a_title_within_english_is_no_other_language():
    assert unread("The composer of Die Zauberflöte was Mozart, and its words are by Schikaneder.") == ""
    assert unread("Dar es Salaam") == ""
    assert unread("Osama bin Laden") == ""
    assert unread("In my view, so.") == ""
    assert unread("D. cis-trans isomers.") == ""
