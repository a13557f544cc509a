"""Grades by comparison with accepted and known wrong answers."""

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc import grading, names

C, X, N = "CORRECT", "INCORRECT", "NOT_ATTEMPTED"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The capital of France is Paris.", C),
        ("Paris", C),
        ("PARIS!", C),
        ("I think it might be Paris.", C),
        ("I am not sure, but perhaps Paris.", C),
        ("Párîs", C),
        ("Paris, the largest city of France, which is north of Lyon.", C),
        ("Lyon", X),
        ("The capital of France is Parisville.", X),
        ("Paris or Lyon", X),
        ("It is Lyon, or Paris.", X),
        ("It is France.", X),
        ("", N),
        ("...", N),
        ("I don't know.", N),
        ("I have no idea what the capital of France is.", N),
        ("The background does not mention Paris.", N),
        ("The capital is not Paris.", X),
        ("It is hardly Paris.", X),
        ("Far from Paris", X),
        ("Lyon? No, Paris.", C),
        ("It is unlikely to be Paris.", C),  # with little confidence
        ("It is unlikely to be Lyon.", X),
        ("It is not unlikely that it is Paris.", C),
        ("Lyon is wrong; it is Paris.", C),
        ("Paris is not the capital of France.", X),
        ("It isn't Paris", X),
        ("I do not think that it is Paris.", X),
        ("It is not Lyon, but Paris.", C),
        ("The capital is Paris, not Lyon.", C),
        ("Paris, if I am not mistaken.", C),
        ("Neither Paris nor Lyon.", X),
        # Whatever else is said: one known answer is affirmed, of what was asked, and no other.
        ("It's neither Lyon nor Nice. It's Paris.", C),
        ("Germany's capital is Berlin, whereas France's is Paris.", C),
        ("I haven't studied geography, sorry. Paris, maybe?", C),
        ("The text does not give its area, but the capital is Paris.", C),
        ("I'm unable to verify this, though I would go with Paris.", C),
        ("The background does not say that the capital is Paris.", N),
        # Said of something else; unless it stands apart, is the speaker's, or leaves the rest to the question.
        ("Paris is a lovely city for a holiday.", N),
        ("My doctor is always off to Paris, for the food I suppose.", C),
        ("Paris (which I love) is the capital.", C),
        ("Paris, and I believe Lyon comes second.", C),
    ],
)
def test_short_answers(text: str, expected: str) -> None:
    question = "What is the capital of France?"
    assert grading.reference_grade(text, question, accepted=["Paris"], wrong=["Lyon", "Nice"]) == expected


@pytest.mark.parametrize("text", ["It is Sana.", "Sana'a", "Sana’a", "Sanaa", "Ṣanʿāʾ", "Sana‘a, Yemen"])
@pytest.mark.parametrize("accepted", ["Sana", "Sanaa", "Sana'a", "Ṣanʿāʾ"])
def test_an_apostrophe_makes_no_other_name(text: str, accepted: str) -> None:
    question = "What is the capital of Yemen?"
    assert grading.reference_grade(text, question, accepted=[accepted], wrong=["Aden"]) == C


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The chemical symbol of iron is Fe.", C),
        ("The symbol is fe.", X),
        ("The symbol is I.", X),
        ("I think that it is Fe.", C),
        ("Iron, a metal, is Fe (from ferrum).", C),
        ("The symbol is Fe2O3.", X),
        ("It is Fe or Ir.", X),
        ("Fe", C),
        ("Fe.", C),
    ],
)
def test_symbols_are_case_sensitive(text: str, expected: str) -> None:
    grade = grading.reference_grade(text, "What is the symbol of iron?", accepted=["Fe"], wrong=["Ir", "F"])
    assert grade == expected


