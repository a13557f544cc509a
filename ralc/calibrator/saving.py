"""A fitted calibrator as the JSON of its file (see `ralc.calibrator.saved_calibrator`), and back."""

from pathlib import Path
from typing import Any, Protocol

import numpy as np

import ralc
from ralc import readers
from ralc.beta import Beta
from ralc.calibration import CalibrationMap
from ralc.calibrator import saved_calibrator, strangers
from ralc.calibrator.answers_asked import Design
from ralc.calibrator.evaluation import Evaluation
from ralc.io.files import digest
from ralc.io.text import visible
from ralc.lexicon import Lexicon
from ralc.protocols import resolve


class Fitted(Protocol):
    """What is saved of a fitted calibrator."""

    reader: str
    protocol: Any
    signal_: str
    map_: CalibrationMap
    lexicon_: Lexicon
    n_answers_: int
    base_rate_: float
    design_: Design | None


def to_dict(fitted: Fitted, *, fitted_on: str, left_out: int) -> dict[str, Any]:
    """Return a fitted calibrator and its card as plain JSON."""
    rows = saved_calibrator.entries(fitted.lexicon_)
    evaluation = getattr(fitted, "evaluation_", None)
    saved = saved_calibrator.Saved(
        card=saved_calibrator.Card(
            fitted_on=visible(fitted_on),
            n=fitted.n_answers_,
            base_rate=fitted.base_rate_,
            left_out=left_out,
            design=fitted.design_,
            flags=list(fitted.map_.flags_),
            evaluation=None if evaluation is None else evaluation.to_dict(),
            lexicon_sha256=digest(rows),
            ralc=ralc.__version__,
        ),
        signal=fitted.signal_,
        calibration=saved_calibrator.SavedMap(**fitted.map_.to_dict()),
        reader=fitted.reader,
        protocol=resolve(fitted.protocol),
        lexicon=[saved_calibrator.Entry(**row) for row in rows],
    )
    return saved.model_dump(mode="json")


def read(path: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters and what was fitted of the calibrator in a file; ValueError if it is no sound one."""
    saved = saved_calibrator.read(path)
    try:
        chosen = saved.protocol.model_dump(exclude={"name"}, exclude_unset=True)
        protocol = resolve(saved.protocol.name, **chosen)
        readers.load(saved.reader)
        rows = strangers.sound(saved.lexicon, honest=protocol.hedges == "honest")
        lexicon = Lexicon(
            {name: [getattr(row, name) for row in rows] for name in saved_calibrator.Entry.model_fields}
        )
        fitted_map = CalibrationMap.from_dict(saved.calibration.model_dump())
        _try(fitted_map)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        raise ValueError(f"{path}: {error}") from None
    parameters = {"signal": saved.signal, "map": saved.calibration.map, "reader": saved.reader}
    fitted = {"map_": fitted_map, "signal_": saved.signal}
    fitted |= {"n_answers_": saved.card.n, "base_rate_": saved.card.base_rate, "design_": saved.card.design}
    if evaluation := saved.card.evaluation:
        fitted["evaluation_"] = Evaluation.from_dict(evaluation.model_dump())
    return parameters | {"lexicon": lexicon, "protocol": protocol}, fitted


def _try(fitted: CalibrationMap) -> None:
    """Raise ValueError unless a map gives probabilities over the whole scale."""
    grid = Beta.from_mean_concentration(np.linspace(0.001, 0.999, 101), 10.0)
    mean = fitted.transform(grid).mean
    if not np.all((mean > 0) & (mean < 1)):
        raise ValueError("calibration: the map does not give probabilities")
