"""The table of human-annotated cues, made from the studies."""

from collections import defaultdict

import pandas as pd

from ralc.english.cues import find_cues

MIN_SENTENCES = 12  # an expression of running text needs that many sentences in which it is the only cue


def human_cue_table(
    capphrase: pd.DataFrame, surveys: dict[str, pd.DataFrame], tao: pd.DataFrame, filtered: pd.DataFrame
) -> pd.DataFrame:
    """Expression, mean, SD, n and source of every cue that a study gives figures for.

    Phrases come with the raw scores of persons (CAPphrase first, the surveys for phrases it lacks).
    Expressions of running text come from the band-filtered scores of Tao et al., over the training sentences
    in which they are the only cue: their SD is over sentences, and too small by the filter.
    """
    rows: list[pd.DataFrame] = []
    known: set[str] = set()
    for source, scores in {"capphrase": capphrase, **surveys}.items():
        grouped = scores[~scores["phrase"].isin(known)].groupby("phrase")["score"]
        rows.append(_summary(grouped, source))
        known |= set(scores["phrase"])
    part = dict(zip(tao["text"], tao["part"], strict=True))
    single: dict[str, list[float]] = defaultdict(list)
    for text, score in zip(filtered["text"], filtered["score"], strict=True):
        cues = find_cues(text)
        if part.get(text) == "train" and len(cues) == 1 and not cues[0].negated and not cues[0].degree:
            single[cues[0].expression].append(score)
    enough = {
        name: scores for name, scores in single.items() if len(scores) >= MIN_SENTENCES and name not in known
    }
    long = pd.DataFrame(
        [(name, score) for name, scores in enough.items() for score in scores], columns=["e", "s"]
    )
    rows.append(_summary(long.groupby("e")["s"], "tao2025 (band-filtered)"))
    return pd.concat(rows).sort_values(["mean", "expression"], ascending=[False, True], ignore_index=True)


def _summary(grouped: object, source: str) -> pd.DataFrame:
    table = grouped.agg(["mean", "std", "count"]).round(3).rename_axis("expression").reset_index()
    return table.rename(columns={"std": "sd", "count": "n"}).assign(source=source)