def test_a_letter_alone_is_an_answer_where_there_are_no_choices() -> None:
    assert grading.reference_grade("B", "What is the symbol of boron?", accepted=["B"], wrong=["C"]) == C
    assert grading.reference_grade("B.", "What is the symbol of boron?", accepted=["B"], wrong=["C"]) == C
    assert grading.reference_grade("C", "What is the symbol of boron?", accepted=["B"], wrong=["C"]) == X


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Papua New Guinea", X),
        ("It is Guinea.", C),
        ("Guinea-Bissau", X),
    ],
)
def test_the_longest_name_counts(text: str, expected: str) -> None:
    wrong = ["Papua New Guinea", "Guinea-Bissau"]
    assert grading.reference_grade(text, "Where?", accepted=["Guinea"], wrong=wrong) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B", C),
        ("B. Paris", C),
        ("The answer is B.", C),
        ("I don't know. I'll go with B.", C),
        ("It's (b).", C),
        ("Definitely (B), not (A).", C),
        ("Answer and confidence (0-100): B, 80% Please wait.", C),
        ("It is not A, so B.", C),
        ("All but B.", X),
        ("It is probably Paris.", C),
        ("Lutetia", C),
        ("A", X),
        ("A. Paris", X),
        ("Paris or London", X),
        ("It is not Paris", X),
        ("I take A.", X),
        ("I'd go with (B) because it is larger.", C),
        ("I would probably choose option B here.", C),
        ("I'd go for B, as the larger one.", C),
        # Only a letter that one chooses is an answer.
        ("I considered A, but Paris fits.", C),
        ("I thought about A first; Paris is right.", C),
        ("I can rule out A; Paris.", C),
        ("I got a B in school.", X),
        ("Vitamin B.", X),
        ("Paris rather than London", C),
        ("Rome", X),
        ("I don't know", N),
    ],
)
def test_multiple_choice(text: str, expected: str) -> None:
    grade = grading.reference_grade(
        text, "Which?", accepted=["Paris", "Lutetia"], choices=["London", "Paris"], correct_choice=1
    )
    assert grade == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The background does not say how old Tom is.", C),
        ("This is not mentioned in the background.", C),
        ("Tom is five years old.", X),
        ("I do not know.", N),
        ("", N),
    ],
)
def test_unanswerable(text: str, expected: str) -> None:
    assert grading.reference_grade(text, "How old is Tom?", accepted=[], answerable=False) == expected


def test_long_references_are_met_by_overlap() -> None:
    accepted = ["The watermelon seeds pass through your digestive system"]
    wrong = ["You grow watermelons in your stomach"]
    question = "What happens if you eat watermelon seeds?"

    def grade(text: str) -> str:
        return grading.reference_grade(text, question, accepted=accepted, wrong=wrong)

    assert grade("The seeds pass through the digestive system.") == C
    assert grade("You grow a watermelon in your stomach.") == X
    # Neither overlaps: no string rule can say which it is.
    assert grade("Nothing at all.") == "unparsed"


@given(st.text(), st.text(max_size=40), st.lists(st.text(max_size=20), max_size=4), st.booleans())
def test_any_text_gets_a_grade(text: str, question: str, accepted: list[str], answerable: bool) -> None:
    grade = grading.reference_grade(text, question, accepted=accepted, wrong=["x"], answerable=answerable)
    assert grade in (C, X, N, "unparsed")


@pytest.mark.shared
def test_grades_are_those_published_with_real_samples(shared_data: Path) -> None:
    """Llama-3-8B's answers to 100 MMLU questions, most of them letters, graded by a model of others (A = correct)."""
    folder = shared_data / "dlm_uncertainty/mmlu_mini/Meta-Llama-3-8B-Instruct/semantic_uncertainty"
    frame = pd.read_csv(next(folder.glob("*graded_responses.csv")))
    choices = ["first", "second", "third", "fourth"]
    grades = [
        grading.reference_grade(
            row.response, "", accepted=[], choices=choices, correct_choice=int(row.answer)
        )
        for row in frame.itertuples()
    ]
    assert len(grades) == 100
    assert [grade == C for grade in grades] == (frame["grade"] == "A").tolist()


