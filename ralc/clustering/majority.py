"""Majorities: direct answers, the original answer of a question (the first of the largest cluster), and its units."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pandas as pd

from ralc.conditions import UNIT
from ralc.english import sentences
from ralc.registry import LONG
from ralc.sampling import answered


def questions_of(answers: pd.DataFrame, questions: pd.DataFrame) -> dict[str, Any]:
    """Return the rows of the questions by id; ValueError where that of an answer is missing."""
    rows = {row.question_id: row for row in questions.itertuples(index=False)}
    unknown = answers.loc[~answers["question_id"].isin(rows.keys()), "question_id"]
    if len(unknown):
        raise ValueError(f"question_id {unknown.iloc[0]!r} is not in the questions")
    return rows


def direct_answers(samples: pd.DataFrame, questions: pd.DataFrame) -> Iterator[tuple[Any, pd.DataFrame]]:
    """Yield each question that was answered directly (a row of `questions`) with its samples, in their order."""
    direct = answered(samples[samples["prompt"] == "direct"])
    direct = direct.sort_values(["question_id", "sample"], kind="stable")
    rows = questions_of(direct, questions)
    for question_id, group in direct.groupby("question_id", sort=False):
        yield rows[question_id], group


def original_answers(samples: pd.DataFrame, clusters: pd.DataFrame) -> pd.DataFrame:
    """Return the answers to grade and read: of each question the original response and the hedged answer.

    The original response is the first answer of the largest cluster; of several largest the one whose first
    answer came first.

    Parameters
    ----------
    samples
        The samples table (`ralc.sampling`).
    clusters
        The clusters table of its direct answers.

    Returns
    -------
    DataFrame
        ``question_id, sentence, prompt, start, text, parent_answer, support, samples, fallback, members``. Each answer
        is one unit, of sentence 0 from character 0. Support is the size of the largest cluster out of `samples`,
        members are its sample numbers. A hedged answer has null support and no members. A question all of whose
        samples failed has an empty text out of 0 samples; samples that failed beside others are not counted.

    Raises
    ------
    ValueError
        If a direct answer is in no cluster.
    """
    direct = samples[samples["prompt"] == "direct"]
    joined = answered(direct).merge(clusters, on=["question_id", "sample"], how="left", validate="one_to_one")
    if joined["cluster"].isna().any():
        lost = joined.loc[joined["cluster"].isna(), "question_id"].iloc[0]
        raise ValueError(f"question {lost!r}: not clustered")
    joined = joined.sort_values(["question_id", "sample"], kind="stable")
    of_question = joined.groupby("question_id", sort=False)
    # A Counter keeps the order of first appearance, also among equals.
    biggest = of_question["cluster"].transform(lambda clusters: Counter(clusters).most_common(1)[0][0])
    members = joined[joined["cluster"] == biggest].groupby("question_id", sort=False)
    originals = members.agg(text=("text", "first"), support=("sample", "size"), members=("sample", list))
    counts = of_question.agg(samples=("sample", "size"), fallback=("fallback", "any"))
    order = direct["question_id"].unique()
    table = originals.join(counts).reindex(order).reset_index(names="question_id")
    table = table.assign(prompt="direct", samples=table["samples"].fillna(0))
    hedged = samples[samples["prompt"] == "hedged"].drop_duplicates("question_id")
    usable = hedged.index.isin(answered(hedged).index)
    hedged = hedged[["question_id", "prompt", "text"]].assign(samples=pd.Series(0, hedged.index).mask(usable))
    columns = [*UNIT, "prompt", "start", "text", "parent_answer", "support", "samples", "fallback", "members"]
    both = pd.concat([table, hedged], ignore_index=True).assign(sentence=0, start=0).reindex(columns=columns)
    both["members"] = [members if isinstance(members, list) else [] for members in both["members"]]
    both = both.fillna({"text": "", "fallback": False})
    return both.astype({"support": "Int64", "samples": "Int64", "fallback": "bool"})


def in_sentences(answers: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Return the answers, those to questions that ask for long ones a row a claim sentence.

    Parameters
    ----------
    answers
        The original and the hedged answers (`original_answers`).
    questions
        The questions table.

    Returns
    -------
    DataFrame
        The same columns. ``start`` is where the unit's ``text`` begins in its answer, in characters.
        ``parent_answer`` is that answer, null where it is not taken sentence by sentence. A long answer that claims
        nothing, such as an abstention, is one unit.
    """
    long = answers["question_id"].isin(questions.loc[questions["format"] == LONG, "question_id"])
    prose = answers["text"].where(long, "")
    stretches = [
        [(0, len(text)), *((one.start, one.end) for one in sentences(unit) if one.claims)]
        for text, unit in zip(answers["text"], prose, strict=True)
    ]
    whole = answers["text"].where([len(spans) > 1 for spans in stretches])
    stretches = [spans[1:] or spans for spans in stretches]
    units = answers.assign(stretch=stretches, parent_answer=whole).explode("stretch", ignore_index=True)
    begin, end = (units["stretch"].str[place].astype(int) for place in (0, 1))
    texts = [text[a:b] for text, a, b in zip(units["text"], begin, end, strict=True)]
    sentence = units.groupby(["question_id", "prompt"], sort=False).cumcount()
    return units.drop(columns="stretch").assign(text=texts, start=begin, sentence=sentence)
