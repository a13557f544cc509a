"""Estimators of ours are scikit-learn's, too: cloned, put into a pipeline, asked whether they are fitted."""

import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

from ralc import Beta, WordCalibrator
from ralc.calibration import BetaCalibration, HistogramBinning, Identity, IsotonicMap, PlattScaling
from ralc.calibration import TemperatureScaling as Temperature

ALL = [PlattScaling, Temperature, Identity, IsotonicMap, HistogramBinning, BetaCalibration, WordCalibrator]
CONFIDENCE, OUTCOME = Beta([9, 8, 2, 6, 1], [1, 2, 8, 4, 9]), [1, 0, 0, 1, 0]


@pytest.mark.parametrize("kind", ALL)
def test_it_is_asked_whether_it_is_fitted(kind):
    made = kind()
    with pytest.raises(NotFittedError) as theirs:
        check_is_fitted(made)
    with pytest.raises(NotFittedError) as ours:
        made.transform(CONFIDENCE)
    assert str(ours.value) == str(theirs.value)
    check_is_fitted(made.fit(CONFIDENCE, OUTCOME))
    with pytest.raises(NotFittedError):
        check_is_fitted(clone(made))


@pytest.mark.parametrize("kind", ALL)
def test_it_stands_in_a_pipeline(kind):
    line = make_pipeline(FunctionTransformer(), kind())
    mapped = line.fit(CONFIDENCE, OUTCOME).transform(CONFIDENCE)
    assert mapped.mean.tolist() == kind().fit(CONFIDENCE, OUTCOME).transform(CONFIDENCE).mean.tolist()
    assert repr(kind()) in repr(line)
    assert clone(line).get_params()[kind.__name__.lower()] is not line[-1]


def test_parameters_are_set_and_shown():
    platt = PlattScaling(eps=0.01, smoothing=True)
    assert repr(platt) == "PlattScaling(eps=0.01, smoothing=True)"
    assert clone(platt).get_params() == platt.get_params()
    assert repr(platt.set_params(eps=1e-6, smoothing=False)) == "PlattScaling()"
    line = make_pipeline(WordCalibrator("linguistic_confidence"))
    assert repr(line.set_params(wordcalibrator__map="beta")[0]) == (
        "WordCalibrator(map='beta', signal='linguistic_confidence')"
    )
    with pytest.raises(ValueError, match=r"Invalid parameter 'slope' for estimator PlattScaling\(\). Valid"):
        platt.set_params(slope=1)
