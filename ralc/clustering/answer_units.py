"""The units of answers: of a long answer each sentence that claims something, of any other the whole."""

import pandas as pd

from ralc.english.claim_sentences import claim_units
from ralc.names import LONG


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
        The same columns, and ``start``: where the unit's ``text`` begins in its answer, in characters; and ``whole``,
        that answer; null where it is not taken sentence by sentence: a long answer that claims nothing, such as an
        abstention, is one unit.
    """
    long = answers["question_id"].isin(questions.loc[questions["format"] == LONG, "question_id"])
    stretches = [
        [(0, len(text)), *((one.sentence.start, one.sentence.end) for one in claim_units(text) if is_long)]
        for text, is_long in zip(answers["text"], long, strict=True)
    ]
    whole = answers["text"].where([len(found) > 1 for found in stretches])
    stretches = [found[1:] or found for found in stretches]
    units = answers.assign(stretch=stretches, whole=whole).explode("stretch", ignore_index=True)
    begin, end = (units["stretch"].str[place].astype(int) for place in (0, 1))
    texts = [text[a:b] for text, a, b in zip(units["text"], begin, end, strict=True)]
    sentence = units.groupby(["question_id", "prompt"], sort=False).cumcount()
    return units.drop(columns="stretch").assign(text=texts, start=begin, sentence=sentence)
