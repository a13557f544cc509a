"""The table of protocols."""

import json

import pytest

from ralc.protocols import CHOICES, PROTOCOLS, SlopePrior, resolve


def test_the_three_protocols_differ_where_they_should():
    ralc, paper, authors = (PROTOCOLS[name] for name in ("ralc", "paper", "authors"))
    rows = {
        "moments_degenerate": ["resolution", "count", "count"],
        "moments_ddof": [1, 1, 0],
        "semantic_uncertainty": ["jeffreys", "clip", "clamp"],
        "lexicon_fit": ["moments", "mle", "mle"],
        "wasserstein_samples": [None, 1000, 300],
        "generalised_ece_samples": [None, None, 1000],
        "platt_logit": [True, True, False],
    }
    assert {name: [getattr(one, name) for one in (ralc, paper, authors)] for name in rows} == rows
    assert authors.slope_prior == SlopePrior(mean=0, sd=1)
    assert ralc.platt_eps == ralc.resolution / 4


def test_choices_are_plain_json_and_rebuild_the_protocol():
    for name, protocol in PROTOCOLS.items():
        chosen = protocol.choices(*CHOICES)
        assert list(chosen) == list(CHOICES)
        assert resolve("ralc", **json.loads(json.dumps(chosen))).choices(*CHOICES) == chosen
        assert protocol.label == name


def test_a_rule_sees_only_its_choices():
    # Switching from paper to authors changes the moments, and with them what reads these choices, but not these.
    names = ("moments_degenerate", "lexicon_fit", "split", "letter")
    assert PROTOCOLS["paper"].choices(*names) == PROTOCOLS["authors"].choices(*names)
    assert PROTOCOLS["paper"].choices("moments_") != PROTOCOLS["authors"].choices("moments_")
    with pytest.raises(ValueError, match="unknown choice 'moment_'"):
        PROTOCOLS["ralc"].choices("moment_")


def test_one_choice_on_its_own():
    changed = resolve("paper", moments_ddof=0)
    assert changed.label == "paper+moments_ddof=0"
    assert resolve(changed) is changed
    assert (changed.moments_ddof, PROTOCOLS["paper"].moments_ddof) == (0, 1)


@pytest.mark.parametrize(
    ("name", "overrides", "message"),
    [
        ("mine", {}, "unknown protocol 'mine'; protocols are ralc, paper, authors"),
        ("ralc", {"moments_dof": 1}, "unknown choice 'moments_dof'; choices are letter, moments_ddof"),
        ("ralc", {"moments_ddof": 2}, "choice moments_ddof = 2: Input should be 0 or 1"),
        ("ralc", {"resolution": 0}, "choice resolution = 0"),
        ("ralc", {"name": "x"}, "unknown choice 'name'"),
    ],
)
def test_errors_name_the_choice_and_what_is_allowed(name, overrides, message):
    with pytest.raises(ValueError, match=message):
        resolve(name, **overrides)
