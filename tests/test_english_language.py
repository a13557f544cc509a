"""A short sentence of another language is never hedged; foreign names within English are no reason to pass.

The sentences were written for this file before the model was made (data/languages.csv). It was chosen with the half
``development`` alone.
"""

from pathlib import Path

import pandas as pd
import pytest

from ralc.english import unread
from ralc.rewriting.doors import Reason, skip_reason
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


@pytest.mark.parametrize(
    ("english", "other"),
    [
        ("Eine kleine Nachtmusik is by Haydn.", "Eine kleine Nachtmusik ist von Haydn."),
        ("Bedřich Smetana was Czech.", "Bedřich Smetana var tsjekkisk."),
        ("Gdańsk is in Poland.", "Gdańsk jest w Polsce."),
        ("A just war theory of Aquinas.", "Bach war in Leipzig."),
        ("14 July 1789.", "14 juillet 1789."),
        ("London's mayor spoke.", "Ankara'da doğdu."),
        ("The Loire crosses Nantes.", "La Loire traverse Nantes."),
        ("Gabriela Mistral wrote Los sonetos de la muerte.", "Ella escribió Los sonetos de la muerte."),
        ("Sydney O'Dea won.", "Başkent Ankara'dır."),
        ("Kenya Moore sings.", "Penulisnya Pramoedya Toer."),
        ("Volver stars Penélope Cruz.", "Volver présente Penélope Cruz."),
        ("I suspect so.", "Stolica Francji to Paryż."),
        ("Le Figaro won a prize.", "Le chat part demain."),
        ("Ajax won the cup.", "Wij won de beker."),
        ("Hetty won twice.", "Hij won de Ronde."),
        ("Stonehenge in England.", "Hertig Karl dog i Lund."),
        ("De Morgan was English.", "De man is arts."),
        ("De facto rule ended.", "De winter was warm."),
        ("Kraków to Gdańsk by train.", "Kraków to stare miasto."),
        ("Håkan plays for Malmö.", "Håkan spelar för Malmö."),
        ("Škoda builds cars.", "Non ho fame."),
        ("Maria is a nurse.", "Maria are un frate."),
        ("On Monday.", "On part demain."),
        ("Salade niçoise.", "Kot śpi."),
        ("Carpe diem.", "Kedi uyuyor."),
        ("Las Meninas hangs in Madrid.", "Het was koud in maart."),
        ("Roger Bannister, on May 6, 1954.", "Roger Bannister, op 6 mei 1954."),
        ("Amerigo da Firenze, in 1499.", "Ana este actor in Sibiu."),
        ("False. It was Tesla.", "Water is warm in juli."),
        ("Pão de queijo comes from Brazil.", "Pão de queijo vem do Brasil."),
        ("Cien años de soledad appeared in 1967.", "Cien años de soledad salió en 1967."),
        ("Côte d'Ivoire exports cocoa.", "La Côte d'Ivoire exporte du cacao."),
        ("Ich bin ein Berliner was said by Kennedy.", "Ich bin ein Berliner, sagte Kennedy."),
        ("Meteor Crater in Arizona.", "Sông Hồng chảy qua Hà Nội."),
    ],
)
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
