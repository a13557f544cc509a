"""The finder of cues: longest match, negation, degree, scope, numbers, and what the speaker does not own."""

from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

from ralc.english.cues import find_cues
from ralc.english.numbers import self_rating
from ralc.english.patterns import cue_classes, parse_pattern, patterns
from ralc.english.tokens import tokenise

#: Sentences that several people made to trip a reader, each with the classes of the cues that are the speaker's.
WHOSE_DOUBT = pd.read_csv(Path(__file__).parent / "data" / "whose_doubt.csv", keep_default_na=False)


def found(text):
    return [(cue.name, cue.degree, cue.negated) for cue in find_cues(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is Oslo.", []),
        ("It is probably Oslo.", [("probable", "", False)]),
        ("It is very likely Oslo.", [("likely", "high", False)]),
        ("I'm not sure.", [("sure", "", True)]),
        ("I am not at all sure.", [("sure", "at_all", True)]),
        ("I'm not entirely certain.", [("sure", "max", True)]),
        ("I'm far from certain.", [("sure", "", True)]),
        ("I'm fairly confident.", [("confident", "mid", False)]),
        ("There is no doubt that it is Oslo.", [("certain", "", False)]),
        ("I doubt that it is Oslo.", [("doubt", "", False)]),
        ("I don't doubt that it is Oslo.", [("certain", "", False)]),
        ("There is almost no doubt that it is Oslo.", [("almost_certain", "", False)]),
        ("There is almost no chance that it is Oslo.", [("almost_none", "", False)]),
        ("There is almost no snow in Oslo.", []),
        ("The doctors raised almost no doubts.", []),
        ("It is not very likely that it is Oslo.", [("unlikely", "", False)]),
        ("I cannot be sure.", [("sure", "", True)]),
        ("I can't say for sure.", [("unsure", "", False)]),
        ("I'm not certain, but it might be Oslo.", [("sure", "", True), ("might", "", False)]),
        ("Canberra?", [("question", "", False)]),
        ("The passage does not say who won.", [("firm_abstention", "", False)]),
        ("I don't know.", [("clueless", "", False)]),
    ],
)
def test_cues_of_a_sentence(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Paris. Confidence: 30%", 0.3),
        ("Paris (confidence: 30 %).", 0.3),
        ("Confidence level: 40%. Paris.", 0.4),
        ("Paris. My certainty is about 40 percent.", 0.4),
        ("My confidence in this answer is 85%.", 0.85),
        ("I would put my confidence at 40 percent.", 0.4),
        ("Paris, probability 30%.", 0.3),
        ("Paris\nConfidence: 0.4", 0.4),
        ("Paris (certainty 7/10).", 0.7),
        ("Confidence (0-10): 3. Paris.", 0.3),
        ("I would rate my confidence as 4 on a scale of 1 to 5.", 0.8),
        ("It is Paris, with a certainty of 0.7.", 0.7),
        ("I'd put the chance that it is Paris at two thirds.", 2 / 3),
        ("The probability of it being Paris is about 0.7.", 0.7),
        ("The chance I am wrong is less than one in twenty.", 0.95),
        ("There is a one in ten chance that I have confused it with Lyon.", 0.9),
        ("Consumer confidence is 30 percent.", None),
        ("It won at odds of 3 to 1.", None),
        ("More than 1 in 10,000.", None),
        ("There is a 30% chance of rain.", None),
        ("The ratio is 0.4.", None),
        ("Confidence in the government is 30 percent.", None),
        ("The confidence interval is 95 %.", None),
        ("The probability of heads is 50 percent.", None),
    ],
)
def test_a_number_that_the_speaker_gives_their_confidence(text, number):
    assert [cue.number for cue in find_cues(text)] == pytest.approx([] if number is None else [number])


@pytest.mark.parametrize(
    "text",
    [
        "A permit may be bought.",
        "The bridge could be opened.",
        "If you heat it, the pipe may burst.",
        "He met a man who might sell it.",
    ],
)
def test_what_may_be_done_with_a_thing_is_no_doubt(text):
    assert find_cues(text) == []


@pytest.mark.parametrize(
    "text", ["I would be surprised if it were not Oslo.", "I'd be shocked if it wasn't Oslo."]
)
def test_surprise_if_it_were_not_so_is_confidence(text):
    assert found(text) == [("confident", "", False)]


@pytest.mark.parametrize(
    "text",
    [
        'The song is called "Maybe Tomorrow".',
        "The motto means 'perhaps tomorrow' in English.",
        "The motto means ‘I don't know, perhaps’ in English.",
        "The song 'perhaps kisses' was sung in the '90s.",
        "The band is No Doubt.",
        "May 10, 1996 is the date.",
        "It was signed in May 1940.",
        "He was certain of victory.",
        "A certain number of people came.",
        "Heisenberg formulated the uncertainty principle.",
        "The treaty could not be signed.",
        "According to Newton, it falls.",
    ],
)
def test_what_the_speaker_does_not_own_is_no_cue(text):
    assert found(text) == []


def test_a_state_of_mind_that_was_left_does_not_count():
    assert found("I was unsure at first, but now I am certain.") == [("sure", "", False)]


