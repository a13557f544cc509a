"""The Rewriter: what is meant already stays, no hedge stands twice, nothing missed is sent, no other byte changes."""

import numpy as np
import pytest

from ralc import Beta, evaluators
from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.english import pointing_on, sentences
from ralc.rewriting import Door, Reason, Rewriter
from ralc.rewriting.notes import STEP, load_notes, nearest_notes, notes_for
from ralc.rewriting.rewriter import MARK
from ralc.rewriting.selection import FEWEST, Claim, Hedge, Option, choose
from tests.cases import cases

BIOGRAPHY = (
    "Ada Lima is a Peruvian engineer. She was born on 4 May 1951 in Cusco. She studied physics in Oslo and worked on"
    " bridges. Her first bridge was opened in 1979.\n\nShe has won two medals. Lima lives in Quito with her family."
)


@pytest.fixture(scope="module")
def rewriter():
    return Rewriter(built_in_lexicon(), evaluators.load("cue_model"))


def target(mean):
    return None if mean is None else Beta.from_mean_concentration(mean, 10)


def say(rewriter, answer, *means, **how):
    """One answer, rewritten towards these means: one of all of it, or one a claim."""
    targets = target(means[0]) if len(means) == 1 else [*map(target, means)]
    return rewriter.rewrite([answer], [targets], **how)[0]


@pytest.mark.parametrize(
    ("answer", "mean", "text", "reason"),
    [
        ("The capital of Sweden is Stockholm.", 0.95, None, Reason.ALREADY),
        ("It is probably Lima.", 0.68, None, Reason.ALREADY),
        ("I think it is Lima.", 0.95, "It is Lima.", ""),
        ("*I think* the capital is **Lima**.", 0.95, "The capital is **Lima**.", ""),
        ("*Probably* **Lima** is the capital.", 0.95, "**Lima** is the capital.", ""),
        ("It is Lima.", None, None, Reason.NO_CONFIDENCE),
        ("I don't know.", 0.3, None, Reason.ABSTAINS),
        ("Thanks!", 0.3, None, Reason.SILENT),
    ],
)
def test_what_needs_no_hedge_gets_none(rewriter, answer, mean, text, reason):
    made = say(rewriter, answer, mean)
    assert made.text == (text or answer)
    assert made.reason == reason
    assert made.hedge == ""
    assert made.changed == bool(text)
    assert made.calibrated == (reason in ("", Reason.ALREADY))


@pytest.mark.parametrize("answer", [
    "Your order ships on Monday.", "The word سلام means peace.", "- **Capital:** Lima\n- **River:** Rímac",
    "The capital of Peru is", "Here are the facts:\n\n- **Capital:** Lima",
    "Here are the opening hours:\n\n- Monday: 9 am to 6 pm\n- Saturday: 10 am",
    "Here's what we have:\n1. A pool\n2. A bar", "Departs from Terminal 5.",
])  # fmt: skip
def test_what_takes_no_hedge_inside_has_a_note(rewriter, answer):
    made = say(rewriter, answer, 0.2)
    assert made.door is Door.NOTE
    assert answer.rstrip(".") in made.text


@cases
def test_an_answer_that_ends_in_a_letter_does_not_go_out_sure(rewriter, answer):
    made = say(rewriter, answer, 0.2)
    assert made.door in (Door.HEDGE, Door.NOTE)
    assert made.calibrated


@pytest.mark.parametrize(("question", "answer", "end"), [
    ("Who wrote Beloved?", "Beloved was written by Ann.", " Beloved was written by Ann."),
    ("What is basil related to?", "Basil is related to mint.", " basil is related to mint."),
    ("what is hiraeth?", "Hiraeth is a longing.", " Hiraeth is a longing."),
    ("Which king wrote it?", "King John wrote the charter.", " King John wrote the charter."),
    ("Who led the fleet?", "Commodore", " Commodore."),
    ("Which browser is it?", "Safari", " Safari."),
    ("Who knows?", "Nobody", " nobody."),
    ("What is it?", "Safari", " safari."),
    ("What is in the table?", "Table 2 gives two prices.", " Table 2 gives two prices."),
    ("What is due?", "Article 5 asks for a fee.", " Article 5 asks for a fee."),
])  # fmt: skip
def test_a_title_has_its_capital_of_the_question(rewriter, question, answer, end):
    assert say(rewriter, answer, 0.9, questions=[question]).text.endswith(end)


