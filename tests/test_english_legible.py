"""What no evaluator of English can read is unread: it has no reading, and is counted."""

import numpy as np
import pandas as pd
import pytest

from ralc import evaluators
from ralc.english import unread

UNREAD = {
    "": "it is empty",
    " \n\t": "it is empty",
    "…?!": "it is empty",
    "東京は日本の首都です。": "it is not in English",
    "Столица России — Москва.": "it is not in English",
    "Je pense que la capitale est Paris.": "it is not in English",
    "Ich bin nicht sicher, aber das ist wahrscheinlich Bern.": "it is not in English",
    "Creo que es la capital de los incas.": "it is not in English",
    "Die Hauptstadt von Peru ist Lima.": "it is not in English",  # short sentences of few function words
    "La respuesta es París.": "it is not in English",
    "C'est Lima.": "it is not in English",
    "La risposta è Parigi.": "it is not in English",
    "Svaret är Paris.": "it is not in English",
    "```python\nprint('Paris')\n```": "it is code",
    "def capital(land):\n    return names[land]": "it is code",
    "function f(x) {\n  return x;\n}": "it is code",
}
READ = [
    "42",
    "Łódź",
    "São Tomé and Príncipe",
    "El Salvador, La Paz or Los Angeles.",
    "I think it might be Paris.",
    "She said “Ich bin nicht sicher”, so I am not sure either.",
    "B",
    "Ursula von der Leyen",
    "Rio de Janeiro.",
    "i.e. the Amazon",
    "Harvard, est. 1636",
    "Cellular process(es)",
    "The estate was founded by Luiz Inácio Lula da Silva.",
    "Use the import tax from 1990; the rest is unclear.",
]


@pytest.mark.parametrize(("text", "why"), UNREAD.items())
def test_what_cannot_be_read_says_why(text, why):
    assert unread(text) == why


@pytest.mark.parametrize("text", READ)
def test_short_answers_names_and_quotations_can_be_read(text):
    assert unread(text) == ""


@pytest.mark.parametrize("name", ["cue_model", "cue_model_b"])
def test_an_unread_text_has_no_reading(name):
    """Empty, Russian and code were once read as .95, like any text without a hedge."""
    evaluator = evaluators.load(name)
    texts = pd.DataFrame({"item": ["a", "b", "c"], "text": ["", "Perhaps Paris.", "Париж."]})
    table = evaluator.readings(texts)
    assert table["alpha"].isna().tolist() == table["beta"].isna().tolist() == [True, False, True]
    assert table.loc[1, "alpha"] == evaluator.read(["Perhaps Paris."]).alpha[0]
    with pytest.raises(ValueError, match="text 1 cannot be read: it is not in English"):
        evaluator.read(["Paris.", "Париж."])


def test_a_calibrator_leaves_alone_what_it_cannot_read():
    from ralc import WordCalibrator

    rng = np.random.default_rng(0)
    scores = rng.random(60)
    calibrator = WordCalibrator().fit(scores, rng.random(60) < scores)
    (made,) = calibrator.rewrite(["Столица — Москва."], [0.5])
    assert (made.text, made.changed, made.reason) == ("Столица — Москва.", False, "it is not in English")
    assert made.read is None
