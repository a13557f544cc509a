"""To which of several answers a text commits itself."""

import pytest

from ralc import grading
from ralc.names import CORRECT, INCORRECT, NOT_ATTEMPTED, UNPARSED

#: Question, accepted answer, known wrong one.
BORN = ("In which city was Bach born?", "Eisenach", "Leipzig")
DIED = ("Where did Bach die?", "Leipzig", "Eisenach")
ENDED = ("When did World War II end?", "1945", "1939")
ORGAN = ("What is the largest organ in humans?", "skin", "liver")
DENSE = ("What is the density of zinc in grams per cubic centimetre?", "7.14", "8.96")
BOILS = ("At how many degrees does lead boil?", "1749", "327")
STRINGS = ("How many strings does a sitar have?", "18", "4")
SANK = ("In which year did the tower sink?", "1951", "1902")
LARGEST = ("Which continent is the largest?", "Asia", "Africa")
FOUNDED = ("Who founded the town?", "Max Orr", "Ann Lee")
SYMBOL = ("What is the symbol of cerium?", "Ce", "Cs")
COUNTRY = ("In which country is the town of Ulm?", "Germany", "Austria")


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        # A clause with another predicate has another role.
        ("Bach died in Leipzig, but he was born in Eisenach.", BORN, CORRECT),
        ("Bach was born in Leipzig and died in Eisenach.", BORN, INCORRECT),
        # Three letters are a predicate, too, however inflected.
        ("Bach was born in Leipzig and died in Eisenach.", DIED, INCORRECT),
        ("Bach was born in Eisenach and died in Leipzig.", DIED, CORRECT),
        ("World War II began in 1939 and ended in 1945.", ENDED, CORRECT),
        ("World War II began in 1945 and ended in 1939.", ENDED, INCORRECT),
        ("Lead melts at 327 degrees and boils at 1749 degrees.", BOILS, CORRECT),
        ("A cello has 4 strings and a sitar 18.", STRINGS, CORRECT),
        ("Built in 1902, the tower sank in 1951.", SANK, CORRECT),
        ("Asia is the largest continent, and Africa comes second.", LARGEST, CORRECT),
        ("Africa is the largest continent; Asia and Europe are smaller.", LARGEST, INCORRECT),
        ("Max Orr made the town and Ann Lee lived in it.", FOUNDED, CORRECT),
        ("Ulm was a part of Austria for years and belongs to Germany today.", COUNTRY, CORRECT),
        # What is said by the way does not answer, and a bare answer adds nothing.
        ("While Ann Lee built the mill, the founder was Max Orr.", FOUNDED, CORRECT),
        ("Max Orr; Ann Lee only built the mill.", FOUNDED, CORRECT),
        # Alternatives and lists have one role.
        ("Max Orr and Ann Lee founded the town.", FOUNDED, INCORRECT),
        ("Max Orr founded the town, or even Ann Lee.", FOUNDED, INCORRECT),
        # What is larger than all others is the largest; what is only compared is no answer.
        ("No continent is larger than Asia.", LARGEST, CORRECT),
        ("Asia is the largest continent, larger than Africa.", LARGEST, CORRECT),
        # Where the speaker is the subject, what the clause says of the thing is its answer.
        ("Ann Lee built the mill, and I'd venture Max Orr.", FOUNDED, CORRECT),
        # Any other sentence between two answers interrupts nothing: the first one stands.
        ("It sank in 1902. Physics is hard. It sank in 1951.", SANK, INCORRECT),
        ("It sank in 1951. There is no doubt. It sank in 1902.", SANK, CORRECT),
        # Another answer to the same.
        ("The symbol of cerium is Ce and the symbol is C.", SYMBOL, INCORRECT),
        ("The town of Ulm is in Germany, and in Central Europe.", COUNTRY, CORRECT),
        ("It was not until 1951 that the tower sank.", SANK, CORRECT),
        ("Some sources say 1902, others 1951.", SANK, NOT_ATTEMPTED),
        # About something else.
        ("Ann Lee built a mill; Max Orr lives there.", FOUNDED, UNPARSED),
        # Humans are what is asked about, a unit is not.
        ("The largest organ in dogs is the skin.", ORGAN, UNPARSED),
        ("The largest organ in humans is the skin.", ORGAN, CORRECT),
        ("The density of zinc is 7.14.", DENSE, CORRECT),
    ],
)
def test_the_clause_that_aligns_with_the_question_answers(
    text: str, question: tuple[str, str, str], expected: str
) -> None:
    asked, accepted, wrong = question
    assert grading.reference_grade(text, asked, accepted=[accepted], wrong=[wrong]) == expected
