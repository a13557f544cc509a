"""Fit what tells another language in Latin letters from English on public text (`ralc.english.language`).

    python -m studies.language --catalogues DIR --data SHARED

writes ``ralc/data/language.json``. DIR holds the unpacked wheels of Django, Wagtail and Sphinx (BSD), django-allauth
and spacy-lookups-data (MIT). Messages of the first four are translated into 47 such languages. spaCy and its data (MIT)
have examples, function words and word forms; the words are drawn a few at a time. Treebanks of Universal Dependencies
are in DIR, too (CC BY-SA): Czech, English, Finnish, French, German, Indonesian, Italian, Polish, Portuguese, Spanish,
Swedish and Turkish PUD, Danish-DDT, Dutch-LassySmall, Hungarian-Szeged, Norwegian-Bokmaal and
Romanian-RRT. They give sentences, and the subject, verb and object of each. English is of the messages, of SQuAD, MMLU
and TruthfulQA, too, a share of it with a foreign phrase inside. The thresholds are chosen on English that is held out
and on the half ``development`` of ``tests/data/languages.csv``.
"""

import argparse
import gettext
import gzip
import importlib
import json
import pkgutil
import random
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
import spacy.lang

from ralc import data
from ralc.english import LanguageModel
from studies import study_folder
from studies.text_models import english, sparse_regression

#: The languages of which most is drawn, and the others.
COMMON, OTHER = (
    tuple(names.split())
    for names in (
        "de fr es it nl pt pt_BR pl sv tr id da cs ro fi hu nb nn ca hr sk sl et lt lv sq vi",
        "af ast az bs cy dsb eu fy ga gd gl hsb ia io is lb ms sw tk uz",
    )
)
MOST_COMMON = 1500
MOST_OTHER = 400
#: Texts of function words and word forms of a language; letters of a form at most.
PSEUDO = 1000
LONGEST = 12
#: Sentences of a treebank. What is left of one: its verb, what depends on that, and the small words of these.
TREES = 1000
OF_VERB = {"nsubj", "obj", "obl", "cop", "aux", "xcomp"}
OF_NOUN = {"det", "case", "nummod", "flat", "flat:name"}
#: Words that are left of a text, at most.
SIZES = (3, 4, 5, 6, 8, 10, 15)
#: How many missed texts of other languages one mistaken text of English costs; it sets the thresholds. What is no
#: sentence may be a title or a term.
COST = {"pair": 200, "phrase": 200, "remark": 50, "sentence": 10, "unsure": 10}
#: Fewest texts with a feature; inverse strength of the penalty.
FEATURE = 15
C = 0.3
#: What is no word of a message: a place for a value, a tag, a role.
_PLACE = re.compile(r"<[^>]*>|%\(\w+\)[sd]|%[a-z]|\{[^}]*\}|`[^`]*`|:\w+:|&\w+;|https?://\S+")


def foreign(catalogues: Path, rng: random.Random) -> tuple[list[str], list[str]]:
    """Return messages, examples and function words of other languages, and the messages in English."""
    found: dict[str, set[str]] = {language: set() for language in (*COMMON, *OTHER)}
    sources: set[str] = set()
    for path in sorted(catalogues.glob("**/LC_MESSAGES/*.mo")):
        if (language := path.parts[-3]) in found:
            with path.open("rb") as file:
                messages = gettext.GNUTranslations(file)._catalog
            for key, message in messages.items():
                source = key[0] if isinstance(key, tuple) else key
                if source and source != message:
                    found[language].update(part for part in _parts(message) if part not in source)
                    sources.update(_parts(source))
    texts: list[str] = []
    for language, messages in found.items():
        most = MOST_COMMON if language in COMMON else MOST_OTHER
        texts += rng.sample(rows := sorted(messages), min(most, len(rows)))
        if len(language) == 2 and language in {
            module.name for module in pkgutil.iter_modules(spacy.lang.__path__)
        }:
            texts += _examples(language, _forms(catalogues, language), rng)
    return texts, sorted(sources)


