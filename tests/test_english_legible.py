"""What no evaluator of English can read is unread: it has no reading, and is counted."""

import pandas as pd
import pytest

from ralc import evaluators
from ralc.english import unread

EMPTY, FOREIGN, CODE = "it is empty", "it is not in English", "it holds no prose"
UNREAD = {
    "": EMPTY,
    " \n\t": EMPTY,
    "…?!": EMPTY,
    "東京は日本の首都です。": FOREIGN,
    "Столица России — Москва.": FOREIGN,
    "Je pense que la capitale est Paris.": FOREIGN,
    "Creo que es la capital de los incas.": FOREIGN,
    "Die Hauptstadt von Peru ist Lima.": FOREIGN,  # short sentences of few function words
    "La respuesta es París.": FOREIGN,
    "C'est Lima.": FOREIGN,
    "```python\nprint('Paris')\n```": CODE,
}
READ = [
    *(
        "42",
        "B",
        "Łódź",
        "São Tomé and Príncipe",
        "El Salvador, La Paz or Los Angeles.",
        "Ursula von der Leyen",
    ),
    *("Rio de Janeiro.", "i.e. the Amazon", "Harvard, est. 1636", "Cellular process(es)"),
    "She said “Ich bin nicht sicher”, so I am not sure either.",
    "The estate was founded by Luiz Inácio Lula da Silva.",
    "Use the import tax from 1990; the rest is unclear.",
]


@pytest.mark.parametrize(("text", "why"), [*UNREAD.items(), *((text, "") for text in READ)])
def test_what_cannot_be_read_says_why(text, why):
    assert unread(text) == why


@pytest.mark.parametrize("name", ["cue_model", "cue_model_b"])
def test_an_unread_text_has_no_reading(name):
    evaluator = evaluators.load(name)
    texts = pd.DataFrame({"item": ["a", "b", "c"], "text": ["", "Perhaps Paris.", "Париж."]})
    table = evaluator.readings(texts)
    assert table["alpha"].isna().tolist() == table["beta"].isna().tolist() == [True, False, True]
    with pytest.raises(ValueError, match="text 1 cannot be read: it is not in English"):
        evaluator.read(["Paris.", "Париж."])
