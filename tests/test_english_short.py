"""Frames of short answers: what stands in a sentence as it is, what is quoted, and which letters are capitals."""

import pytest

from ralc.english.casing import opening_words
from ralc.english.places import places
from ralc.english.sentences import read_sentence
from tests.test_english_places import texts


@pytest.mark.parametrize("phrase", ["Paris", "B", "B. Paris", "The king", "Atomic number: 11", "Is", ""])
def test_phrases_are_no_sentences(phrase):
    assert not read_sentence(phrase).is_clause


@pytest.mark.parametrize(
    "start", ["Paris is large", "DNA is long", "I am here", "Au is gold", "NaCl is salt", "Belgium is flat"]
)
def test_what_may_be_a_name_keeps_its_capital(start):
    assert opening_words(start) == start


@pytest.mark.parametrize("answer", [")", ". ,", "(.)"])
def test_an_answer_of_marks_alone_is_framed(answer):
    assert places("quite probably", "adverb", read_sentence(answer))


@pytest.mark.parametrize(
    "answer",
    [
        "The rise of anti-Semitic ideologies",
        "fail to give an adequate answer",
        "prevail, unless the driver was driving within the limit",
        "the value of the car before it was damaged because it was in her care",
        "Deny both motions and submit the case to the jury based on negligence",
        "For Bobby, since her acceptance was timely",
        "declined for men, and remained the same for women",
        "A coup in which established leaders are ousted",
    ],
)
def test_a_phrase_with_a_verb_in_it_stays_whole(answer):
    """Choices of MMLU that were cut inside: "The probably rise of ..."."""
    (first, *_) = texts("probably", "adverb", answer)
    assert answer.lower() in first.lower()


@pytest.mark.parametrize(
    "answer",
    [
        # a noun that may be a verb
        "The spread of religious skepticism and the rise of deism",
        "Adolf Hitler's rise to power",
        "the Mexico–United States border",
        "the narrow end of the bone",
        "a fixed set of rules to determine its future actions",
        "the democratic will of the people",
        "some form of the bubonic plague",
        # a participle before its noun
        "the spread of religious skepticism among educated elites",
        "An increase in imported cars",
        "a newly conquered territory",
        "a directly elected Scottish Assembly",
        "an Italo-Norman named Raoul",
        "significantly altered the existing treaties",
        # a participle after it
        "The Treaty signed in 1648",
        "Photons emitted by the star",
        "Photons emitted from the star",
        "The amount of energy needed to lift it",
        "advances made in the Middle East in botany and chemistry",
        "a turbine connected to an electrical generator",
        # a verb that goes on after another
        "poverty and were ill treated",
        # a participle before its noun, without an adverb
        "a modern canalized section",
        "its distinctive flared base",
        # a verb of a clause within
        "a talent the student may have",
        "surveying people who do not live in the city",
        "arguing someone should do something only because that person dislikes someone else",
        "until the empire fell",
        "responding immediately every time the fire alarm is sounded",
        "Making sure no children are present when using the product",
        "Increasing total utility at an increasing rate as consumption rises",
        "The effect the plant will have on the environment",
        "admissible as proper lay opinion",
        # no verbs
        "a good will",
        "production within a nation's borders",
        "the need to construct monumental works, such as temples",
        "all within a few hundred feet of each other",
        "2:00 AM",
        "Frankfurt am Main",
    ],
)
def test_a_noun_phrase_is_no_sentence(answer):
    """ "I believe that the Treaty signed in 1648" says nothing."""
    assert not read_sentence(answer).is_clause


def test_an_answer_of_two_phrases_stays_whole():
    answer = "Invalid. Counterexample when J is true and I is false"
    assert texts("probably", "adverb", answer) == [f'The answer is probably "{answer}".']


@pytest.mark.parametrize(
    "answer",
    [
        "The only way to get a perfect score is to cheat",
        "The element that has the symbol Au is gold",
        "Such a vaccine would be too expensive",
        "All the tenants should leave",
        "A person with type A blood is neat",
        "The use of powdered glass as a poison is a myth",
        "The Creery sisters mimicked telepathic powers",
        "The empires of steppe nomads united trade links",
        "UFOs at Roswell turned out to be real",
        "Ninjas disguised themselves as farmers",
        "I will",
    ],
)
def test_a_sentence_is_one_whatever_stands_in_it(answer):
    assert read_sentence(answer).is_clause


@pytest.mark.parametrize(
    ("answer", "frame"),
    [
        ("Jon Corzine", "It is probably Jon Corzine."),
        ("Alexander the Great", "It is probably Alexander the Great."),
        ("Al", "It is probably Al."),
        ("World War II", "It is probably World War II."),
        ("the Red Army", "It is probably the Red Army."),
        ("5 July 1990", "It is probably 5 July 1990."),
        ("x^2 + 1", "It is probably x^2 + 1."),
        (
            "the factors that influence performance",
            "The answer is probably the factors that influence performance.",
        ),
        ("36% of households", "It is probably 36% of households."),
        (
            "the Treaties establishing the Union",
            "The answer is probably the Treaties establishing the Union.",
        ),
        ("874.3 square miles", "The answer is probably 874.3 square miles."),
        ("I, II, and III", "The answer is probably I, II, and III."),
    ],
)
def test_a_name_or_number_needs_no_quotation_marks(answer, frame):
    assert texts("probably", "adverb", answer)[0] == frame


