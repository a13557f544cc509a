"""The lexicon of the phrases that people were asked about: their own numbers, and no evaluator in between."""

import pandas as pd

from ralc import data
from ralc.beta import Beta
from ralc.english import ASKED


def asked_lexicon() -> pd.DataFrame:
    """Return the phrases as a lexicon, each in the place in which it was asked about.

    Mean and spread are those of the persons of the study: CAPphrase (CC BY 4.0) where it has the phrase, else one of
    the other two surveys (``ralc/data/human_cues.csv``).

    Returns
    -------
    DataFrame
        ``expression, source, frame, alpha, beta, n, flags``, sorted by expression.

    Examples
    --------
    >>> asked_lexicon().query("expression == 'it is likely'")[["source", "n"]].to_numpy().tolist()
    [['capphrase', 5174]]
    """
    figures = pd.read_csv(data.path("human_cues.csv")).set_index("expression").loc[list(ASKED)]
    mean, sd = figures["mean"].to_numpy(), figures["sd"].to_numpy()
    read = Beta.from_mean_concentration(mean, mean * (1 - mean) / sd**2 - 1)
    hedges, frames = zip(*ASKED.values(), strict=True)
    table = pd.DataFrame(
        {
            "expression": hedges,
            "source": figures["source"].to_numpy(),
            "frame": frames,
            "alpha": read.alpha,
            "beta": read.beta,
            "n": figures["n"].to_numpy(),
            "flags": "",
        }
    )
    return table.sort_values("expression", ignore_index=True)