def _parts(message: str) -> Iterator[str]:
    """The sentences of a message."""
    parts = (" ".join(_PLACE.sub(" ", part).split()) for part in re.split(r"(?<=[.!?:])\s+|\n", message))
    return filter(None, parts)


def _examples(language: str, forms: list[str], rng: random.Random) -> Iterator[str]:
    """Examples of a language in spaCy, and a few of its function words and word forms."""
    found: dict[str, list[str]] = {}
    for name, attribute in (("examples", "sentences"), ("stop_words", "STOP_WORDS")):
        try:
            found[name] = sorted(getattr(importlib.import_module(f"spacy.lang.{language}.{name}"), attribute))
        except ModuleNotFoundError:
            found[name] = []
    yield from found["examples"]
    if not found["stop_words"]:
        return
    for _ in range(PSEUDO):
        words = [
            rng.choice(rng.choice((found["stop_words"], forms or found["stop_words"])))
            for _ in range(rng.choice((2, 3, 4)))
        ]
        yield " ".join((rng.choice((words[0], words[0].capitalize())), *words[1:]))


def sentences(catalogues: Path, rng: random.Random, *, english: bool) -> list[str]:
    """Return sentences of treebanks, and the short ones that are left of them; of English, or of all others."""
    found = list[str]()
    for folder in sorted(catalogues.glob("UniversalDependencies+*")):
        if ("English" in folder.name) == english:
            trees = [tree for path in sorted(folder.glob("*.conllu")) for tree in _trees(path)]
            for tree in rng.sample(trees, min(TREES, len(trees))):
                found += [row[9:] for row in tree if row.startswith("# text = ")]
                found += filter(None, [_shortened([row.split("\t") for row in tree if row[0].isdigit()])])
    return found


def _trees(path: Path) -> list[list[str]]:
    return [tree.split("\n") for tree in path.read_text(encoding="utf-8").strip().split("\n\n")]


def _shortened(rows: list[list[str]]) -> str:
    """A sentence of three to seven words: the verb, its subject and object, or "" where there are more or fewer."""
    tokens = {row[0]: row for row in rows if row[0].isdigit()}
    root = next(row for row in tokens.values() if row[6] == "0")
    kept = {root[0]} | {row[0] for row in tokens.values() if row[6] == root[0] and row[7] in OF_VERB}
    kept |= {row[0] for row in tokens.values() if row[6] in kept and row[7] in OF_NOUN}
    words = []
    last = 0
    for row in rows:  # one that is written as one of several ("della") stands before them
        first, _, end = row[0].partition("-")
        if first.isdigit() and int(first) > last and (first in kept or end in kept):
            words.append(row[1])
        last = int(end) if end and first.isdigit() else last
    text = " ".join(words)
    return f"{text[0].upper()}{text[1:]}." if 3 <= len(words) <= 7 else ""