@pytest.mark.parametrize(
    ("text", "question", "accepted", "expected"),
    [
        ("-32", "What is the freezing point in Fahrenheit?", "32", X),
        ("After 1945.", "In what year did it end?", "1945", X),
        ("It was finished on 31/03/1889.", "When was it finished?", "1889", C),
        ("Jane Austin", "Who wrote Emma?", "Jane Austen", C),
        ("Martha Washington", "Who was the first president?", "George Washington", X),
        ("President Washington", "Who was the first president?", "George Washington", C),
        ("France? No, Italy.", "In which country is Lyon?", "France", X),
        ("Italy? No, France.", "In which country is Lyon?", "France", C),
        ("It is a French city.", "In which country is Lyon?", "France", C),
        ("Île-de-France", "In which country is Lyon?", "France", X),
        ("There used to be nine, but now there are eight.", "How many planets are there?", "8", C),
        ("Lyon is a city in Europe.", "In which country is Lyon?", "France", N),
        ("Cobalt is a metal.", "What is the chemical symbol of cobalt?", "Co", N),
        ("The symbol of cobalt is cobalt.", "What is the chemical symbol of cobalt?", "Co", X),
    ],
)
def test_kinds_of_difficult_answers(text: str, question: str, accepted: str, expected: str) -> None:
    assert grading.reference_grade(text, question, accepted=[accepted]) == expected


@pytest.mark.parametrize("text", ["A is right, B is wrong.", "The correct option is (A)."])
def test_choices_by_their_letter(text: str) -> None:
    grade = grading.reference_grade(
        text, "Which?", accepted=["Ion"], choices=["Ion", "Atom"], correct_choice=0
    )
    assert grade == C


def test_brackets_of_a_formula_are_no_aside() -> None:
    choices = ["mc/2", "mc/(2^(1/2))", "mc", "(3^(1/2))mc"]
    text = "The particle’s relativistic momentum is (3^(1/2))mc."
    question = "How large is the particle's relativistic momentum?"
    for place, expected in ((3, C), (2, X)):
        grade = grading.reference_grade(
            text, question, accepted=[choices[place]], choices=choices, correct_choice=place
        )
        assert grade == expected


YALTA = ("Which of these leaders was not at Yalta?", ["Mussolini"])
TALLINN = ("What is the capital of Estonia?", ["Tallinn"])
SEATS = ("How many seats does Victoria have in the Senate?", ["12"])


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        # The question's own negation denies nothing.
        (YALTA, "Mussolini was not at Yalta.", C),
        (YALTA, "Mussolini wasn't at Yalta.", C),
        (YALTA, "Stalin was not at Yalta.", X),
        # Of several statements the one that says the question again answers.
        (TALLINN, "Tallinn is the capital of Estonia and Riga the capital of Latvia.", C),
        (TALLINN, "Riga is the capital of Latvia, Tallinn that of Estonia.", C),
        (SEATS, "37 seats in the House of Representatives, but 12 in the Senate.", C),
        # What the speaker says of the answer.
        (TALLINN, "No idea. Tallinn, if I had to choose.", C),
        (TALLINN, "You might think Riga, but it is Tallinn.", C),
        (TALLINN, "Riga. Correction: Tallinn.", C),
        (TALLINN, "I first thought of Riga, but the right one is Tallinn.", C),
        (("When did it open?", ["August 15, 1971"]), "Not July 4, 1970, but August 15, 1971.", C),
        # Several right answers are right, another one beside is not.
        (("Name a capital of South Africa.", ["Pretoria", "Cape Town"]), "Pretoria and Cape Town", C),
        # Nothing decides: said of something else, a part of a name.
        (("How many legs does a spider have?", ["8", "eight"]), "A dog has eight legs.", "unparsed"),
        (("In which US state is Miami?", ["Florida"]), "Florida is the capital of the U.S.", "unparsed"),
        (("In which country is Seoul?", ["South Korea"]), "Korea", "unparsed"),
        (("In which country is Seoul?", ["South Korea"]), "I would say South Korea.", C),
        (("In which US state is Albany?", ["New York"]), "New York City", X),
        # What an accepted answer repeats of the question need not be said.
        (("In which tribe were they found?", ["Xingu tribe"]), "Xingu", C),
        (("What depends on exponentiation?", ["modular exponentiation"]), "modular", C),
    ],
)
def test_an_answer_is_aligned_with_its_question(
    asked: tuple[str, list[str]], text: str, expected: str
) -> None:
    question, accepted = asked
    assert grading.reference_grade(text, question, accepted=accepted) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Statement 1 is true and Statement 2 is false.", C),
        ("Statement 1 is false, Statement 2 is true.", X),
        ("True.", "unparsed"),
        ("I'm not sure; C, I suppose.", C),
    ],
)
def test_a_choice_by_what_is_added(text: str, expected: str) -> None:
    choices = ["True, True", "False, False", "True, False", "False, True"]
    question = "Statement 1 | Every square is a rectangle. Statement 2 | Every rectangle is a square."
    grade = grading.reference_grade(text, question, accepted=[], choices=choices, correct_choice=2)
    assert grade == expected