def test_the_longest_pattern_wins():
    (cue,) = find_cues("Without a shadow of a doubt it is Oslo.")
    assert cue.expression == "without a shadow of a doubt"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("I'm 95% sure.", 0.95),
        ("There is a 30 percent chance.", 0.3),
        ("a chance of 5%", 0.05),
        ("I'm 0% sure", 0.0),
        ("I am about 30 percent certain of it.", 0.3),
        ("I'm 95 % sure.", 0.95),
        ("I'm ninety-five percent sure.", 0.95),
        ("I am only about 15 percent sure that it is Paris.", 0.15),
        ("My confidence here is about 20 percent.", 0.2),
        ("I'm 70 to 80% sure.", 0.8),
        ("One chance in a hundred.", 0.01),
        ("Nine times out of ten, it is so.", 0.9),
        ("There is a one in ten chance that it is so.", 0.1),
        ("There is a one in a trillion chance that it is so.", 1e-12),
        ("Two out of three, I gather.", 2 / 3),
    ],
)
def test_stated_numbers(text, number):
    assert find_cues(text)[0].number == pytest.approx(number)


@pytest.mark.parametrize(
    "text",
    [
        "One in ten people agree.",
        "She won two out of three games.",
        "It is 30% oxygen.",
        "Ten out of 3.",
        "In 1990.",
    ],
)
def test_numbers_of_things_are_no_chances(text):
    assert find_cues(text) == []


def test_contractions_and_curly_apostrophes_read_alike():
    assert found("I can’t be sure.") == found("I can't be sure.") == found("I cannot be sure.")


def test_a_stray_quotation_mark_hides_nothing():
    assert found('It is 12" long, maybe') == [("maybe", "", False)]


@pytest.mark.parametrize(
    "text",
    [
        "It was the '90s, and it is probably the Beatles' first album.",
    ],
)
def test_an_apostrophe_quotes_nothing(text):
    assert found(text) == [("probable", "", False)]


def test_a_wholly_quoted_answer_is_read():
    assert found('"Perhaps Oslo."') == [("maybe", "", False)]


def test_spans_are_positions_of_tokens_and_do_not_overlap():
    text = "I'm not sure, but I think it could possibly be Rome, although I have my doubts."
    cues, tokens = find_cues(text), tokenise(text)
    assert all(0 <= cue.start < cue.end <= len(tokens) for cue in cues)
    assert all(one.end <= two.start for one, two in pairwise(cues))


def test_every_pattern_is_of_a_known_class_and_has_a_required_word():
    for name, slots in patterns():
        assert name in cue_classes()
        assert not all(optional for _, optional in slots)


def test_groups_of_a_pattern():
    slots = parse_pattern("a_bit|so [as far|so far] (real|very real) clue")
    assert [optional for _, optional in slots] == [False, False, True, False]
    assert ("a", "bit") in slots[0][0]
    assert ("very", "real") in slots[2][0]


@pytest.mark.parametrize(
    "text", ["Allentown is a small city.", "The city has a low density.", "It has an extremely faint glow."]
)
def test_small_things_are_no_slight_chances(text):
    assert find_cues(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Paris is the only capital of France.",
        "He died just before the war.",
        "The main reason was a decline in trade.",
        "General Lee was forced back and asked for peace.",
        "A given number is the view of the whole army.",
        "The valve remains open on the surface.",
        "Cats usually sleep by day, and often at night.",
        "She is known as Ada and first appeared on the show in 2017.",
        "Women are more likely than men to live to ninety, in a way that is hearsay to this kind of man.",
        "The order is beyond the scope of the law, and an account of it is kept.",
        "Sometimes it snows, and the lake is largely frozen in some cases.",
    ],
)
def test_words_of_a_frame_and_how_often_a_thing_happens_are_no_cues(text):
    assert found(text) == []


def test_a_strong_suspicion_is_the_same_before_a_pronoun():
    before_pronoun, before_noun = (
        find_cues(f"I strongly suspect {rest}.")[0] for rest in ("it is Paris", "Paris")
    )
    assert before_pronoun.name == before_noun.name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mostly, it rains.", "presume"),
        ("Best guess, it rains.", "best_guess"),
        ("I take it that it rains.", "think"),
        ("There is no telling.", "hard_to_say"),
        ("Damned if I know.", "clueless"),
        ("It is not unthinkable.", "possible"),
        ("It is well established.", "fact"),
        ("With some hesitation, it rains.", "cautious"),
        ("All being well, it rains.", "condition"),
        ("As near as I can tell, it rains.", "knowledge"),
    ],
)
def test_class_of_an_expression(text, name):
    assert [cue.name for cue in find_cues(text)] == [name]


def test_a_modal_alone_is_a_doubt():
    assert [found(text) for text in ("might", "It is Rome. It might")] == [[("might", "", False)]] * 2


def test_a_number_does_not_look_round_the_text_s_beginning():
    assert self_rating(["the", "chance", "is", "30%", "put"], 3) is None


def test_whose_doubt_a_cue_is_is_told_by_the_parse():
    """All but some of the sentences: no rule is made for a wording that was made to trip the rules."""
    read = [";".join(cue.name for cue in find_cues(text)) for text in WHOSE_DOUBT["text"]]
    missed = WHOSE_DOUBT["text"][WHOSE_DOUBT["cues"] != read]
    assert len(missed) <= 12, missed.tolist()
