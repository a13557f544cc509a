"""The phrases that people were asked about, each in a sentence, so that an evaluator of sentences can read it."""

import csv

from ralc import data

with data.path("asked_phrases.csv").open(encoding="utf-8", newline="") as _file:
    _ROWS = list(csv.DictReader(_file))
#: The phrases that can stand before or inside any answer: as a hedge, with its grammatical frame.
ASKED = {row["phrase"]: (row["hedge"], row["frame"]) for row in _ROWS if row["hedge"]}
#: A sentence for every phrase of the human studies.
PHRASE_SENTENCES = {row["phrase"]: row["sentence"] for row in _ROWS}
