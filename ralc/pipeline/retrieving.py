"""Which hedges guide each rewrite: retrieval for RALC, one entry for the constant hedge, none for Direct Beta."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.conditions import DEFAULT, UNIT
from ralc.lexicon import Lexicon, asked_lexicon
from ralc.registry import METHODS, UNANSWERED
from ralc.retrieval import nearest_hedges

#: A hedge so near to the train accuracy is as near as the constant one: evaluators score in steps of about that.
NEAR = 0.05
_COLUMNS = [*UNIT, "train", "signal", "method", "variant", "alpha", "beta", "hedges"]


def retrieve(
    questions: pd.DataFrame,
    calibrated: pd.DataFrame,
    grades: pd.DataFrame,
    lexicon: pd.DataFrame,
    *,
    methods: Sequence[str],
    variants: Mapping[str, Mapping[str, int | str | None]],
    ablated: Sequence[str] | None = None,
    letter: bool = False,
    samples: int | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Return, for every held-out answer, train dataset, signal and rewriting method, the hedges to use.

    `variants` says how each retrieves, the ``default`` one for all methods: `k` hedges of the `shortlist` nearest by
    mean, in a lexicon thinned to `size` entries (None: all; ``people``: that of `asked_lexicon`; ``unscreened``: with
    those that only evaluators apart from the loop would leave out), for what `aim` makes of the calibrated signal.
    Other
    variants are RALC's, with the test dataset's own map, on the `ablated` datasets (None: all). The signals are those
    of the default map under the first protocol of `calibrated`, the run's.

    By the paper's `letter` flagged entries of the lexicon are used, too. `samples` estimates the Wasserstein distance
    from so many draws (protocols ``paper`` and ``authors``); None computes it exactly.
    """
    own = (calibrated.protocol == calibrated.protocol.iloc[0]) & (calibrated.variant == DEFAULT)
    calibrated = calibrated[own].drop(columns="variant")
    in_domain = calibrated[calibrated.train == calibrated.dataset]
    parts = []
    for variant, how in variants.items():
        wanted = methods if variant == DEFAULT else [method for method in methods if method == "ralc"]
        entries = _entries(Lexicon(lexicon), how["size"], letter)
        for method in (method for method in _GUIDED_BY if method in wanted):
            signals = in_domain if METHODS[method].own or variant != DEFAULT else calibrated
            if variant != DEFAULT and ablated is not None:
                signals = signals[signals["dataset"].isin(ablated)]
            sources = _Sources(questions, signals, grades, entries, how["k"], how["shortlist"], samples, seed)
            parts.append(_GUIDED_BY[method](sources).assign(method=method, variant=variant))
    return pd.concat(parts, ignore_index=True)[_COLUMNS] if parts else pd.DataFrame(columns=_COLUMNS)


def _entries(lexicon: Lexicon, size: int | str | None, letter: bool) -> pd.DataFrame:
    """The entries that a variant retrieves from."""
    if size == "people":
        return asked_lexicon()
    ours = lexicon if letter else lexicon.usable(screened=size != "unscreened")
    return ours.thinned(None if size == "unscreened" else size).table


class _Sources(NamedTuple):
    """What hedges are chosen from, and how."""

    questions: pd.DataFrame
    calibrated: pd.DataFrame
    grades: pd.DataFrame
    lexicon: pd.DataFrame
    k: int
    shortlist: int
    samples: int | None
    seed: int


#: The function that chooses the hedges of each method of rewriting.
_GUIDED_BY: dict[str, Callable[[_Sources], pd.DataFrame]] = {}


def _parameters(confidence: Beta) -> dict[str, np.ndarray]:
    """The columns of confidences in a table."""
    return {"alpha": confidence.alpha, "beta": confidence.beta}


def guides(method: str) -> Callable[[Callable[[_Sources], pd.DataFrame]], Callable[[_Sources], pd.DataFrame]]:
    """Mark the function that guides a method of rewriting; its name and title are declared in `ralc.registry`."""

    def register(function: Callable[[_Sources], pd.DataFrame]) -> Callable[[_Sources], pd.DataFrame]:
        _GUIDED_BY[method] = function
        return function

    return register


@guides("ralc")
def _nearest(sources: _Sources) -> pd.DataFrame:
    """The nearest entries of the lexicon to each calibrated signal."""
    calibrated, lexicon = sources.calibrated, sources.lexicon
    nearest = nearest_hedges(
        Beta.from_table(lexicon),
        Beta.from_table(calibrated),
        k=min(sources.k, len(lexicon)),
        shortlist=min(sources.shortlist, len(lexicon)),
        samples=sources.samples,
        rng=np.random.default_rng(sources.seed),
    )
    return calibrated.assign(hedges=lexicon.expression.to_numpy(dtype=object)[nearest].tolist())


@guides("direct_beta")
def _none(sources: _Sources) -> pd.DataFrame:
    """No hedges: the rewriter sees the calibrated Beta itself."""
    return sources.calibrated.assign(hedges=[[] for _ in range(len(sources.calibrated))])


@guides("constant_hedge")
def _constant(sources: _Sources) -> pd.DataFrame:
    """The one entry whose mean is nearest to the accuracy on the train questions; no signal."""
    held_out, distances = _base_rates(sources)
    parts = []
    for train, distance in distances.items():
        entry = sources.lexicon.iloc[[int(np.argmin(distance))] * len(held_out)]
        parts.append(_said(held_out, train, entry))
    return pd.concat(parts, ignore_index=True)


@guides("near_hedges")
def _near(sources: _Sources) -> pd.DataFrame:
    """Every entry about as near as the constant hedge, dealt out by lot: what the one owes to its luck is not in it.

    Each has the same share of the answers; of the dataset's own questions alone.
    """
    held_out, distances = _base_rates(sources)
    parts = []
    for train, distance in distances.items():
        own = held_out[held_out.dataset == train]
        rng = np.random.default_rng([sources.seed, zlib.crc32(train.encode())])
        near = rng.permutation(np.flatnonzero(distance <= max(NEAR, distance.min())))
        parts.append(_said(own, train, sources.lexicon.iloc[rng.permutation(np.resize(near, len(own)))]))
    return pd.concat(parts, ignore_index=True)


def _said(held_out: pd.DataFrame, train: str, entries: pd.DataFrame) -> pd.DataFrame:
    """One entry of the lexicon for each answer."""
    hedges = [[expression] for expression in entries.expression]
    confidence = {name: entries[name].to_numpy() for name in ("alpha", "beta")}
    return held_out.assign(train=train, signal="none", hedges=hedges, **confidence)


def _base_rates(sources: _Sources) -> tuple[pd.DataFrame, dict[str, np.ndarray]]:
    """The held-out questions that were answered, and how far each entry is from each dataset's train accuracy."""
    questions, lexicon = sources.questions, sources.lexicon
    direct = sources.grades[sources.grades.prompt == "direct"]
    train = questions[questions.split == "train"].merge(direct, on="question_id")
    mean = (lexicon.alpha / (lexicon.alpha + lexicon.beta)).to_numpy()
    distances = {
        name: np.abs(mean - share) for name, share in train.groupby("dataset").outcome.mean().items()
    }
    answered = direct.loc[direct.grade != UNANSWERED, UNIT]
    held_out = questions[questions.split == "test"].merge(answered, on="question_id")
    return held_out[[*UNIT, "dataset"]], distances
