"""Reliance: belief after reading by hand, over evaluators, what decisions gain, and the people it was fitted on."""

import json

import numpy as np
import pytest
from scipy import stats

from ralc import Beta, data
from ralc.reliance import SITUATIONS, Reliance, Situation, confidence_masses, measures
from studies import advice, reliance

COMMITTED = json.loads(data.path("reliance.json").read_text())
PEOPLE = Reliance.committed()


def means(outcome, confidence, situation=SITUATIONS["default"]):
    """The metrics of some answers."""
    found = measures(outcome, confidence_masses(confidence), situation)
    return {
        name: float(value @ weight / weight.sum()) for name, (value, weight) in found.items() if weight.any()
    }


def test_belief_by_hand():
    pooling = Reliance(-0.01, 0.735, 0.370)
    # logit(0.3) = -0.8473, logit(0.9) = 2.1972: -0.01 - 0.6228 + 0.8130 = 0.1802, and its sigmoid
    assert pooling.belief(0.3, 0.9) == pytest.approx(0.5449, abs=1e-4)
    assert pooling.accepts(0.3, 0.9, 0.5) == 1.0
    noisy = Reliance(-0.01, 0.735, 0.370, scatter=0.75)
    assert noisy.accepts(0.3, 0.9, 0.5) == pytest.approx(stats.norm.cdf(0.1802 / 0.75), abs=1e-3)
    assert pooling.distance(0.3, 0.9, 1) == pytest.approx((1 - 0.5449) ** 2, abs=1e-3)


def test_fit_finds_the_weights():
    rng = np.random.default_rng(0)
    before, said = rng.normal(size=(2, 4000))
    after = 0.1 + 0.6 * before + 0.3 * said + 0.3 * rng.normal(size=4000)
    fitted = reliance.fit(before, said, after)
    assert (fitted.intercept, fitted.prior, fitted.shown, fitted.scatter) == pytest.approx(
        (0.1, 0.6, 0.3, 0.3), abs=0.02
    )
    with pytest.raises(ValueError, match="do not tell three weights"):
        reliance.fit(before, before, after)


@pytest.mark.parametrize("concentration", [0.5, 4, 60, 1e6])
@pytest.mark.parametrize(
    "situation", [SITUATIONS["default"], SITUATIONS["threshold=0.75"], SITUATIONS["prior=flat"]]
)
def test_expectations_over_evaluators_are_integrals(concentration, situation):
    confidence = Beta.from_mean_concentration(np.array([0.7]), concentration)
    reads = stats.beta(confidence.alpha[0], confidence.beta[0])
    wrong = situation.before()[0]
    quantiles = reads.ppf((np.arange(4000) + 0.5) / 4000)
    accepted = PEOPLE.accepts(wrong, quantiles[:, None], situation.threshold).mean()
    distance = PEOPLE.distance(wrong, quantiles[:, None], 0.0).mean()
    found = means([0], confidence, situation)
    assert found["accepted_wrong"] == pytest.approx(accepted, abs=1e-3)
    assert found["belief_brier_score"] == pytest.approx(distance, abs=1e-3)


def test_values_are_against_never_and_always():
    confidence = Beta.from_mean_concentration(np.array([0.3, 0.8, 0.9]), 10)
    found = means([0, 1, 1], confidence, Situation(threshold=0.75))
    # Accepting all gains (2 x 0.25 - 0.75) / 3 an answer, accepting none 0.
    assert found["value_over_never"] - found["value_over_always"] == pytest.approx(-0.25 / 3)
    never = Situation(threshold=1 - 1e-9)
    assert means([0, 1, 1], confidence, never)["value_over_never"] == pytest.approx(0, abs=1e-6)
    always = Situation(threshold=1e-9)
    assert means([0, 1, 1], confidence, always)["value_over_always"] == pytest.approx(0, abs=1e-6)


def test_the_bridge_moves_what_a_word_is_taken_for():
    confidence = Beta.from_mean_concentration(np.full(2, 0.6), 20)
    moved = [of for name, of in SITUATIONS.items() if name.startswith("bridge=")]
    lower, higher, own = (means([0, 1], confidence, of)["accepted_right"] for of in moved)
    assert lower < means([0, 1], confidence)["accepted_right"] < higher
    assert own != pytest.approx(means([0, 1], confidence)["accepted_right"], abs=1e-6)


def test_the_committed_figures_are_the_anchors():
    value = {name: weight["value"] for name, weight in COMMITTED["weights"].items()}
    assert [round(value[name], 3) for name in ("prior", "shown")] == [0.735, 0.370]
    assert round(value["intercept"], 2) == -0.01
    gains = [fit for name, fit in COMMITTED["held_out"].items() if name != "log-odds pooling"]
    assert all(fit["ci_low"] > 0 for fit in gains)
    named = ("accuracy_after", "belief_in_wrong_advice_before", "belief_in_wrong_advice_after")
    assert [round(COMMITTED["advice"][name]["value"], 3) for name in named] == [0.562, 0.269, 0.505]


def test_the_people_say_what_is_committed(shared_data):
    trials = reliance.read_alignment(shared_data)
    assert len(trials.after) == 9624
    assert trials.person.max() + 1 == 401
    fitted = reliance.weights(trials, np.random.default_rng(0))
    for name, weight in COMMITTED["weights"].items():
        assert fitted[name]["value"] == pytest.approx(weight["value"], abs=1e-5)
    decisions = advice.read_advice(shared_data)
    found = advice.with_confidence(decisions, PEOPLE, np.random.default_rng(0))
    for name, change in COMMITTED["with_confidence"].items():
        assert found[name]["value"] == pytest.approx(change["value"], abs=1e-4)
