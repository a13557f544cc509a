"""A fitted calibrator as the JSON of its file (see `ralc.calibrator.card`), and back."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import ralc
from ralc import readers
from ralc.beta import Beta
from ralc.calibration import CalibrationMap
from ralc.calibrator import card
from ralc.calibrator.evaluation import Evaluation
from ralc.lexicon import Lexicon
from ralc.protocols import resolve
from ralc.textfiles import visible

if TYPE_CHECKING:
    from ralc.calibrator.estimator import WordCalibrator


def to_dict(fitted: "WordCalibrator", *, fitted_on: str, left_out: int) -> dict[str, Any]:
    """Return a fitted calibrator and its card as plain JSON."""
    rows = card.entries(fitted.lexicon_)
    evaluation = getattr(fitted, "evaluation_", None)
    saved = card.Saved(
        card=card.Card(
            fitted_on=visible(fitted_on),
            n=fitted.n_answers_,
            base_rate=fitted.base_rate_,
            left_out=left_out,
            flags=list(fitted.map_.flags_),
            evaluation=None if evaluation is None else evaluation.to_dict(),
            lexicon_sha256=card.lexicon_hash(rows),
            ralc=ralc.__version__,
        ),
        signal=fitted.signal_,
        calibration=card.SavedMap(**fitted.map_.to_dict()),
        reader=fitted.reader,
        protocol=resolve(fitted.protocol),
        lexicon=[card.Entry(**row) for row in rows],
    )
    return saved.model_dump(mode="json")


def load(kind: type["WordCalibrator"], path: str | Path) -> "WordCalibrator":
    """Return the calibrator that a file holds; ValueError if it is no sound one."""
    saved = card.read(path)
    try:
        chosen = saved.protocol.model_dump(exclude={"name"}, exclude_unset=True)
        protocol = resolve(saved.protocol.name, **chosen)
        readers.load(saved.reader)
        lexicon = Lexicon(
            {name: [getattr(row, name) for row in saved.lexicon] for name in card.Entry.model_fields}
        )
        loaded = kind(saved.signal, saved.calibration.map, saved.reader, lexicon, protocol)
        loaded.map_ = CalibrationMap.from_dict(saved.calibration.model_dump())
        _try(loaded.map_)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        raise ValueError(f"{path}: {error}") from None
    loaded.signal_, loaded.lexicon_ = saved.signal, lexicon
    loaded.n_answers_, loaded.base_rate_ = saved.card.n, saved.card.base_rate
    if evaluation := saved.card.evaluation:
        loaded.evaluation_ = Evaluation.from_dict(evaluation.model_dump())
    return loaded


def _try(fitted: CalibrationMap) -> None:
    """Raise ValueError unless a map gives probabilities over the whole scale."""
    grid = Beta.from_mean_concentration(np.linspace(0.001, 0.999, 101), 10.0)
    mean = fitted.transform(grid).mean
    if not np.all((mean > 0) & (mean < 1)):
        raise ValueError("calibration: the map does not give probabilities")