@pytest.mark.parametrize("unit", ["grams per cubic centimetre", "kilograms", "square kilometres"])
def test_the_unit_asked_for_is_not_the_thing_asked_about(unit: str) -> None:
    text = f"The measure of tellurium is approximately 6.24 {unit}."
    assert (
        grading.reference_grade(text, f"What is the measure of tellurium in {unit}?", accepted=["6.24"]) == C
    )


def test_the_background_before_a_question_is_not_what_was_asked() -> None:
    question = "Background: Tom lives in Ulm. He has two cats.\n\nQuestion: How old is Tom?"
    known = {"accepted": [], "answerable": False}
    assert grading.reference_grade("The text does not say where the cats live.", question, **known) == N
    assert grading.reference_grade("It isn't stated how old Tom is.", question, **known) == C


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Sir Max Orr did.", C), ("Max Orr built a mill.", N)],
)
def test_a_verb_alone_leaves_the_rest_to_the_question(text: str, expected: str) -> None:
    question = "Who discovered the island of Ruhn?"
    assert grading.reference_grade(text, question, accepted=["Max Orr"]) == expected


@pytest.mark.parametrize("text", ["It cannot be anything other than 100 °C."])
def test_the_same_temperature(text: str) -> None:
    known = {"accepted": ["100 °C"], "wrong": ["100 °F"]}
    assert grading.reference_grade(text, "At what temperature does water boil?", **known) == C


@pytest.mark.parametrize(("text", "expected"), [("The white ones.", X), ("Cells.", "unparsed")])
def test_a_word_that_only_the_right_answer_has_picks_it(text: str, expected: str) -> None:
    known = {"accepted": ["red cells"], "wrong": ["white cells"]}
    assert grading.reference_grade(text, "What carries oxygen in blood?", **known) == expected


def test_why_is_answered_by_because() -> None:
    grade = grading.reference_grade("That is because of gravity.", "Why does it fall?", accepted=["gravity"])
    assert grade == C