@pytest.mark.parametrize(
    "answer",
    [
        # a noun without its article
        "National Party",
        "League of Augsburg",
        "Supreme Court of the United Kingdom",
        "World Meteorological Organization (WMO)",
        "17th century",
        "1960s",
        "1944 Warsaw Uprising",
        "USSR",
        "Nationals",
        # a capital that a common word has at the start alone
        "Functional",
        "Photosynthesis",
        "Dopamine",
        "Mastectomy",
        "Grass",
        "Hasty Generalization",
        "True, False",
        # more than a number
        "0x01001234; page mapped with READ/WRITE access",
        "The value of x when y = 3",
        # titles
        "A Tale of Two Cities",
        # sentences that another frame would break
        "Because without knowing why, one does not know it",
        "You might injure yourself",
        "Nothing, there is no connection",
        "Yes, whenever it is secure",
        "arguing something is true just because one likes it",
        "a monopoly buys from a monopsony",
        "Masovian Primeval Forest",
        "Hemoglobin A1c",
        "Indianapolis 500",
        "Triple Entente (1907)",
        "f has a minimum at 0",
        "Recessive inheritance has",
        "The earlier they surrendered to them",
        "responding to charges by saying that one does it",
        "the method by which it is requested and received",
        "'AD' translates to 'In the year of the Lord'",
    ],
)
def test_any_other_short_answer_is_quoted(answer):
    assert texts("probably", "adverb", answer) == [f'The answer is probably "{answer}".']


def test_quotation_marks_of_two_kinds_stay():
    answer = 'It was a result of "dollar diplomacy.”'
    assert texts("perhaps", "adverb", answer)[0] == 'It was perhaps a result of "dollar diplomacy.”'


def test_an_answer_that_begins_and_ends_with_a_quotation_is_quoted_as_a_whole():
    answer = '"Buck" was short for "buckskin"'
    assert texts("probably", "adverb", answer) == [f"The answer is probably “{answer}”."]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Sugar may increase the risk", "I think that sugar may increase the risk."),
        ("Real GDP will fall", "I think that real GDP will fall."),
        ("Prostitution and euthanasia are legal", "I think that prostitution and euthanasia are legal."),
        ("Brain cells are small", "I think that brain cells are small."),
        ("Paris Hilton is rich", "I think that Paris Hilton is rich."),
        ("Turkey is large", "I think that Turkey is large."),
    ],
)
def test_a_common_word_is_written_small_after_an_opening(answer, expected):
    assert texts("I think", "clause", answer)[0] == expected


@pytest.mark.parametrize(
    "answer",
    ["Cannabis is illegal", "Chartreuse is green", "Grand Canyon is deep", "Mother Teresa's death was later"],
)
def test_where_a_capital_may_be_wrong_or_right_the_sentence_is_quoted(answer):
    (inside,) = texts("perhaps", "adverb", answer)
    assert inside.startswith(answer.split(" is")[0].split(" was")[0])
    assert texts("I think", "clause", answer) == [f'I think that the answer is "{answer}".']
    assert texts("I am not sure", "standalone", answer) == [f'I am not sure, but my answer is "{answer}".']
    assert texts("I guess", "tag", answer) == [f"{answer}, I guess."]


@pytest.mark.parametrize(
    "answer",
    ["Mercury is the closest planet to the Sun.", "Will Smith is an actor.", "May is a month."],
)
def test_names_that_are_words_as_well_keep_their_capitals(answer):
    assert texts("I think", "clause", answer)[0] == f"I think that {answer}"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Washington, D.C.", 'The answer is probably "Washington, D.C."'),
        ("U.S.", 'The answer is probably "U.S."'),
        ("Who? He?", 'The answer is probably "Who? He?"'),
        ("via the tanks!", 'The answer is probably "via the tanks!"'),
        ("Paris!", "It is probably Paris."),
        ("The capital is Washington, D.C.", "The capital is probably Washington, D.C."),
        ("The answer is 5.", "The answer is probably 5."),
    ],
)
def test_last_marks_that_belong_to_an_answer_stay(answer, expected):
    assert texts("probably", "adverb", answer)[0] == expected


@pytest.mark.parametrize(
    "answer", ["The museum opens at nine", "The name derives from Old Norse", "The ship floated on water"]
)
def test_what_may_be_a_sentence_is_quoted(answer):
    """It was taken for a noun phrase: "The answer is probably the museum opens at nine."."""
    assert texts("probably", "adverb", answer)[0] == f'The answer is probably "{answer}".'
