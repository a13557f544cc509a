"""The table of protocols."""

import json

import pytest

from ralc.protocols import CHOICES, PROTOCOLS, resolve
from tests.cases import cases


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
    assert changed.moments_ddof == 0
    assert PROTOCOLS["paper"].moments_ddof == 1


@cases
def test_errors_name_the_choice_and_what_is_allowed(name, overrides, message):
    with pytest.raises(ValueError, match=message):
        resolve(name, **overrides)