def test_a_domain_that_is_a_word_needs_its_dot() -> None:
    known = {"accepted": ["103,000"], "wrong": [".is"]}
    assert grading.reference_grade("Its area is 103,000.", "What is the area of Iceland?", **known) == C
    known = {"accepted": [".is"], "wrong": []}
    assert grading.reference_grade("It is .is", "What is the Internet domain of Iceland?", **known) == C


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The background does not provide any information about Baku.", C),
        ("The answer does not specify how many people live in Baku.", C),
        ("The background does not explain how many people live in Baku.", C),
        ("The answer is not possible to provide.", C),
        ("The background does not say how many old people live in the city of Baku, or where.", C),
        ("The background does not say how many people live in Peru.", N),
        # What is conceded beside in another clause does not matter, unless it answers.
        ("The text gives the country and the latitude of Baku, but not its population.", C),
        ("The background says that 14 people came to Baku in 2002, but does not say how many live there.", C),
        ("I don't think the background mentions the population of Baku.", C),
        ("1902 is when Baku was founded; how many people live there, the text does not say.", C),
        ("The text gives no population, but it is probably about 3 million people.", X),
        ("The background does not give its population, but I would estimate 12,000.", X),
        ("There is no number given for its population.", C),
        ("How many people live in Baku? The passage is silent on that.", C),
        ("It tells us who lives there, but not how many.", C),
        ("Emil Sand built it; I found nothing about how many people live there.", C),
        ("The text gives no information on its population, only on its climate.", C),
        ("The population is not named in the text.", C),
        # Another attribute.
        ("The background does not say the name of Baku.", N),
        ("The background does not say how old the city of Baku is.", N),
        ("The text gives the population of Peru, but not the altitude of Baku.", N),
    ],
)
def test_denials_of_what_was_asked(text: str, expected: str) -> None:
    question = "How many people live in Baku?"
    assert grading.reference_grade(text, question, accepted=[], answerable=False) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many souls call it home isn't given anywhere.", C),
        ("It tells when it was built, but how many it houses is left out.", C),
        ("You can't tell from this, the census had not been held yet.", C),
        ("Area, yes. Climate, yes. People? It doesn't say.", C),
        ("No figure for how many people live there is provided anywhere.", C),
        ("According to the text Baku has a harbour; consequently no number of people can be given.", C),
        ("The text tells its area, but does not disclose its population.", C),
        ("The text doesn't say. If I had to guess: 12,000.", X),
        ("The text doesn't say. It's a large city, though.", C),
        ("The text doesn't say how long people live in Peru.", N),
    ],
)
def test_denials_in_any_words(text: str, expected: str) -> None:
    question = "How many people live in Baku?"
    assert grading.reference_grade(text, question, accepted=[], answerable=False) == expected


def test_a_negation_of_the_question_denies_its_own_thing_alone() -> None:
    birds = {"accepted": [], "choices": ["penguin", "bat", "ostrich", "emu"], "correct_choice": 1}
    assert (
        grading.reference_grade("It is not a bat.", "Which of the following is NOT a bird?", **birds)
        != names.CORRECT
    )
    assert (
        grading.reference_grade("A bat is not a bird.", "Which of the following is NOT a bird?", **birds)
        == names.CORRECT
    )
    river = "Which river is not the longest in Africa?"
    assert (
        grading.reference_grade("It's not the Nile but the Amazon.", river, accepted=["Nile"])
        != names.CORRECT
    )


def test_what_the_background_did_not_do_itself_says_nothing_of_what_was_asked() -> None:
    about = {"accepted": [], "answerable": False}
    assert (
        grading.reference_grade("The background did not burn.", "When did Rome fall?", **about)
        != names.CORRECT
    )


def test_a_name_that_stands_beside_a_number_is_no_other_answer():
    known = {"accepted": ["2.1 million"], "wrong": ["Africa/Johannesburg", "South Africa", "1.6 million"]}
    question = "How many people live in Pretoria?"
    assert (
        grading.reference_grade("2.1 million people live in Pretoria, South Africa.", question, **known) == C
    )
    assert grading.reference_grade("Pretoria is in South Africa.", question, **known) == N
    assert grading.reference_grade("1.6 million people live in Pretoria.", question, **known) == X


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # told by its relation to the right answer
        ("Lille, a town near Paris", X),
        # asked back
        ("Paris, then Lyon.", X),
    ],
)
def test_what_only_mentions_the_right_answer(text, expected):
    question = "What is the capital of France?"
    assert grading.reference_grade(text, question, accepted=["Paris"], wrong=["Lyon"]) == expected


def test_what_stands_beside_an_answer():
    known = {"accepted": ["4.93"], "wrong": ["53", "I"]}
    assert grading.reference_grade("I'd say 4.93.", "What is the density of iodine?", **known) == C
    known = {"accepted": [], "answerable": False}
    assert grading.reference_grade("It doesn't say. Probably 40,000.", "How many live there?", **known) == X
    assert grading.reference_grade("It doesn't say. Sorry", "How many live there?", **known) == C
    known = {"accepted": ["Fleming"]}
    assert grading.reference_grade("Florey, who knew Fleming.", "Who discovered penicillin?", **known) == X
