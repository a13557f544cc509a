"""The table of human-annotated cues, made from the studies."""

import pandas as pd

from ralc.english import read_cues

#: Expressions of the table that has Tao et al. alone.
TAO_CUES = 50
MIN_SENTENCES = 12  # an expression of running text needs that many sentences in which it is the only cue


def human_cue_table(
    capphrase: pd.DataFrame, surveys: dict[str, pd.DataFrame], tao: pd.DataFrame, filtered: pd.DataFrame
) -> pd.DataFrame:
    """Return the expression, mean, SD, n and source of every cue that a study gives figures for.

    Phrases come with the raw scores of persons (CAPphrase first, the surveys for phrases it lacks).
    Expressions of running text come from the band-filtered scores of Tao et al., over the training sentences
    in which they are the only cue. Their SD is over sentences, and too small by the filter.
    """
    rows: list[pd.DataFrame] = []
    phrases: set[str] = set()
    for source, scores in {"capphrase": capphrase, **surveys}.items():
        grouped = scores[~scores["phrase"].isin(phrases)].groupby("phrase")["score"]
        rows.append(_summary(grouped, source))
        phrases |= set(scores["phrase"])
    single = _single_cues(tao, filtered)
    enough = single[(single["n"] >= MIN_SENTENCES) & ~single["expression"].isin(phrases)]
    return _confident_first(pd.concat([*rows, enough]))


def tao_cue_table(tao: pd.DataFrame, filtered: pd.DataFrame) -> pd.DataFrame:
    """Return the expressions that most training sentences of Tao et al. have as their only cue, as `human_cue_table`.

    The paper shows its evaluator the cues "from Tao et al." and does not list them. That study annotates sentences, not
    cues, so these figures are over sentences.
    """
    single = _single_cues(tao, filtered).sort_values(["n", "expression"], ascending=[False, True])
    return _confident_first(single.head(TAO_CUES))


def _single_cues(tao: pd.DataFrame, filtered: pd.DataFrame) -> pd.DataFrame:
    """Figures of each expression over the training sentences in which it is the only cue."""
    part = dict(zip(tao["text"], tao["part"], strict=True))
    scored = []
    for text, score in zip(filtered["text"], filtered["score"], strict=True):
        cues = read_cues(text)
        if part.get(text) == "train" and len(cues) == 1 and not cues[0].negated and not cues[0].degree:
            scored.append((cues[0].expression, score))
    return _summary(pd.DataFrame(scored, columns=["e", "s"]).groupby("e")["s"], "tao2025 (band-filtered)")


def _confident_first(table: pd.DataFrame) -> pd.DataFrame:
    return table.sort_values(["mean", "expression"], ascending=[False, True], ignore_index=True)


def _summary(grouped: object, source: str) -> pd.DataFrame:
    table = grouped.agg(["mean", "std", "count"]).round(3).rename_axis("expression").reset_index()
    return table.rename(columns={"std": "sd", "count": "n"}).assign(source=source)