@pytest.mark.parametrize("answer", ["H2O", "Côte d'Ivoire exports cocoa.", "Not on Mondays."])
def test_a_claim_alone_is_said_as_its_answer(rewriter, answer):
    (made,) = rewriter.rewrite([answer], [[target(0.3)]])
    assert made.text == say(rewriter, answer, 0.3).text != answer
    assert [one.target.mean for one in made.sentences] == [pytest.approx(0.3)]


@cases
def test_an_answer_to_a_question_claims(rewriter, question, answer, claims):
    assert say(rewriter, answer, 0.2, questions=[question]).changed == claims


@cases
def test_a_note_speaks_of_what_is_doubted(rewriter, question, answer, mean, note):
    made = say(rewriter, answer, mean, questions=[question])
    assert made.hedge == note
    assert made.text.startswith(answer[:-1])


@cases
def test_a_greeting_claims_nothing(rewriter, answer):
    assert say(rewriter, answer, 0.2).door is Door.CLAIMS_NOTHING


@pytest.mark.parametrize(
    ("answer", "claims", "door"),
    [
        ("The capital is Lima. It is not known when it was built. It has ten bridges.", 3, Door.NOTE),
        ("I'm sorry, but I cannot tell you. It would be a violation of her privacy.", 1, Door.CLAIMS_NOTHING),
    ],
)
def test_the_door_of_several_claims_says_what_became_of_them(rewriter, answer, claims, door):
    made = rewriter.rewrite([answer], [[Beta(2, 18)] * claims])[0]
    assert made.door is door
    assert made.changed == (door is Door.NOTE)


def test_a_protocol_may_have_everything_hedged():
    all_hedged = Rewriter(built_in_lexicon(), evaluators.load("cue_model"), keep=False)
    assert say(all_hedged, "The capital of Sweden is Stockholm.", 0.95).hedge


