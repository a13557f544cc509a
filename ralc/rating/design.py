"""Who is asked what: questions and ways of speaking, by person, and how many people it takes."""

import zlib
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import ndtri

from ralc.reliance import wrong_advice_accepted

#: Ways of speaking that are compared where a run has them: plain advice, RALC, and the constant hedge.
WAYS = ("original", "ralc", "constant_hedge")


@dataclass(frozen=True)
class Design:
    """A study of ways of speaking, compared within each person.

    Parameters
    ----------
    texts : DataFrame
        A row a question and way, each question in every way: ``question_id, question, choices, context, answer,
        way, text, read, correct``.
    ways : tuple of str
        The ways, two or more.
    trials : int
        Questions that a person is asked, a multiple of the number of ways.
    seed : int
        Of the draw.

    Raises
    ------
    ValueError
        If the ways are fewer than two, or the trials too few or too many for them and the questions.
    """

    texts: pd.DataFrame
    ways: tuple[str, ...]
    trials: int
    seed: int

    def __post_init__(self) -> None:
        if len(self.ways) < 2:
            raise ValueError(
                f"a study compares two ways of speaking or more: it has {', '.join(self.ways) or 'none'}"
            )
        if self.trials < len(self.ways) or self.trials % len(self.ways):
            raise ValueError(
                f"trials = {self.trials} must be a multiple of the {len(self.ways)} ways of speaking"
            )
        if self.trials > (there := self.texts["question_id"].nunique()):
            raise ValueError(f"trials = {self.trials} of a person, but there are {there} questions")

    def of(self, person: str) -> list[dict]:
        """Return what a person is asked, in order: each question once, as many in each way, right and wrong mixed.

        Of each way about half of the questions have a wrong answer, as far as there are; what is drawn depends on the
        seed and the person alone.
        """
        rng = np.random.default_rng([self.seed, zlib.crc32(person.encode())])
        questions = self.texts.drop_duplicates("question_id").sample(frac=1, random_state=rng)
        sides = [questions.loc[questions["correct"] == side, "question_id"].tolist() for side in (0, 1)]
        wrong = min(max(self.trials // 2, self.trials - len(sides[1])), len(sides[0]))
        chosen = sides[0][:wrong] + sides[1][: self.trials - wrong]
        # Dealt in turn, so that each way has as many of the wrong ones, up to one.
        ways = [self.ways[place] for place in rng.permutation(len(self.ways))]
        asked = pd.DataFrame(
            {"question_id": chosen, "way": [ways[i % len(ways)] for i in range(self.trials)]}
        )
        rows = asked.sample(frac=1, random_state=rng).merge(
            self.texts, on=["question_id", "way"], validate="one_to_one"
        )
        return rows.to_dict("records")

    def people_needed(self, reduction: float = 0.2) -> int:
        """Return how many people mostly show that one way has so many fewer wrong answers accepted than another."""
        accepted, sd = wrong_advice_accepted()
        return people_needed(reduction, accepted, wrong=self.trials / len(self.ways) / 2, sd=sd)


def people_needed(reduction: float, accepted: float, *, wrong: float, sd: float) -> int:
    """Return how many people show a reduction of accepted wrong answers, two-sided at 5 %, compared within a person.

    Four of five such studies show it.

    Parameters
    ----------
    reduction : float
        Share of the accepted wrong answers that goes, in (0, 1]: .2 for a fifth fewer.
    accepted : float
        Share of wrong answers that is accepted before, in (0, 1).
    wrong : float
        Wrong answers that a person sees in each of the two ways, above 0.
    sd : float
        Standard deviation between people of the share accepted, as much as the reduction itself is taken to vary.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Examples
    --------
    >>> people_needed(0.2, 0.5, wrong=2, sd=0.2)
    224
    """
    ranges = {
        "reduction": (reduction, 1),
        "accepted": (accepted, 1),
        "wrong": (wrong, np.inf),
    }
    for name, (value, most) in ranges.items():
        if not 0 < value <= most or (most == 1 and name != "reduction" and value == 1):
            raise ValueError(f"{name} must be above 0 and within its range: {name} = {value}")
    before, after = accepted, accepted * (1 - reduction)
    drawn = (before * (1 - before) + after * (1 - after)) / wrong
    reach = ndtri(0.975) + ndtri(0.8)
    return int(np.ceil(reach**2 * (drawn + sd**2) / (before - after) ** 2))
