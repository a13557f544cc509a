"""`ralc serve` under an attacker, for $RALC_HOSTILE_SECONDS (default 150)."""

import asyncio
import os

import pytest

from ralc import Beta
from ralc.serve.conversation import LARGEST, Claim, Memory, Said
from tests.attacker import APART, TALK, besieged, memory_of

SECONDS = float(os.environ.get("RALC_HOSTILE_SECONDS", "150"))
#: 300 with the parser and its tables; replies of 10 MB, of which a few may be there at once, are the rest.
MOST_MB = 800


@pytest.mark.hostile
def test_a_hundred_thousand_conversations_stay_apart_in_bounded_memory():
    """Of two turns each, of a thousand callers; every hundredth has replies of many small claims."""
    memory = Memory()
    began = memory_of("self")
    found = 0
    for number in range(100_000):
        caller, other = ([(b"authorization", b"%d" % (number + more))] for more in (0, 1))
        for turn in ("What is the capital", "And what is the currency"):
            question = f"{turn} of country {number % 7}?"
            reply = "It is probably Lima."
            claims = tuple(Claim(f"Claim {n}.", Beta(6.0, 4.0)) for n in range(1 if number % 100 else 100))
            memory.keep(caller, question, reply, Said(question, str(number), claims, reply))
            said = memory.find(caller, question, reply)
            found += said is not None and said.text == str(number)
            assert memory.find(other, question, reply) is None
    assert found == 200_000
    assert len(memory) < 50_000
    assert memory_of("self") - began < LARGEST / 1e6 + 20


@pytest.mark.hostile
def test_an_attacker_stops_nothing_and_gets_nothing_of_others(tmp_path):
    siege = asyncio.run(besieged(tmp_path, SECONDS, int(os.environ.get("RALC_HOSTILE_SEED", "0"))))
    print(siege.table())
    assert not siege.faults()
    assert siege.told[APART]["apart"] > 10
    assert siege.told[TALK]["apart"] > 10
    assert max(siege.memory) < MOST_MB
