"""A signal that a newcomer adds: ralc/signals/coin.py."""

from ralc.beta import Beta
from ralc.protocols import Protocol
from ralc.signals.agreement import Answers, makes


@makes("coin")
def coin(answers: Answers, protocol: Protocol) -> Beta:
    """Return a flat confidence, whatever the answers."""
    return Beta(1.0, 1.0)
