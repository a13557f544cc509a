"""The table of protocols."""

import json

import pytest

from ralc.protocols import CHOICES, PROTOCOLS, Protocol, SlopePrior, resolve


def test_the_three_protocols_differ_where_they_should():
    ralc, paper, authors = (PROTOCOLS[name] for name in ("ralc", "paper", "authors"))
    assert (ralc.moments_degenerate, paper.moments_degenerate) == ("resolution", "count")
    assert (paper.moments_ddof, authors.moments_ddof) == (1, 0)
    assert [p.semantic_uncertainty for p in (ralc, paper, authors)] == ["jeffreys", "clip", "clamp"]
    assert [p.lexicon_fit for p in (ralc, paper, authors)] == ["moments", "mle", "mle"]
    assert [p.wasserstein_samples for p in (ralc, paper, authors)] == [None, 1000, 300]
    assert [p.generalised_ece_samples for p in (ralc, paper, authors)] == [None, None, 1000]
    assert (authors.platt_logit, authors.slope_prior) == (False, SlopePrior(mean=0, sd=1))
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


def test_one_choice_on_its_own():
    changed = resolve("paper", moments_ddof=0)
    assert changed.moments_ddof == 0
    assert changed.label == "paper+moments_ddof=0"
    assert resolve(changed) is changed
    assert PROTOCOLS["paper"].moments_ddof == 1


@pytest.mark.parametrize(
    ("arguments", "overrides", "message"),
    [
        (("mine",), {}, "unknown protocol 'mine'; protocols are ralc, paper, authors"),
        (("ralc",), {"moments_dof": 1}, "unknown choice 'moments_dof'; choices are letter, moments_ddof"),
        (("ralc",), {"moments_ddof": 2}, "choice moments_ddof = 2: Input should be 0 or 1"),
        (("ralc",), {"resolution": 0}, "choice resolution = 0"),
        (("ralc",), {"split": "last"}, "choice split = 'last'"),
        (("ralc",), {"name": "x"}, "unknown choice 'name'"),
    ],
)
def test_errors_name_the_choice_and_what_is_allowed(arguments, overrides, message):
    with pytest.raises(ValueError, match=message):
        resolve(*arguments, **overrides)


def test_unknown_choices_of_a_rule_are_refused():
    with pytest.raises(ValueError, match="unknown choice 'moment_'"):
        PROTOCOLS["ralc"].choices("moment_")


def test_a_protocol_is_frozen():
    with pytest.raises(ValueError, match="frozen"):
        PROTOCOLS["ralc"].split = "first"
    assert isinstance(PROTOCOLS["ralc"], Protocol)
