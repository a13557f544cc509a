"""Support: how much of a sentence other answers say."""

import numpy as np
import pytest

from ralc.signals import Answers, of_answers, said_in, support, support_where_spoken_of

SENTENCE = "He was born in Los Angeles on August 24, 1956."


def test_numbers_and_names_weigh_more_by_hand():
    # born 1, Los, Angeles, August 2 each, 24 and 1956 3 each: 13 in all.
    said = said_in(SENTENCE, ["He was born in 1956.", "August in Los Angeles", "Nothing.", SENTENCE])
    assert said == pytest.approx([4 / 13, 6 / 13, 0, 1])


def test_the_words_of_the_question_say_nothing():
    assert said_in(
        "Doug Sheehan is an actor.", ["Doug Sheehan sings."], "Tell me a bio of Doug Sheehan."
    ) == [0]
    assert said_in("Doug Sheehan.", ["Doug Sheehan sings."], "Who is Doug Sheehan?") == [0]


def test_endings_and_the_order_of_words_do_not_matter():
    assert said_in("She directed documentaries.", ["a documentary, which she was directing"]) == [1]
    assert said_in(SENTENCE, []).shape == (0,)


def test_support_is_counted_with_half_an_answer_on_either_side():
    made = support([[1, 1, 0], [0.5, 0, 0], [0, 0, 0]])
    assert made.alpha.tolist() == [2.5, 1, 0.5]
    assert made.concentration.tolist() == [4, 4, 4]
    assert support(np.empty((1, 0))).mean.tolist() == [0.5]


def test_what_nobody_speaks_of_has_a_value_of_its_own():
    made = support_where_spoken_of([[1, 0], [0, 0], [0.24, 0.25]])
    assert made.mean.tolist() == pytest.approx([0.75, 0.5, 0.375])
    assert made.concentration.tolist() == [2, 1, 2]


def test_more_said_is_never_less_support():
    rng = np.random.default_rng(1)
    said = rng.random((50, 4))
    assert (support(np.minimum(said + 0.1, 1)).mean >= support(said).mean).all()


@pytest.mark.parametrize("bad", [[1.2], [-0.1], [np.nan]])
def test_a_share_outside_the_range_is_refused(bad):
    with pytest.raises(ValueError, match="said must be in"):
        support(bad)


def test_a_short_answer_is_the_case_of_one_sentence():
    answers = Answers(["Oslo", "It is Oslo.", "Bergen"], [0, 0, 1], [None] * 3)
    assert of_answers("support", answers).mean == of_answers("answer_support", answers).mean == 0.5
    assert of_answers("support", Answers(["Oslo"], [0], [None])) is None
