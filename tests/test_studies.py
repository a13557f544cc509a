"""How the figures are estimated: person effects, the latent scale, and the targets on real data."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import spearmanr

from ralc import evaluators
from ralc.english import read_cues
from ralc.human_benchmark import studies
from ralc.human_benchmark.studies import phrase_figures
from ralc.lexicon.expressions import PHRASE_SENTENCES
from studies.estimate import estimate_cues, phrase_observations
from studies.latent import LatentScale
from studies.least_token import compare
from studies.sources import read_beliefs, read_tao_filtered
from studies.spread import spread_figures
from tests.cases import cases


def people(rng, persons=4_000, tendency=0.05, words=(0.1, 0.02)):
    """Scores of two phrases by persons who also differ in general tendency; ten more phrases tell it."""
    high = rng.normal(0, tendency, persons)
    spreads = {"a": words[0], "b": words[1], **{f"p{i}": 0.03 for i in range(10)}}
    return pd.concat(
        pd.DataFrame(
            {"person": range(persons), "phrase": phrase, "score": 0.5 + high + rng.normal(0, sd, persons)}
        )
        for phrase, sd in spreads.items()
    )


def test_person_effects_are_taken_out(rng):
    figures = phrase_figures(people(rng)).set_index("phrase")
    np.testing.assert_allclose(figures.loc[["a", "b"], "sd_words"], [0.1, 0.02], atol=0.008)
    np.testing.assert_allclose(figures.loc["a", "sd"], np.hypot(0.1, 0.05), atol=0.005)


def test_spread_by_hand():
    """Three phrases on the profile sd = 0.4 (m (1-m)), and one that names a number, agreed on within the finest."""
    phrases = {"likely": 0.7, "unlikely": 0.2, "almost certain": 0.9, "about even": 0.5}
    mean = np.array(list(phrases.values()))
    sd = 0.4 * mean * (1 - mean)
    sd[3] = 0.001
    figures = spread_figures(pd.DataFrame({"phrase": list(phrases), "mean": mean, "sd_words": sd}))
    assert figures["sd"][figures["mean"].index(0.5)] == pytest.approx(0.1)
    factors = figures["factors"]
    assert factors["likely"] == factors["may"] == pytest.approx(1.0)
    # ln(0.02 / 0.1) for the phrase; half of it for its group, of which one phrase is known; between, for its class.
    ratio = np.log(0.2)
    assert factors["better_even"] == pytest.approx(np.exp(ratio / 2), abs=1e-3)
    assert factors["even"] == pytest.approx(np.exp((ratio + 0.25 * ratio / 2) / 1.25), abs=1e-3)
    # A stated number has its group's; "a chance" states none.
    assert figures["number"] == factors["better_even"]
    assert factors["chance"] == pytest.approx(1.0)


@pytest.mark.shared
def test_no_part_of_the_sentences_meets_another(shared_data):
    tao = studies.read_tao(shared_data)
    parts = {part: set(rows["text"]) for part, rows in tao.groupby("part")}
    assert set(parts) == {"tao_benchmark", "held_out", "cue_model_b", "train"}
    assert parts["tao_benchmark"] == set(studies.read_benchmark(shared_data)["text"])
    assert sum(map(len, parts.values())) == len(set(tao["text"]))
    judged = set(tao.loc[tao["part"] == "cue_model_b", "question"])
    assert judged.isdisjoint(tao.loc[tao["part"] == "train", "question"])


@pytest.mark.shared
@pytest.mark.long
def test_half_of_the_respondents_foretells_the_other_half(shared_data, rng):
    scores = studies.read_survey(shared_data, "capphrase")
    persons = scores["person"].unique()
    first = scores["person"].isin(rng.choice(persons, len(persons) // 2, replace=False))
    tables = (read(shared_data) for read in (studies.read_tao, read_tao_filtered, read_beliefs))
    fitted = estimate_cues(phrase_figures(scores[first]), *tables)
    other = phrase_figures(scores[~first])
    evaluator = evaluators.CueModel("cue_model", fitted)
    read = evaluator.read([PHRASE_SENTENCES[phrase] for phrase in other["phrase"]])
    assert np.abs(read.mean - other["mean"]).mean() < 0.03
    assert np.abs(np.sqrt(read.variance) - other["sd_words"]).mean() < 0.03
    assert np.abs(np.sqrt(read.variance) - other["sd"]).mean() < 0.03


@pytest.mark.shared
def test_a_phrase_left_out_keeps_its_neighbourhood(shared_data):
    phrases = phrase_figures(studies.read_survey(shared_data, "capphrase"))
    errors = []
    for left_out in ("likely", "unlikely", "almost certain", "might happen"):
        anchors = phrase_observations(phrases[phrases["phrase"] != left_out], 0.01)
        place = LatentScale(1.5).fit([anchors]).places([read_cues(PHRASE_SENTENCES[left_out])])
        errors.append(abs(expit(place[0]) - phrases.set_index("phrase").loc[left_out, "mean"]))
    assert np.mean(errors) < 0.1


@pytest.mark.shared
@cases
def test_spread_in_a_study_left_out(shared_data, evaluator, study, least):
    """The evaluators know nothing of these studies' scores (plain SDs of them ranked alike by 0.27 to 0.60)."""
    figures = phrase_figures(studies.read_survey(shared_data, study))
    read = evaluators.load(evaluator).read([PHRASE_SENTENCES[phrase] for phrase in figures["phrase"]])
    assert spearmanr(read.variance, figures["sd_words"])[0] >= least


@pytest.mark.shared
def test_spread_of_a_phrase_left_out(shared_data):
    phrases = phrase_figures(studies.read_survey(shared_data, "capphrase"))
    predicted = []
    for place, phrase in enumerate(phrases["phrase"]):
        figures = spread_figures(phrases.drop(index=place))
        profile = np.interp(phrases["mean"][place], figures["mean"], figures["sd"])
        cues = read_cues(PHRASE_SENTENCES[phrase])
        predicted.append(profile * figures["factors"][cues[0].name if cues else "bare"])
    assert spearmanr(predicted, phrases["sd_words"])[0] >= 0.8


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"text,level\nq,w\n", ", column 'uncertainty_expression': is missing"),
        (
            b"uncertainty_expression,llm_confidence_level\na,b,c,d\na\n",
            ", column 'annotation_mean': is missing",
        ),
        (b"a\n1,2\n3,4,5\n", ": cannot be read as a table (ParserError"),
        (
            b"uncertainty_expression,llm_confidence_level,annotation_mean\na,high,x\n",
            ", column 'annotation_mean': holds other than numbers",
        ),
    ],
)
def test_a_study_that_cannot_be_read_is_named(tmp_path, content, fault):
    path = tmp_path / "tao2025/linguistic_confidence_benchmark_1622.csv"
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        studies.read_benchmark(tmp_path)
    assert str(caught.value).startswith(f"{path}{fault}")


def test_a_second_signal_gains_what_it_tells():
    rng = np.random.default_rng(5)
    right = rng.integers(0, 2, 600).astype(float)
    noise = rng.normal(size=(2, 600))
    rows = pd.DataFrame({"agreement": right + noise[0], "least": right + noise[1], "right": right})
    rows["split"] = np.where(np.arange(600) < 300, "train", "test")
    gain, none = compare(rows), compare(rows.assign(least=rows["agreement"]))
    assert float(gain["Brier, with least token"]) < float(gain["Brier"]) - 0.02
    assert float(gain["AUROC, with least token"]) > float(gain["AUROC"])
    assert none["Brier, difference"].split()[0] in ("+0.000", "-0.000", "-0.001", "+0.001")
