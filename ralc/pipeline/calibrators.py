"""What an application takes home: one saved calibrator for each (train dataset, signal) of a target."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ralc import evaluators
from ralc.beta import Beta
from ralc.calibrator import SamplingDesign, WordCalibrator
from ralc.conditions import having
from ralc.lexicon import Lexicon
from ralc.pipeline.fitted_maps import train_answers
from ralc.protocols import Protocol


def build(
    questions: pd.DataFrame,
    signals: pd.DataFrame,
    grades: pd.DataFrame,
    lexicon: pd.DataFrame,
    samples: pd.DataFrame,
    *,
    target: str,
    pairs: Sequence[tuple[str, str]],
    method: str,
    evaluator: str,
    protocol: Protocol,
    temperature: float | None,
    seed: int,
) -> list[dict[str, Any]]:
    """Return the calibrators of the wanted (train dataset, signal), each as the JSON of its file.

    It is fitted on the answers that the default map of the run is fitted on, with the run's lexicon. It is evaluated by
    cross-validation where there are two answers; the sentences of an answer are held out together, and so are the
    questions of a conversation. An application has no language model that reads: where the run's evaluator asks one,
    `evaluators.DEFAULT` checks the words. Where no train answer has the signal (recorded samples without
    log-probabilities), the file says just that.

    Parameters
    ----------
    questions, signals, grades
        Tables of one target.
    lexicon
        The run's hedges.
    samples
        The target's samples: how many answers each question has.
    target
        Its name.
    pairs
        The wanted (train dataset, signal).
    method
        The name of the map.
    evaluator
        The name of the run's evaluator in the loop.
    protocol
        The run's.
    temperature
        At which the samples were drawn; None where nobody knows.
    seed
        Of the folds and resamples of the evaluation.
    """
    asks_no_model = issubclass(evaluators.method(evaluator), evaluators.EvaluatorModel)
    in_loop = evaluator if asks_no_model else evaluators.DEFAULT
    rows = train_answers(questions, signals, grades)
    rows = having(rows, protocol=protocol.label)
    counts = having(samples, prompt="direct").groupby("question_id").size()
    saved = []
    for train, signal in pairs:
        chosen = having(rows, dataset=train, signal=signal)
        usable = chosen.dropna(subset=["alpha", "outcome"])
        if usable.empty:
            saved.append(
                {"unavailable": f"no graded train answer of {target} on {train} has the signal {signal}"}
            )
            continue
        confidence = Beta(usable["alpha"].to_numpy(), usable["beta"].to_numpy())
        outcome = usable["outcome"].to_numpy(dtype=float)
        groups = usable["question_id"].to_numpy()
        calibrator = WordCalibrator(signal, method, in_loop, Lexicon(lexicon), protocol)
        asked = counts.loc[usable["question_id"].unique()].tolist()
        turns = usable.drop_duplicates("question_id")["turn"]
        design = SamplingDesign.of(asked, temperature=temperature, turns=turns)
        calibrator.fit(confidence, outcome, groups=groups, design=design)
        if (turns > 1).any():
            groups = usable["group"].to_numpy()
        if len(set(groups)) > 1:
            calibrator.evaluate(confidence, outcome, groups=groups, seed=seed)
        saved.append(calibrator.to_dict(fitted_on=f"{target} on {train}", left_out=len(chosen) - len(usable)))
    return saved
