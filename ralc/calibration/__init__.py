"""Calibration maps: what turns a signal's mean into a probability of being right (paper section 4.1)."""

from typing import Any

from ralc.calibration.logistic import BetaCalibration, PlattScaling, TemperatureScaling
from ralc.calibration.maps import CalibrationMap, HistogramBinning, Identity, IsotonicMap, find
from ralc.protocols import Protocol, resolve

__all__ = [
    "BetaCalibration",
    "CalibrationMap",
    "HistogramBinning",
    "Identity",
    "IsotonicMap",
    "PlattScaling",
    "TemperatureScaling",
    "from_protocol",
]


def from_protocol(name: str, protocol: str | Protocol = "ralc") -> CalibrationMap:
    """Return an unfitted map by its name in the config, with the parameters that the protocol chooses.

    Raises
    ------
    ValueError
        If there is no such map.

    Examples
    --------
    >>> from_protocol("platt", "paper")
    PlattScaling(bound=0.0, eps=0.0)
    """
    kind = find(name)
    chosen = resolve(protocol)
    parameters: dict[str, Any] = {
        "eps": chosen.platt_eps,
        "logit": chosen.platt_logit,
        "slope_prior": chosen.choices("slope_prior")["slope_prior"],
        "bound": chosen.map_bound,
        "monotone": chosen.slope_prior is not None and chosen.slope_prior.monotone,
    }
    return kind(**{key: value for key, value in parameters.items() if key in kind().get_params()})
