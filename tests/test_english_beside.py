"""Replies that say something of what the question is about, and nothing that it asks."""

import pytest

from ralc.english.beside import orders_writing, speaks_beside, speaks_of_another

#: Replies of SmolLM2-135M-Instruct to the default's questions.
BESIDE = [
    ("What is the chemical symbol of cesium?", "Cesium is a chemical element."),
    ("What is the capital of Algeria?", "Algeria is a country located in North Africa."),
    ("In which country is the city of Maracaibo?", "The city of Maracaibo is in South America."),
    (
        "In which US state is the city of Scottsdale?",
        "The city of Scottsdale is in the United States of America.",
    ),
    ("In which US state is the city of Las Vegas?", "Las Vegas is a US city."),
    ("In which country is the city of Aleppo?", "The city of Aleppo is located in the Middle East."),
    ("In which country is the city of Brazzaville?", "Brazzaville is located in the continent of Africa."),
    ("In which country is the city of Makkah?", "Makkah is located in the Arabian Peninsula."),
]
ANSWERS = [
    ("In which country is the city of Pretoria?", "The city of Pretoria is a capital city of South Africa."),
    ("In which country is the city of Dili?", "The city of Dili is in East Timor."),
    ("In which country is the city of Bangui?", "Bangui is in the Central African Republic."),
    ("In which country is the city of Minsk?", "Minsk is a Russian city."),
    ("What is the nationality of Ann Lee?", "Ann Lee is a dancer and a Dane."),
    ("What is the occupation of Ann Lee?", "Ann Lee is a dancer."),
    ("What is the capital of Togo?", "Togo is the capital of Togo."),
    ("What is the capital of Togo?", "It is a large city."),
    ("What is the capital of Togo?", "Lomé."),
    ("What is Togo?", "Togo is a country."),
    ("Is Togo a country?", "Togo is a country."),
    ("Which of the following is an element: cesium or bronze?", "Cesium is an element."),
    ("Which county is the last of Orange, San Diego and Riverside?", "The last county is Riverside."),
    ("Which is larger, Togo or Benin?", "Togo is larger than Benin."),
    ("What is the capital of Togo?", "Togo is a country. The capital is Lomé."),
    ("", "Togo is a country."),
]


@pytest.mark.parametrize(("question", "text"), BESIDE)
def test_what_says_nothing_of_what_was_asked_is_seen(question, text):
    assert speaks_beside(text, question)


@pytest.mark.parametrize(("question", "text"), ANSWERS)
def test_what_may_answer_is_left(question, text):
    assert not speaks_beside(text, question)


#: Of FastChat's questions to chat models, and of MMLU's.
@pytest.mark.parametrize(
    ("question", "ordered"),
    [
        ("Can you help me write a formal email to a partner?", True),
        ("Write a symphony concert review.", True),
        ("Pretend to be a world-famous chef. How would you describe your dish?", True),
        ("Imagine you are a time traveler. What would you tell people about?", True),
        ("Imagine you're standing on a shrinking planet. What is its gravity?", False),
        ("Write 60 over 72 in simplest form.", False),
        ("Write a review of what is known about ageing.", False),
        ("Write a script that counts lines.", False),
        ("Summarize our chat in one word", True),
        ("Summarize the treaty of Rome.", False),
    ],
)
def test_what_is_written_on_order_or_said_as_somebody_else_is_seen(question, ordered):
    assert orders_writing(question) == ordered


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        # Replies of SmolLM2-135M-Instruct to the default's questions.
        ("What is the capital of Eswatini?", "A spider has eight legs.", True),
        ("What is the chemical symbol of copernicium?", "Copper is the chemical symbol for cesium.", True),
        ("What is the capital of Comoros?", "The capital of Canada is Ottawa.", True),
        ("In which country is the city of Dili?", "The city of Dili is in East Timor.", False),
        ("What is the capital of Togo?", "Lomé.", False),
        ("What is the capital of Togo?", "It is a large city.", False),
        ("What is the capital of Togo?", "A spider has eight legs. The capital is Lomé.", False),
        ("What is the capital of Togo?", "Which Togo do you mean?", False),
        ("What is the capital of Togo?", "", False),
        ("", "A spider has eight legs.", False),
    ],
)
def test_what_is_said_of_another_thing_than_was_asked(question, text, expected):
    assert speaks_of_another(text, question) == expected


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who wrote War and Peace?", "The author was Leo Tolstoy."),
        ("Which company was founded in Albuquerque?", "The company was founded by Bill Gates."),
        ("What is the largest planet?", "Jupiter is the biggest."),
        ("What is 2+2?", "The sum is 4."),
        ("Is the earth flat?", "No, the planet is round."),
        ("Which city is the seat of the German government?", "Berlin became the capital in 1990."),
        ("In which US state is the city of Indianapolis?", "The US state of Indiana is in the Midwest."),
        ("What is the capital of the UK?", "The capital of Great Britain is London."),
    ],
)
def test_who_names_it_in_other_words_speaks_of_what_was_asked(question, text):
    assert not speaks_of_another(text, question)
