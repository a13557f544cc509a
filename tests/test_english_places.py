"""Where hedges stand in answers: sentences by hand, and the promise that no word of an answer is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.english.casing import opening_words
from ralc.english.normalisation import words
from ralc.english.places import FRAMES, places
from ralc.english.sentences import middle, read_sentence


def texts(hedge, frame, answer):
    return [place.text for place in places(hedge, frame, read_sentence(answer))]


@pytest.mark.parametrize(
    ("hedge", "frame", "answer", "expected"),
    [
        ("probably", "adverb", "The capital of France is Paris.", "The capital of France is probably Paris."),
        ("probably", "adverb", "Tom went to the kitchen.", "Tom probably went to the kitchen."),
        ("probably", "adverb", "The background does not say.", "The background probably does not say."),
        (
            "probably",
            "adverb",
            "Neon has an atomic number of 10.",
            "Neon probably has an atomic number of 10.",
        ),
        ("probably", "adverb", "It has been sold.", "It has probably been sold."),
        (
            "probably",
            "adverb",
            "The element that has the symbol Au is gold.",
            "The element that has the symbol Au is probably gold.",
        ),
        ("probably", "adverb", "Paris", "It is probably Paris."),
        ("probably", "adverb", "B", "It is probably B."),
        (
            "probably",
            "adverb",
            'The letters "he is old" stand for what they can do.',
            'The answer is probably “The letters "he is old" stand for what they can do”.',
        ),
        (
            "probably",
            "adverb",
            'He yelled, "The British are coming".',
            'He probably yelled, "The British are coming".',
        ),
        ("probably", "adverb", "A germ that can cause death", "It is probably a germ that can cause death."),
        (
            "probably",
            "adverb",
            "The age at which they can give birth is low.",
            "The age at which they can give birth is probably low.",
        ),
        (
            "probably",
            "adverb",
            "will produce a high voice",
            'The answer is probably "will produce a high voice".',
        ),
        ("probably", "adverb", "ß-carotene is orange.", "ß-carotene is probably orange."),
        ("presumably", "adverb", "Zebras eat grass.", "Presumably, zebras eat grass."),
        ("probably", "adverb", "When We Were Kings", 'The answer is probably "When We Were Kings".'),
        ("certainly", "adverb", "The Sky Is Falling", "It is certainly The Sky Is Falling."),
        ("probably", "adverb", "via the ballast tanks", 'The answer is probably "via the ballast tanks".'),
        (
            "probably",
            "adverb",
            "Systemic acquired resistance",
            'The answer is probably "Systemic acquired resistance".',
        ),
        ("probably", "adverb", 'the "blue" one', 'The answer is probably “the "blue" one”.'),
        ("probably", "adverb", "3, 4 and 5", "It is probably 3, 4 and 5."),
        ("maybe", "adverb", "The capital is Paris.", "Maybe the capital is Paris."),
        ("I think", "clause", "No, laws are the same.", "No, I think that laws are the same."),
        ("probably", "adverb", "No animals can add.", "Probably no animals can add."),
        (
            "I think",
            "clause",
            "Nothing happens if it is broken.",
            "I think that nothing happens if it is broken.",
        ),
        (
            "probably",
            "adverb",
            "Rome, a city located in Italy, is old.",
            "Rome, a city located in Italy, is probably old.",
        ),
        ("probably", "adverb", "The answer is: Iran", "It is probably Iran."),
        ("I doubt", "clause", "Technetium is rare,", "I doubt that technetium is rare."),
        ("probably", "adverb", "No, they have never flown.", "No, they have probably never flown."),
        (
            "probably",
            "adverb",
            "The Pilgrims first landed there.",
            "The Pilgrims probably first landed there.",
        ),
        ("I think", "clause", "I'm an animal.", "I think that I'm an animal."),
        (
            "I think",
            "clause",
            "Germans munch some of the bread.",
            'I think that the answer is "Germans munch some of the bread".',
        ),
        (
            "I think",
            "clause",
            "The object that crashed was a balloon.",
            "I think that the object that crashed was a balloon.",
        ),
        (
            "I think",
            "clause",
            "Lyon, Kentucky, a suburb of Fayette",
            'I think that the answer is "Lyon, Kentucky, a suburb of Fayette".',
        ),
        ("perhaps", "adverb", "Zebras eat grass.", "Zebras perhaps eat grass."),
        ("probably", "adverb", "People cannot turn into salt.", "People probably cannot turn into salt."),
        (
            "unlikely",
            "adverb",
            "No, cats cannot fly.",
            'It is unlikely that the answer is "No, cats cannot fly".',
        ),
        (
            "there is about a 20 percent chance",
            "clause",
            "Yes, it is Rome.",
            'There is about a 20 percent chance that the answer is "Yes, it is Rome".',
        ),
        (
            "I am not sure",
            "standalone",
            "No, it is Rome.",
            'I am not sure, but my answer is "No, it is Rome".',
        ),
        (
            "I believe",
            "clause",
            "The capital of France is Paris.",
            "I believe that the capital of France is Paris.",
        ),
        ("I believe", "clause", "Paris", "I believe that it is Paris."),
        ("it is likely that", "clause", "Water boils.", "It is likely that water boils."),
        ("without a doubt", "opener", "It rains tomorrow.", "Without a doubt, it rains tomorrow."),
        ("I guess", "tag", "It is Paris. It is large.", "It is Paris, I guess. It is large."),
        ("I have no idea", "standalone", "Paris.", "I have no idea, but my answer is Paris."),
    ],
)
def test_plainest_place(hedge, frame, answer, expected):
    assert expected in texts(hedge, frame, answer)


def test_an_unknown_frame_is_named():
    with pytest.raises(ValueError, match="'maybe': frame 'noun' is not one of adverb"):
        places("maybe", "noun", read_sentence("Paris"))


@pytest.mark.parametrize(
    ("answer", "first", "rest"),
    [
        ("The capital is St. Louis. It is large.", "The capital is St. Louis", "It is large."),
        ('"Paris is large."', "Paris is large", ""),
        ("Paris!\nIt is large", "Paris", "It is large"),
        ("  B. Paris ", "B. Paris", ""),
        ("Washington, D.C. is a city.", "Washington, D.C. is a city", ""),
        ("", "", ""),
    ],
)
def test_first_sentence(answer, first, rest):
    sentence = read_sentence(answer)
    assert (sentence.words, sentence.rest) == (first, rest)


@pytest.mark.parametrize("phrase", ["Paris", "B", "B. Paris", "The king", "Atomic number: 11", "Is", ""])
def test_phrases_are_no_sentences(phrase):
    assert not read_sentence(phrase).is_clause


def test_middle_is_unknown_without_a_known_verb():
    assert middle("Zebras munch grass") is None


@pytest.mark.parametrize(
    "start", ["Paris is large", "DNA is long", "I am here", "Au is gold", "NaCl is salt", "Belgium is flat"]
)
def test_what_may_be_a_name_keeps_its_capital(start):
    assert opening_words(start) == start


@pytest.mark.parametrize("frame", FRAMES)
@given(
    answer=st.one_of(
        st.text(max_size=80),
        st.lists(
            st.sampled_from(
                [
                    "The",
                    "the",
                    "Paris",
                    "is",
                    "has",
                    "not",
                    "went",
                    "of",
                    "B.",
                    "\n",
                    ",",
                    "Dr.",
                    "'x'",
                    '"',
                    "that",
                ]
            ),
            max_size=12,
        ).map(" ".join),
    )
)
def test_no_word_of_an_answer_is_lost(frame, answer):
    for place in places("quite probably", frame, read_sentence(answer)):
        assert set(words(answer)) - {"a", "an", "the"} <= set(
            words(place.text)
        )  # which count where they are alone
        assert "quite probably" in place.text.lower()
        assert "\n" not in place.text


@pytest.mark.parametrize("answer", [")", ". ,", "(.)"])
def test_an_answer_of_marks_alone_is_framed(answer):
    assert places("quite probably", "adverb", read_sentence(answer))


def test_long_adversarial_answers_take_linear_time():
    for answer in ("a. A" * 50_000, "is that " * 50_000, "(" * 200_000, '"' * 200_000):
        assert places("probably", "adverb", read_sentence(answer))


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
        # no verbs
        "all within a few hundred feet of each other",
        "2:00 AM",
        "Frankfurt am Main",
    ],
)
def test_a_noun_phrase_is_no_sentence(answer):
    """ "I believe that the Treaty signed in 1648" says nothing."""
    assert not read_sentence(answer).is_clause


@pytest.mark.parametrize(
    ("answer", "before"),
    [
        ("The treaty signed in 1648 ended the war.", "The treaty signed in 1648"),
        ("A castle built in 1200 is old.", "A castle built in 1200 is"),
        ("The war ended in 1648.", "The war"),
        ("Tom moved to the kitchen.", "Tom"),
        ("He signed in 1919.", "He"),
        ("Plants need light.", "Plants"),
        ("Changes in the environment cause rapid changes.", "Changes in the environment"),
        ("The process causes cancer.", "The process"),
        ("The best form of government is a democracy.", "The best form of government is"),
        ("A cure that always works is sleep.", "A cure that always works is"),
        ("The person will turn into a dragon.", "The person will"),
        ("France won World War 2.", "France"),
        ("I am not your man.", "I am"),
        ("It's called Prague.", "It's"),
        ("They sell laptops.", "They"),
        ("It usually leaves at noon.", "It"),
        ("You two should talk.", "You two should"),
    ],
)
def test_the_verb_of_a_sentence_is_found_among_other_words(answer, before):
    sentence = read_sentence(answer)
    assert sentence.is_clause
    assert middle(sentence.words)[0] == before


def test_an_answer_of_two_phrases_stays_whole():
    answer = "Invalid. Counterexample when J is true and I is false"
    assert texts("probably", "adverb", answer) == [f'The answer is probably "{answer}".']


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
        "Nearly 3,000",
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
    ("answer", "expected"),
    [
        ("There's no such country", "There's probably no such country."),
        (
            "It's hard to answer because it is no country",
            "It's probably hard to answer because it is no country.",
        ),
        ("The election hasn't happened yet", "The election probably hasn't happened yet."),
        ("It cannot be returned", "It probably cannot be returned."),
        ("No. I am your father", "No. I am probably your father."),
        ("Yes. It is Paris. It is large.", "Yes. It is probably Paris. It is large."),
        ("No, 91 is not prime", "No, 91 is probably not prime."),
        ("Almost no works are banned", "Probably almost no works are banned."),
        ("Nothing happens if you cry", "Probably nothing happens if you cry."),
    ],
)
def test_an_adverb_stands_beside_the_main_verb(answer, expected):
    assert texts("probably", "adverb", answer) == [expected]


def test_a_sentence_starts_large_after_a_lone_yes_or_no():
    assert texts("I think", "clause", "No. I am old.") == [
        "No. I think that I am old.",
        "No. I think I am old.",
    ]
    assert texts("I doubt", "clause", "No. I am old.") == ['I doubt that the answer is "No. I am old".']


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Two thirds went to salaries.", "I think that two thirds went to salaries."),
        ("Seven Samurai is a film.", "I think that Seven Samurai is a film."),
        ("Roughly a third of it is gone.", "I think that roughly a third of it is gone."),
        ("Three.", "I think that it is three."),
        ("x = 7", "I think that the answer is x = 7."),
        ('Call `f(x="a")` first.', 'I think that the answer is “Call `f(x="a")` first”.'),
        (
            "Neither; the meeting was cancelled.",
            'I think that the answer is "Neither; the meeting was cancelled".',
        ),
        ("Never mind, I found it.", 'I think that the answer is "Never mind, I found it".'),
        ("He who dares wins.", 'I think that the answer is "He who dares wins".'),
        (
            "Chapter three. The author argues that.",
            'I think that the answer is "Chapter three. The author argues that".',
        ),
        ("To be honest, I would take it.", "To be honest, I think that I would take it."),
        ("Overall length, 3 m", 'I think that the answer is "Overall length, 3 m".'),
        ("Agenda 21 is a plan.", 'I think that the answer is "Agenda 21 is a plan".'),
    ],
)
def test_what_an_assistant_says_stays_good_english(answer, expected):
    assert texts("I think", "clause", answer)[0] == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("We humans are descended from apes.", "We humans are probably descended from apes."),
        ("You students must leave.", "You students must probably leave."),
        ("We the people rule.", 'The answer is probably "We the people rule".'),
        ("He himself said it.", "He himself probably said it."),
        ("He of all people won.", 'The answer is probably "He of all people won".'),
        ("They drink tea because it is hot.", "They probably drink tea because it is hot."),
        ("We sing.", "We probably sing."),
    ],
)
def test_what_stands_beside_a_pronoun_is_no_verb(answer, expected):
    assert texts("probably", "adverb", answer)[0] == expected


@pytest.mark.parametrize("said", ["It being late, we left.", "You each pay.", "They themselves drink."])
def test_an_adverb_does_not_part_a_pronoun_from_what_belongs_to_it(said):
    first, second, _ = said.split(" ", 2)
    assert f"{first} probably {second}" not in texts("probably", "adverb", said)[0]


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
