"""Where hedges stand in sentences: by hand, and the promise that no word of an answer is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
            "I have hardly any confidence",
            "clause",
            "Yes, it is Rome.",
            'I have hardly any confidence that the answer is "Yes, it is Rome".',
        ),
        (
            "I think",
            "clause",
            "French people eat bread.",
            "I think that French people eat bread.",
        ),
        (
            "quite possibly",
            "adverb",
            "In case people, places, or organizations can be harmed.",
            'The answer is quite possibly "In case people, places, or organizations can be harmed".',
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


@pytest.mark.parametrize(
    ("hedge", "expected"),
    [
        ("my impression is", "My impression is that it is 374."),
        ("my understanding is", "My understanding is that it is 374."),
        ("my gut feeling is", "My gut feeling is that it is 374."),
        ("my hunch is", "My hunch is that it is 374."),
        ("my rough guess is", "My rough guess is 374."),
        ("my tentative answer is", "My tentative answer is 374."),
        ("the most likely answer is", "The most likely answer is 374."),
    ],
)
def test_a_noun_that_names_no_answer_has_a_sentence_behind_it(hedge, expected):
    """It was "My impression is 374."."""
    assert texts(hedge, "clause", "374")[0] == expected


def test_no_place_misreads():
    """It was "is possibly approximately 243" and "I believe coming from Nigeria, ..."."""
    density = "The density is approximately 243."
    assert texts("possibly", "adverb", density) == ["Possibly the density is approximately 243."]
    assert texts("I believe", "clause", "Coming from Nigeria, Uganda is small.") == [
        "I believe that coming from Nigeria, Uganda is small."
    ]


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


def test_middle_is_unknown_without_a_known_verb():
    assert middle("Zebras munch grass") is None


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


def test_long_adversarial_answers_take_linear_time():
    for answer in ("a. A" * 50_000, "is that " * 50_000, "(" * 200_000, '"' * 200_000):
        assert places("probably", "adverb", read_sentence(answer))


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
