"""`ralc serve` under an attacker, for $RALC_HOSTILE_SECONDS (default 150)."""

import asyncio
import os

import pytest

from tests.attacker import APART, besieged

SECONDS = float(os.environ.get("RALC_HOSTILE_SECONDS", "150"))
#: 300 with the parser and its tables; replies of 10 MB, of which a few may be there at once, are the rest.
MOST_MB = 800


@pytest.mark.hostile
def test_an_attacker_stops_nothing_and_gets_nothing_of_others(tmp_path):
    siege = asyncio.run(besieged(tmp_path, SECONDS, int(os.environ.get("RALC_HOSTILE_SEED", "0"))))
    print(siege.table())
    assert not siege.faults()
    assert siege.told[APART]["apart"] > 10
    assert max(siege.memory) < MOST_MB