@pytest.mark.parametrize("mean", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_an_answer_is_read_as_meant_and_two_passes_suffice(rewriter, mean):
    texts = [f"The capital of {name} is {name} City." for name in ("Peru", "Togo", "Chad", "Fiji", "Iran")]
    read = []
    evaluator = evaluators.load("cue_model")

    class Counting(type(evaluator)):
        def read(self, texts):
            read.extend(texts)
            return evaluator.read(texts)

    counting = Counting("cue_model")
    made = Rewriter(built_in_lexicon(), counting).rewrite(texts, [target(mean)] * 5)
    assert all(one.calibrated for one in made)
    assert all(abs(float(one.read.mean) - mean) <= 0.05 + 1e-9 for one in made)
    assert len(read) <= 4 * len(texts)


@pytest.mark.parametrize(
    ("plain", "text"), [(True, "It is probably Lima."), (False, "It is probable that it is Lima.")]
)
def test_the_plainest_that_is_read_as_meant_is_taken_or_the_nearest(plain, text):
    hedges = [Hedge("it is probable", "clause", 0.0), Hedge("probably", "adverb", 0.04, 0.04)]
    claim = Claim("It is Lima.", target(0.7), hedges=hedges, whole=True)
    choose([claim], evaluators.load("cue_model"), plain=plain)
    assert claim.text == text


@cases
def test_a_hedge_is_the_plainer_the_less_it_stands_out(hedge, frame, text, plainness):
    assert Option(text, Hedge(hedge, frame, 0.0)).plainness == plainness


@cases
def test_a_hedge_stands_where_a_person_would_put_it(rewriter, answer, means, text):
    assert say(rewriter, answer, *means).text == text


def test_a_range_stands_beside_its_hedge_and_the_best_wording_may_be_taken(rewriter):
    assert "%)" in say(rewriter, "It is Lima.", 0.5, style="range").text
    several = "It is large. It is old. It is far. It is new."
    best = say(rewriter, several, 0.02, on_miss="best")
    left = say(rewriter, several, 0.02)
    assert best.changed or best.reason == ""
    assert left.changed == (left.reason == "")


def test_a_writer_competes_if_it_keeps_the_content(rewriter):
    made = say(rewriter, "It is Lima.", 0.7, writer=lambda *_: ["It is probably Lima.", "It is Rome.", ""])
    assert made.text in ("It is probably Lima.",) or made.hedge
    assert "Rome" not in made.text
    with pytest.raises(TypeError, match="must return a list of texts"):
        say(rewriter, "It is Lima.", 0.5, writer=lambda *_: "It may be Lima.")


def test_every_claim_is_read_as_meant_and_no_hedge_stands_twice(rewriter):
    means = [0.95, 0.6, 0.62, 0.3, 0.95, 0.1]
    made = say(rewriter, BIOGRAPHY, *means)
    assert made.calibrated
    assert all(one.calibrated for one in made.sentences)
    assert [round(float(one.target.mean), 2) for one in made.sentences] == means
    hedges = [one.hedge for one in made.sentences if one.hedge]
    assert len(hedges) == len(set(hedges)) == FEWEST
    assert made.text[made.sentences[0].start : made.sentences[0].end] == "Ada Lima is a Peruvian engineer."
    assert made.text.count("\n\n") == 1


def test_an_answer_of_many_doubtful_claims_opens_with_a_note_of_them(rewriter):
    made = say(rewriter, BIOGRAPHY, 0.5, 0.48, 0.1, 0.5, 0.9, 0.5)
    assert made.door is Door.NOTE
    note, _, rest = made.text.partition(".\n\n")
    assert note in map(pointing_on, load_notes("whole"))
    hedged = [one.hedge != "" for one in made.sentences]
    assert hedged == [False, False, True, False, True, False]
    for one in made.sentences:
        assert abs(float(one.read.mean - one.target.mean)) < 0.06
    assert rest.count("\n\n") == 1


def test_beneath_a_note_at_most_half_of_the_claims_have_a_hedge(rewriter):
    made = say(rewriter, BIOGRAPHY, 0.1, 0.9, 0.4, 0.5, 0.4, 0.3)
    assert made.door is Door.NOTE
    assert sum(one.hedge != "" for one in made.sentences) <= 3


@cases
def test_what_explains_has_one_note_for_all(rewriter, answer, means, question, hedged, begins):
    made = say(rewriter, answer, *means, questions=[question])
    assert [at for at, one in enumerate(made.sentences) if one.hedge] == hedged
    assert made.text.startswith(begins)


@pytest.mark.parametrize(
    "answer",
    [
        "Of course! The museum was founded in 1901, and it is large. Would you like to hear more?",
        "In most cases, yes. A heat pump works in the cold.",
        "Its words come mostly from Latin.",
    ],
)
def test_what_obliges_or_says_how_far_a_claim_goes_stays(rewriter, answer):
    for mean in (0.1, 0.4, 0.7):
        made = say(rewriter, answer, mean)
        assert made.changed
        for words in ("Of course!", "In most cases, yes.", "mostly"):
            assert (words in made.text) == (words in answer)


@pytest.mark.parametrize("answer", ["`A`", r"\boxed{A}", r"$\boxed{\text{A}}$", "<answer>A</answer>"])
def test_a_letter_in_code_has_a_note_where_the_question_has_choices(rewriter, answer):
    asked = "Which is a metal?\nA. Iron\nB. Neon"
    for question, door in ((asked, Door.NOTE), ("What is its name?", None)):
        (made,) = rewriter.rewrite([answer], [Beta(1, 9)], questions=[question])
        assert made.text.startswith(answer)
        assert (made.door is Door.NOTE) == (door is Door.NOTE)
        assert made.changed == (door is Door.NOTE)


@pytest.mark.parametrize(
    ("means", "most"),
    [
        ((0.25, 0.1, 0.7, 0.55, 0.1, 0.3), False),
        ((0.1, 0.7, 0.7, 0.85, 0.25, 0.4), False),
        ((0.7, 0.7, 0.2, 0.7, 0.75, 0.7), True),
    ],
)
def test_a_note_of_the_whole_is_of_the_level_of_all_claims(rewriter, means, most):
    made = say(rewriter, BIOGRAPHY, *means)
    assert made.door is Door.NOTE
    note = rewriter._evaluator.read([f"{made.text.partition('.')[0]}. It is so."])
    assert abs(float(note.mean[0]) - sum(means) / len(means)) <= 0.08
    assert ("most of" in made.text[:60].lower()) == most


def test_a_note_is_not_worth_it_where_silence_says_as_much(rewriter):
    crowded = say(rewriter, BIOGRAPHY, 0.88, 0.87, 0.82, 0.85, 0.88, 0.2)
    assert not crowded.text.startswith(tuple(load_notes("whole")))
    assert [one.reason for one in crowded.sentences].count(Reason.CROWDED) == 2


@pytest.mark.parametrize(
    ("below", "reason", "text"), [("drop", Reason.DROPPED, ""), ("mark", Reason.MARKED, f"It is old {MARK}.")]
)
def test_what_is_hardly_supported_is_dropped_or_marked(rewriter, below, reason, text):
    made = say(rewriter, "Rome is large. It is old.", 0.95, 0.1, below=below)
    assert made.text == f"Rome is large. {text}".rstrip()
    assert [one.reason for one in made.sentences] == [Reason.ALREADY, reason]


def test_lists_and_other_bytes_stay(rewriter):
    answer = "Sure! **Facts:**\n\n- The **old bridge** was built in 1357.\n- It crosses the river.\n\n`code`\n\nMore?"
    made = say(rewriter, answer, 0.3, 0.6)
    assert made.calibrated
    assert made.text.startswith("Sure! **Facts:**\n\n- ")
    assert made.text.endswith("\n\n`code`\n\nMore?")
    assert made.text.count("\n- ") == 2
    assert "**old bridge** was" in made.text
    # A comment goes where each claim says its own.
    made = say(rewriter, "It is in Bonn. It is old. I could be wrong about all of this.", 0.95, 0.5)
    assert made.calibrated
    assert "wrong" not in made.text


@pytest.mark.parametrize(("question", "given"), [
    ("Ann has three sons. How many daughters has Ann?", True),
    ("I think Ann has three sons. How many daughters has Ann?", False),
    ("Ann has three sons. Is that right?", False),
    ("Tom says that Ann has three sons.", False),
    ("How many daughters has Ann?", False),
])  # fmt: skip
def test_what_the_question_tells_is_no_claim(rewriter, question, given):
    made = say(rewriter, "Ann has three sons. She has two daughters.", 0.2, 0.3, questions=[question])
    assert ("Ann has three sons. " in made.text) == given
    assert (made.sentences[0].reason is Reason.GIVEN) == given


@pytest.mark.parametrize(("question", "given"), [
    ("You are a poet. Prove that the root of two is irrational.", True),
    ("Is the root of two irrational? I think so.", False),
    ("Prove it.", False),
])  # fmt: skip
def test_what_an_order_tells_is_no_claim(rewriter, question, given):
    made = say(rewriter, "The root of two is irrational.", 0.2, questions=[question])
    assert (made.reason is Reason.GIVEN) == given
    assert made.changed != given


@pytest.mark.parametrize(("answer", "question", "kept"), [
    ("We need to add. There are two.\n\nThus, it is \\(\\boxed{3}\\).", "How many?", "\\boxed{3}\\). "),
    ("We need to add. There are two.\n\nSo the sum is three.\n\\[ 3 \\]", "How many?", "\\[ 3 \\]\n\n"),
    ("The theorem states that it is so. It is old.\n\\[ a = b \\]", "Prove the theorem.", "b \\]\n\n"),
])  # fmt: skip
def test_the_doubt_of_a_derivation_stands_behind_all_of_it(rewriter, answer, question, kept):
    means = [0.3] * sum(one.claims for one in sentences(answer))
    made = say(rewriter, answer, *means, questions=[question])
    assert made.text.startswith(answer)
    assert kept in made.text
    assert made.text.endswith(".")
    assert [one.reason for one in made.sentences] == [Reason.STEP] * (len(means) - 1) + [Reason.NONE]


@pytest.mark.parametrize(("claim", "reason"), [
    ("To see whether it is old, the town should look at it. It is old.", Reason.SUPPOSES),
    ("Ginger can help. It is hot. Wash it. Peel it. Cut it. Cook it.", Reason.SUPPOSES),
    ("Ginger came from Asia in 1932. It is hot. Wash it. Peel it. Cut it. Cook it.", ""),
])  # fmt: skip
def test_advice_is_not_doubted(rewriter, claim, reason):
    means = [0.3] * sum(one.claims for one in sentences(claim))
    made = say(rewriter, claim, *means)
    assert made.sentences[0].reason == reason


def test_a_claim_may_have_no_confidence_and_an_order_none_at_all(rewriter):
    made = say(rewriter, "Rome is large. It is old.", None, 0.5)
    assert [one.reason for one in made.sentences] == [Reason.NO_CONFIDENCE, ""]
    ordered = say(rewriter, "The house was dark. It was old.", 0.5, 0.5, questions=["Write a ghost story."])
    assert ordered.text == "The house was dark. It was old."
    assert ordered.reason == Reason.WRITING
    assert say(rewriter, "Thanks!").reason == Reason.SILENT
    with pytest.raises(ValueError, match="has 2 claims, not 3"):
        say(rewriter, "Rome is large. It is old.", 0.5, 0.5, 0.5)


@cases
def test_what_goes_and_what_stays_beside_a_doubt(rewriter, answer, means, gone, kept):
    made = say(rewriter, answer, *means)
    assert made.calibrated
    assert gone is None or gone not in made.text
    assert kept.rstrip(".") in made.text
    assert all(made.text[one.start : one.end] == one.text for one in made.sentences)


@cases
def test_a_yes_vouches_for_what_is_doubted(rewriter, question, answer, mean, opens):
    assert say(rewriter, answer, mean, questions=[question]).text.startswith(opens)


@pytest.mark.parametrize("answer", ["No, the gate is open.", "Therefore, the gate is open.", "No gate is open.",
                                    "Thanks for asking! The gate is open.", "The gate is open [2].",
                                    '"The capital of Peru is Lima."', "Because air scatters light more."])  # fmt: skip
def test_what_a_denial_would_contradict_has_a_note(rewriter, answer):
    made = say(rewriter, answer, 0.1)
    assert made.door == Door.NOTE
    assert made.text.startswith(answer.rstrip("."))


@pytest.mark.parametrize(("answer", "mean"), [("The author argues that cars are bad.", 0.85),
                                              ("Source 1 gives 400, while Source 2 gives 520.", 0.55),
                                              ("According to the manual, it is old.", 0.1)])  # fmt: skip
def test_a_note_calls_no_opinion_right(rewriter, answer, mean):
    made = say(rewriter, answer, mean)
    assert "right" not in made.text.removesuffix(" I have that right.")
    assert made.calibrated


def test_a_note_says_what_is_meant_whatever_the_answer_adds(rewriter):
    made = say(rewriter, "It might rain, but it is hard to say.", 0.5)
    assert made.text == "It might rain, but it is hard to say, I think."


ASKED = "Which country in South Asia has the most people?"


@pytest.mark.parametrize(
    ("answer", "mean", "scope"),
    [
        ("Pakistan is an important country in South Asia.", 0.1, "beside"),
        ("Pakistan is an important country in South Asia.", 0.3, "beside"),
        ("PAKISTAN HAS THE MOST PEOPLE.", 0.2, "aside"),
    ],
)
def test_a_reply_beside_the_question_is_not_denied(rewriter, answer, mean, scope):
    """ "It is very unlikely that Pakistan is an important country in South Asia." was said of a true reply."""
    made = say(rewriter, answer, mean, questions=[ASKED])
    assert made.door is Door.NOTE
    assert made.hedge in load_notes(scope)
    assert made.text.startswith(answer.rstrip("."))


def test_a_reply_beside_the_question_may_be_affirmed(rewriter):
    made = say(rewriter, "Pakistan is an important country in South Asia.", 0.7, questions=[ASKED])
    assert made.door is Door.HEDGE
    assert made.calibrated


@pytest.mark.parametrize(("mean", "times"), [(0.9, 0), (0.5, 0), (0.3, 1)])
def test_only_where_a_denial_threatens_is_an_answer_compared_with_its_question(
    rewriter, monkeypatch, mean, times
):
    asked = []
    monkeypatch.setattr("ralc.rewriting.rewriter.may_be_beside", lambda *texts: asked.append(texts))
    say(rewriter, "Lima was founded in 1535.", mean, questions=["Who was the founder of Lima?"])
    assert len(asked) == times


@cases
def test_notes_cover_the_scale(rewriter, mean):
    made = say(rewriter, "THE CAPITAL OF PERU IS LIMA.", mean)
    assert made.door is Door.NOTE
    assert abs(float(made.read.mean) - mean) <= 0.06


@pytest.mark.parametrize("question", ["What does it do?", "What does ```x = 1``` do?"])
def test_what_tells_of_code_beside_it_passes(rewriter, question):
    code = "" if "```" in question else "```\nx = 1\n```\n\n"
    answer = f"{code}The variable is a number. The loop stops at five."
    made = say(rewriter, answer, 0.3, 0.3, questions=[question])
    assert made.text == answer
    assert {one["reason"] for one in made.to_dict()["sentences"]} == {Reason.CODE}


@pytest.mark.parametrize("mean", [0.3, 0.55])
def test_beside_a_whole_answer_notes_are_read_that_may_be_taken(mean):
    reader = evaluators.load("cue_model")
    claim = Claim("It is old.", target(mean), whole=True)
    far = abs(reader.read([f"It is old, {note}." for note in load_notes("aside")]).mean - mean)
    near = [note for note, one in zip(load_notes("aside"), far, strict=True) if one <= STEP]
    assert near == notes_for(claim, reader)


@pytest.mark.parametrize(
    ("scope", "reach"),
    [("answer", 0.06), ("support", 0.1), ("aside", 0.06), ("question", 0.06), ("whole", 0.08)],
)
def test_each_confidence_has_a_note_within_reach(scope, reach):
    """A note of 0.28 and one of 0.42 left a reply of 0.35 uncalibrated."""
    reader = evaluators.load("cue_model")
    for mean in np.arange(0.05, 0.57, 0.01):
        note = nearest_notes(scope, mean, few=1)[0]
        read = reader.read([f"It is so. {note}."]).mean[0]
        assert read == pytest.approx(mean, abs=reach)


@pytest.mark.parametrize(
    "answer",
    [
        "B. It is unknown",
        "**C. Possibly benign**",
        "D. Perhaps",
        "A. Cannot be determined",
        "a-2, b-1",
    ],
)
def test_what_a_choice_says_is_no_hedge(rewriter, answer):
    for mean in (0.1, 0.4, 0.7):
        made = say(rewriter, answer, mean)
        assert made.calibrated
        assert answer.strip("*") in made.text
