"""The finder of cues: longest match, negation, degree, scope, numbers, and what the speaker does not own."""

from itertools import pairwise

import pytest

from ralc.english.cues import find_cues
from ralc.english.numbers import self_rating
from ralc.english.patterns import cue_classes, parse_pattern, patterns
from ralc.english.tokens import tokenise


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
        ("I'd give that 3 to 1 odds.", 0.75),
        ("I'd give that 3 to 1 odds against.", 0.25),
        ("The chance I am wrong is less than one in twenty.", 0.95),
        ("There is a one in ten chance that I have confused it with Lyon.", 0.9),
        ("Consumer confidence is 30 percent.", None),
        ("It won at odds of 3 to 1.", None),
        ("More than 1 in 10,000.", None),
        ("There is a 30% chance of rain.", None),
        ("Each side has a 1/6 probability.", None),
        ("The ratio is 0.4.", None),
        ("Confidence in the government is 30 percent.", None),
        ("The confidence interval is 95 %.", None),
        ("The probability of heads is 50 percent.", None),
    ],
)
def test_a_number_that_the_speaker_gives_their_confidence(text, number):
    assert [cue.number for cue in find_cues(text)] == pytest.approx([] if number is None else [number])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I don't think it is Lagos; the capital is Abuja.", []),
        ("I don't think it's Sydney, it's Canberra.", []),
        ("I don't think it is Bonn; the proof is long.", ["doubt"]),
        ("I doubt that it is Paris, it is too small.", ["doubt"]),
        ("It is unlikely that it is Bonn, but the city is large.", ["unlikely"]),
        ("It may be taken with food.", ["may"]),
        ("It may be taken from Homer.", ["may"]),
        ("I doubt it is a fish, because it has lungs. It is a mammal.", []),
        ("A buyer may return the goods.", []),
        ("Teachers may leave early, and bags may be brought.", []),
        ("A judge may not sit in their own case.", []),
        ("A storm may hit the coast.", ["may"]),
        ("The king may have died if he fought there.", ["may"]),
        ("The seller may keep it unless it is broken.", []),
        ("Dinosaurs may have had feathers.", ["may"]),
        ("The poem may have been written in Rome if I remember rightly.", ["may", "recall"]),
        ("The gas may irritate the eyes.", ["may"]),
        ("The gas may prevent fires.", ["may"]),
        ("You might want to add salt.", ["might"]),
        ("You might want to verify that.", ["might"]),
        ("In the play, the king believed that his son was perhaps dead.", []),
        ("Some sources say that it was perhaps Rome.", ["reported", "maybe"]),
        ("My doctor thinks that it is probably a virus.", ["probable"]),
        ("There is a small chance that I am wrong.", []),
        ("I doubt that I'm mistaken.", []),
        ("I am probably wrong.", ["wrong"]),
        ("This is likely to be wrong, but it is Paris.", ["wrong"]),
        ("I have hardly any confidence that it is Paris.", ["wild_guess"]),
        ("His rivals claimed that the law was probably wrong.", []),
        ("There is a small chance that it is Rome.", ["slight"]),
        ("Possible symptoms are fever and cough.", []),
        ("Possible answers are Rome and Bonn.", ["possible"]),
        ("The purpose of the stones is still debated.", []),
        ("It is not known who built it.", []),
        ("It is unknown.", ["hard_to_say"]),
        ("Physicists do not know what dark matter is.", []),
        ("I do not know what dark matter is.", ["clueless"]),
        ("Sorry, the last answer was wrong.", []),
        ("Sorry, I got that wrong.", []),
        ("Sorry, I am not sure.", ["abstention", "sure"]),
        ("It is not the chance of an error.", []),
        ("Most farmers do not believe in the plan.", []),
        ("Some farmers doubt that it works.", []),
        ("I do not believe in the plan.", ["doubt"]),
        ("The lawyer did not believe in the plan.", []),
        ("He does not know what it is.", []),
        ("I really do not know what it is.", ["clueless"]),
        ("The assistant does not know the answer.", ["clueless"]),
        ("This AI does not know.", ["clueless"]),
        ("The document does not know what it is.", ["clueless"]),
        ("So do not know.", ["clueless"]),
        ("It is hard to believe.", ["doubt"]),
        ("It is impossible to cross the pass in winter.", []),
        ("It is impossible that he crossed the pass.", ["impossible"]),
        ("Every possible route crosses it.", []),
        ("The likely voters were asked.", []),
        ("He paid the highest possible price.", []),
        ("An impossible task lay before them.", []),
        ("The uncertainty of the measurement is small.", []),
        ("The possibility of rain is small.", []),
        ("The possibility of its arrival is small.", []),
        ("There is the possibility of it being Rome.", ["possible"]),
        ("I name Oslo as a possible answer.", ["possible"]),
        ("It seems possible that he paid.", ["seem", "possible"]),
        ("The likely author was Ovid.", ["likely"]),
        ("They named him as a likely author.", ["likely"]),
        ("The likely authors were Ovid and Virgil.", ["likely"]),
        ("The most likely causes are smoking and age.", ["likely"]),
        ("The probable winners were Brazil.", ["probable"]),
        ("A likely answer is Ovid.", ["likely"]),
        ("The army possibly numbers ten men.", ["possible"]),
        ("Ask if the rule is unclear.", []),
        ("I ask if I am probably wrong.", ["wrong"]),
        ("It is Ovid, even if it is unlikely.", ["unlikely"]),
        ("Many say that it is Sydney, but the capital of Australia is Canberra.", []),
        ("Some sources say that it is Sydney, but the records are lost.", ["reported"]),
        ("I do not think it was Ovid. I think it was Virgil.", ["think"]),
        ('The author of "It" is unknown.', []),
        ("There is a chance of a storm.", []),
        ("There is a chance of twins.", []),
        ("There is a chance of copper.", ["chance"]),
        ("The chance of twins is one in eighty.", []),
        ("The chance of it being copper is one in eighty.", ["chance"]),
        ("A die has a one in six chance of showing a four.", []),
    ],
)
def test_another_answer_s_doubt_and_what_is_permitted_are_no_cues(text, names):
    assert [cue.name for cue in find_cues(text)] == names


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("The gas may irritate the eyes.", 0.5),
        ("The gas may be a poison.", 1),
        ("The gas may have been a poison.", 1),
        ("The gas may originate in the crust.", 1),
        ("It may irritate the eyes.", 1),
        ("It may be taken with food.", 0.5),
        ("It may be taken from Homer.", 1),
        ("It may be called Oslo.", 1),
        ("The fire may be caused by a leak.", 0.5),
        ("Could the answer be Oslo?", 1),
        ("You may want to rest.", 0.5),
        ("You may be right.", 1),
        ("1997 might be when it was built.", 1),
        ("The man who may have built it is Imhotep.", 1),
        ("When it comes to the capital, the answer might be Canberra.", 1),
        ("If you mean the country, the capital might be Tbilisi.", 1),
        ("When he died in 1950, the author may have been in London.", 1),
        ("The temple may be located in Athens.", 1),
        ("The city may be situated on the Rhine.", 1),
        ("The treaty may be dated 1648.", 1),
        ("The bridge could be built in 1912.", 0.5),
        ("The river may be found in Asia.", 0.5),
        ("The author may be considered a modernist.", 0.5),
    ],
)
def test_what_a_thing_may_do_is_heard_by_every_second_reader(text, heard):
    assert find_cues(text)[0].heard == heard


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
        "Let 'em know that it is probably the Lakers' title.",
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
