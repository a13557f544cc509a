"""The range of a calibrated confidence in brackets beside the hedge that says it."""

import math
import re

from ralc.beta import Beta

_STEP = 5  # per cent: ranges are stated in the steps in which readers answer


def stated_range(target: Beta) -> str:
    """Return the middle half of a calibrated confidence, in steps of five per cent, rounded outwards.

    >>> stated_range(Beta(14, 6))
    '60-80 %'
    """
    low, high = (100 * float(target.quantile(share)) / _STEP for share in (0.25, 0.75))
    return f"{math.floor(low + 1e-9) * _STEP}-{math.ceil(high - 1e-9) * _STEP} %"


def with_range(text: str, hedge: str, target: Beta) -> str:
    """Return a hedged answer with the range in brackets beside its hedge.

    >>> with_range("The capital is probably Paris.", "probably", Beta(14, 6))
    'The capital is probably (60-80 %) Paris.'
    """
    found = re.search(re.escape(hedge), text, re.IGNORECASE)
    end = found.end() if found else len(text.rstrip().rstrip(".!"))
    return f"{text[:end]} ({stated_range(target)}){text[end:]}"