def _forms(catalogues: Path, language: str) -> list[str]:
    """Short word forms of a language."""
    forms: set[str] = set()
    for path in sorted(catalogues.glob(f"spacy_lookups_data/data/{language}_lemma_lookup.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            forms.update(form for form in json.load(file) if form.islower() and 2 <= len(form) <= LONGEST)
    return sorted(forms)


def part(text: str, rng: random.Random) -> str:
    """Return a few words of a text, mostly the first."""
    words = text.split()
    size = rng.choice(SIZES)
    start = rng.choice((0, 0, rng.randrange(max(len(words) - size, 1))))
    return " ".join(words[start : start + size])


def pieces(texts: list[str], rng: random.Random) -> list[str]:
    """Return texts, and a few words of each."""
    return [*texts, *(part(text, rng) for text in texts)]


def fit(
    foreign: list[str], english: list[str], held_out: dict[str, list[str]]
) -> tuple[LanguageModel, float, float]:
    """Return the model, and the shares of other texts and of English that it mistakes of what is held out."""
    labelled = [*((text, 1) for text in foreign), *((text, 0) for text in english)]
    words = {"+", "=", "?"}
    rows = [
        (found, label) for text, label in labelled if words & (found := LanguageModel.features(text)).keys()
    ]
    weights, intercept, _ = sparse_regression(*zip(*rows, strict=True), least=FEATURE, penalty=C)
    fitted = LanguageModel(weights, intercept, {})
    table = pd.DataFrame(
        [
            (LanguageModel.kind(text, found), name, fitted.log_odds(found))
            for name, texts in held_out.items()
            for text in texts
            if words & (found := LanguageModel.features(text)).keys()
        ],
        columns=["kind", "texts", "odds"],
    )
    thresholds = {kind: _threshold(rows) for kind, rows in table.groupby("kind")}
    taken = table["odds"] >= table["kind"].map(thresholds)
    shares = taken.groupby(table["texts"]).mean()
    return fitted._replace(thresholds=thresholds), 1 - float(shares["foreign"]), float(shares["english"])


def _threshold(rows: pd.DataFrame) -> float:
    """The highest log-odds at which what is mistaken costs least."""
    english, others = (np.sort(rows.loc[rows["texts"] == name, "odds"]) for name in ("english", "sentences"))
    grid = np.round(np.arange(10, -10, -0.05), 2)
    mistaken = 1 - np.searchsorted(english, grid) / len(english)
    missed = np.searchsorted(others, grid) / len(others)
    return float(grid[np.argmin(COST[rows["kind"].iloc[0]] * mistaken + missed)])


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description="Fit what tells another language from English.")
    parser.add_argument("--catalogues", type=Path, required=True)
    parser.add_argument("--data", type=study_folder, required=True)
    options = parser.parse_args()
    rng = random.Random(0)
    translated, sources = foreign(options.catalogues, rng)
    translated += sentences(options.catalogues, rng, english=False)
    of_english = list(dict.fromkeys(chain(*english(options.data))))
    of_english += sentences(options.catalogues, rng, english=True)
    both = [rng.sample(texts, len(texts)) for texts in (translated, of_english)]
    held_out = {
        name: [text for text in texts[: len(texts) // 5] if " " in text]
        for name, texts in zip(("foreign", "english"), both, strict=True)
    }
    written = pd.read_csv("tests/data/languages.csv").query("half == 'development'")
    held_out["sentences"] = written.loc[written["language"] != "en", "text"].tolist()
    held_out["english"] += written.loc[written["language"] == "en", "text"].tolist()
    pairs = (
        text
        for text in held_out["english"]
        if LanguageModel.kind(text, LanguageModel.features(text)) == "pair"
    )
    held_out["english"] += [f"{text[0].upper()}{text[1:].rstrip('.')}." for text in pairs]
    others, texts = (pieces(texts[len(texts) // 5 :], rng) for texts in both)
    forms = _forms(options.catalogues, "en")
    texts += pieces(sources, rng)
    texts += [" ".join(rng.sample(forms, rng.choice((2, 3, 4)))) for _ in range(8 * PSEUDO)]
    mixed = [
        f"{one} {part(other, rng)}"
        for one, other in zip(rng.sample(texts, 8000), rng.sample(others, 8000), strict=True)
    ]
    texts += [text for text in mixed if len(text.split()) > 6]
    model, foreign_mistaken, english_mistaken = fit(others, texts, held_out)
    table = {
        "provenance": (
            f"{len(others):,} pieces of other languages, {len(texts):,} of English (studies/language.py); of texts that"
            f" were held out {foreign_mistaken:.2%} and {english_mistaken:.2%} are mistaken"
        ),
        **{field: getattr(model, field) for field in LanguageModel._fields},
    }
    data.path("language.json").write_text(
        json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    print(table["provenance"], len(model.weights))


if __name__ == "__main__":
    main()
