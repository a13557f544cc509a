"""What became of an answer, or of a sentence of one, that was to be hedged."""

from ralc.beta import Beta

#: Readers answer in steps of five per cent: a text is in calibrated words that is read within one of its target.
STEP = 0.05
#: How far what a shared hedge says may be from what each of its sentences is to say: a little more than that, so that
#: fewer are needed (`docs/signals.md`).
SHARED = 0.06
#: Why one that could be hedged was not changed, or is not read within such a step of its target.
ALREADY, MISSED = "it says so already", "no wording of it is read as meant"
#: Why one in which no hedge has a place is left as it is.
NO_PLACE = "no hedge has a place in it"
#: Why one is left without a target.
NO_CONFIDENCE = "no confidence came"


def within_step(target: Beta, read: Beta, *, shared: bool = False) -> bool:
    """Return whether what is read is within a step of what is meant, or as near to it as a shared hedge must be."""
    return abs(float(read.mean - target.mean)) <= (SHARED if shared else STEP) + 1e-9


def outcome_of(changed: bool, target: Beta, read: Beta) -> str:
    """Return the reason of a text that was to be hedged.

    >>> outcome_of(True, Beta(6, 4), Beta(13, 7)), outcome_of(True, Beta(4, 6), Beta(13, 7))
    ('', 'no wording of it is read as meant')
    """
    if not within_step(target, read):
        return MISSED
    return "" if changed else ALREADY
