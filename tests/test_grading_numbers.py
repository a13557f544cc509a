"""Numbers with their signs and rates, and letters and words that deny nothing, in grades."""

import pytest

from ralc import grading


@pytest.mark.parametrize(
    ("accepted", "text", "grade"),
    [
        ("-37.8", "The latitude of Melbourne is -37.8 degrees.", "CORRECT"),
        ("-37.8", "−37.8", "CORRECT"),
        ("-37.8", "37.8", "INCORRECT"),
        ("37.8", "It is -37.8 degrees.", "INCORRECT"),
        ("37.8", "37.8", "CORRECT"),
        ("33.5", "33.5 degrees west", "CORRECT"),
        ("-5", "It is minus 5.", "CORRECT"),
    ],
)
def test_a_number_has_its_sign(accepted, text, grade):
    assert grading.reference_grade(text, "What is the latitude of Melbourne?", accepted=[accepted]) == grade


@pytest.mark.parametrize(
    ("question", "accepted", "text"),
    [
        ("How many hours per day does a koala sleep?", "20", "It sleeps 20 hours a day."),
        ("How many miles per hour is the limit?", "60", "60 miles an hour"),
        ("How fast is it?", "60 km per hour", "60 km/h"),
        ("Which vitamin is found in carrots?", "Vitamin A", "Vitamin A is the one."),
        ("Which virus is it?", "Hepatitis A", "Hepatitis A virus"),
        ("Which tale is it?", "Once Upon a Time", "Once Upon A Time"),
        ("What is the capital of France?", "Paris", "It is impossible to be certain that it is Paris."),
        ("What is the capital of France?", "Paris", "It is hardly a secret that the capital is Paris."),
        ("Who was wrong about the tides?", "Galileo", "Galileo was wrong."),
        ("Which city is far from Paris?", "Lyon", "Paris is far from Lyon."),
    ],
)
def test_rates_letters_and_what_denies_nothing(question, accepted, text):
    assert grading.reference_grade(text, question, accepted=[accepted]) == "CORRECT"
