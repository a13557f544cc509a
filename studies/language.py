"""Fit what tells another language in Latin letters from English on public text (`ralc.english.language`).

    python -m studies.language --catalogues DIR --data SHARED

writes ``ralc/data/language.json``. DIR holds the unpacked wheels of Django, Wagtail and Sphinx (BSD), django-allauth
and spacy-lookups-data (MIT). Messages of the first four are translated into 47 such languages. spaCy and its data (MIT)
have examples, function words and word forms; the words are drawn a few at a time. English is of SQuAD, MMLU and
TruthfulQA, a share of it with a foreign phrase inside.
"""

import argparse
import gettext
import gzip
import importlib
import json
import pkgutil
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import spacy.lang
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from ralc import data, datasets
from ralc.english import LanguageModel

#: The languages of which most is drawn, and the others.
COMMON, OTHER = (
    tuple(names.split())
    for names in (
        "de fr es it nl pt pt_BR pl sv tr id da cs ro fi hu nb nn ca hr sk sl et lt lv sq vi",
        "af ast az bs cy dsb eu fy ga gd gl hsb ia io is lb ms sw tk uz",
    )
)
MOST_COMMON, MOST_OTHER = 1500, 400
#: Texts of function words and word forms of a language; letters of a form at most.
PSEUDO, LONGEST = 1000, 12
#: Words that are left of a text, at most.
SIZES = (3, 4, 5, 6, 8, 10, 15)
#: Log-odds from which a text is of another language: any, one of two words, a sentence without function words;
#: and what each of these adds.
THRESHOLDS = (1.5, 9.0, -1.0, 6.0)
#: Fewest texts with a feature; inverse strength of the penalty.
FEATURE, C = 15, 3.0
#: What is no word of a message: a place for a value, a tag, a role.
_PLACE = re.compile(r"<[^>]*>|%\(\w+\)[sd]|%[a-z]|\{[^}]*\}|`[^`]*`|:\w+:|&\w+;|https?://\S+")


def foreign(catalogues: Path, rng: random.Random) -> list[str]:
    """Return messages, examples and function words of other languages."""
    found: dict[str, set[str]] = {language: set() for language in (*COMMON, *OTHER)}
    for path in sorted(catalogues.glob("**/LC_MESSAGES/*.mo")):
        if (language := path.parts[-3]) in found:
            with path.open("rb") as file:
                messages = gettext.GNUTranslations(file)._catalog
            for key, message in messages.items():
                source = key[0] if isinstance(key, tuple) else key
                parts = re.split(r"(?<=[.!?:])\s+|\n", message) if source and source != message else []
                plain = (" ".join(_PLACE.sub(" ", part).split()) for part in parts)
                found[language].update(part for part in plain if part and part not in source)
    texts: list[str] = []
    for language, messages in found.items():
        most = MOST_COMMON if language in COMMON else MOST_OTHER
        texts += rng.sample(rows := sorted(messages), min(most, len(rows)))
        if len(language) == 2 and language in {
            module.name for module in pkgutil.iter_modules(spacy.lang.__path__)
        }:
            texts += _examples(language, _forms(catalogues, language), rng)
    return texts


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


def _forms(catalogues: Path, language: str) -> list[str]:
    """Short word forms of a language."""
    forms: set[str] = set()
    for path in sorted(catalogues.glob(f"spacy_lookups_data/data/{language}_lemma_lookup*.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            forms.update(form for form in json.load(file) if form.islower() and 2 <= len(form) <= LONGEST)
    return sorted(forms)


def english(shared: Path) -> list[str]:
    """Return sentences, answers and choices."""
    squad = datasets.load("squad2", {"path": str(shared / "squad2/dev-v2.0.json.gz")})
    mmlu = datasets.load("mmlu", {"path": str(shared / "mmlu/test")})
    truthful = datasets.load("truthfulqa", {"path": str(shared / "truthfulqa/TruthfulQA.csv")})
    end = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9])")
    texts = [sentence for text in squad["context"].unique() for sentence in end.split(text)]
    texts += [answer for row in squad["accepted"] for answer in row]
    texts += [choice for row in mmlu["choices"] for choice in row]
    texts += [answer for kind in ("accepted", "wrong") for row in truthful[kind] for answer in row]
    return list(dict.fromkeys(texts))


def part(text: str, rng: random.Random) -> str:
    """Return a few words of a text, mostly the first."""
    words, size = text.split(), rng.choice(SIZES)
    start = rng.choice((0, 0, rng.randrange(max(len(words) - size, 1))))
    return " ".join(words[start : start + size])


def fit(foreign: list[str], english: list[str], rng: random.Random) -> tuple[LanguageModel, float, float]:
    """Return the model, and on a fifth that is held out the shares of English and of other texts it mistakes."""
    both = [*((text, 1) for text in foreign), *((text, 0) for text in english)]
    texts = [(text, label) for text, label in rng.sample(both, len(both)) if LanguageModel.features(text)]
    found = [LanguageModel.features(text) for text, _ in texts]
    counts = Counter(feature for features in found for feature in features)
    places = {
        feature: at for at, feature in enumerate(sorted(one for one in counts if counts[one] >= FEATURE))
    }
    rows = [
        [(places[name], count) for name, count in features.items() if name in places] for features in found
    ]
    ends = np.cumsum([0, *map(len, rows)])
    columns, values = zip(*(pair for row in rows for pair in row), strict=True)
    table = csr_matrix((np.array(values, dtype=float), columns, ends), shape=(len(rows), len(places)))
    labels = np.array([label for _, label in texts])
    train = np.arange(len(texts)) < 0.8 * len(texts)
    model = LogisticRegression(penalty="l1", solver="liblinear", C=C, random_state=0).fit(
        table[train], labels[train]
    )
    taken = model.decision_function(table[~train]) > THRESHOLDS[0]
    others = labels[~train] == 1
    rounded = {feature: round(float(model.coef_[0][at]), 2) for feature, at in places.items()}
    weights = {feature: weight for feature, weight in rounded.items() if weight}
    fitted = LanguageModel(weights, round(float(model.intercept_[0]), 2), *THRESHOLDS)
    return fitted, float(np.mean(taken[~others])), float(np.mean(~taken[others]))


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description="Fit what tells another language from English.")
    parser.add_argument("--catalogues", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    rng = random.Random(0)
    others = [part(text, rng) for text in foreign(options.catalogues, rng)]
    forms = _forms(options.catalogues, "en")
    texts = [part(text, rng) for text in english(options.data)]
    texts += [" ".join(rng.sample(forms, rng.choice((2, 3, 4)))) for _ in range(8 * PSEUDO)]
    mixed = [
        f"{one} {part(other, rng)}"
        for one, other in zip(rng.sample(texts, 4000), rng.sample(others, 4000), strict=True)
    ]
    mixed = [text for text in mixed if len(text.split()) > 6]
    model, english_mistaken, foreign_mistaken = fit(others, [*texts, *mixed], rng)
    table = {
        "provenance": (
            f"{len(others):,} pieces of other languages, {len(texts) + len(mixed):,} of English (studies/language.py);"
            f" of a fifth that was held out {foreign_mistaken:.2%} and {english_mistaken:.2%} are mistaken"
        ),
        **{field: getattr(model, field) for field in LanguageModel._fields},
    }
    data.path("language.json").write_text(
        json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    print(table["provenance"], len(model.weights))


if __name__ == "__main__":
    main()
