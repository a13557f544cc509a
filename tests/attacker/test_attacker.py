"""`ralc serve` under an attacker, for $RALC_HOSTILE_SECONDS (default 150)."""

import asyncio
import os

import pytest

from tests.attacker.siege import besieged

SECONDS = float(os.environ.get("RALC_HOSTILE_SECONDS", "150"))
SEED = int(os.environ.get("RALC_HOSTILE_SEED", "0"))
#: 90 without the parser, 200 with it; replies of 20 MB, of which a few may be there at once, are the rest.
MOST_MB = 800


@pytest.mark.hostile
def test_an_attacker_stops_nothing_and_gets_nothing_of_others(tmp_path):
    siege = asyncio.run(besieged(tmp_path, SECONDS, SEED))
    print(siege.table())
    assert not siege.faults()
    assert siege.told["two callers with keys, one without"]["apart"] > 10
    assert max(siege.memory) < MOST_MB
