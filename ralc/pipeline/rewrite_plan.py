"""What is to be rewritten: each condition's task, equal tasks named alike so that they run once."""

import hashlib
import json

import numpy as np
import pandas as pd

from ralc.conditions import ASKED, DEFAULT, UNIT, rewrite_items
from ralc.lexicon import asked_lexicon
from ralc.registry import METHODS
from ralc.rewriting.skip import claims_lack, skip_reason
from ralc.sampling.missing import unanswered


def plan(
    questions: pd.DataFrame,
    answers: pd.DataFrame,
    retrieved: pd.DataFrame,
    lexicon: pd.DataFrame,
    *,
    loop: str = "closed",
    abstentions: str = "claims",
    letter: bool = False,
    together: bool = False,
) -> pd.DataFrame:
    """Return the rewriting plan: one row a condition, with its `task`.

    Adds to `retrieved` (its unit, target, train, signal, method, variant, alpha, beta, hedges) the original `text`,
    the `frames`, `hedge_alpha` and `hedge_beta` of the hedges, and the `task` it needs: equal for equal (text,
    hedges), and for Direct Beta-guided, which has no hedges, equal (text, alpha, beta to two decimals, as its prompt
    shows them); by the paper's `letter` each condition has a task of its own. `loop` says whether the evaluator chooses
    among candidates; where an ablation opens the loop, or takes the phrases that people were asked about, the task is
    one of its own. `passes` says why an answer is not to be hedged (empty where it is): abstentions and what is no
    answer to its question, unless `abstentions` are hedged, or are claims and it says that the background lacks the
    answer. RALC rewrites the sentences of a long answer `together`, each a task of its own with the answer as
    its `whole`; its variants do not. A task's own target (`task_alpha`, `task_beta`) is the mean over its conditions.
    """
    originals = answers.loc[answers.prompt == "direct", ["target", *UNIT, "text", "whole"]]
    rows = retrieved.merge(originals, on=["target", *UNIT], validate="many_to_one")
    by_asked = rows["variant"] == ASKED
    for column, source in (("frames", "frame"), ("hedge_alpha", "alpha"), ("hedge_beta", "beta")):
        ours, theirs = (
            table.set_index("expression")[source].to_dict() for table in (lexicon, asked_lexicon())
        )
        rows[column] = [
            [(theirs if asked else ours)[hedge] for hedge in hedges]
            for asked, hedges in zip(by_asked, rows.hedges, strict=True)
        ]
    rows["loop"] = np.where(by_asked | (rows["variant"] == "loop=open"), "open", loop)
    asked = rows["question_id"].map(questions.set_index("question_id")["question"])
    said = list(zip(rows["text"], asked, strict=True))
    reasons = {one: _reason(*one, abstentions) for one in dict.fromkeys(said)}
    rows["passes"] = pd.Series([reasons[one] for one in said], index=rows.index, dtype="str")
    whole = together & (rows["method"] == "ralc") & (rows["variant"] == DEFAULT)
    rows["whole"] = rows["whole"].where(whole)
    owners = rewrite_items(rows).where(rows["whole"].notna() | letter, "")
    rows["task"] = [_task(row, owner) for row, owner in zip(rows.itertuples(), owners, strict=True)]
    same = rows.groupby("task", sort=False)
    return rows.assign(task_alpha=same["alpha"].transform("mean"), task_beta=same["beta"].transform("mean"))


def _reason(text: str, question: str, abstentions: str) -> str:
    """Why an answer is not to be hedged; empty where it is."""
    hedged = abstentions == "hedged" or (abstentions == "claims" and claims_lack(text))
    return "" if hedged else skip_reason(text, question)


def _task(row: tuple, owner: str) -> str:
    """The name of a task: a hash of all that its rewriting depends on, and of its condition where it has an owner."""
    guide = list(row.hedges) or [f"{row.alpha:.2f}", f"{row.beta:.2f}"]
    opened = ["open"] if row.loop == "open" else []
    passed = ["passed"] if row.passes else []
    own = [owner] if owner else []
    content = json.dumps(
        [METHODS[row.method].free, row.text, guide, *opened, *passed, *own], ensure_ascii=False
    )
    return hashlib.sha256(content.encode()).hexdigest()[:20]


def pairs(answers: pd.DataFrame, plan: pd.DataFrame, rewrites: pd.DataFrame) -> pd.DataFrame:
    """Return the distinct pairs (original, rewrite) whose content is compared: rewrites, and hedged answers."""
    rewritten = plan[["task", "text"]].drop_duplicates().rename(columns={"text": "original"})
    rewritten = rewritten.merge(rewrites[["task", "text"]], on="task", validate="one_to_one")
    by_prompt = answers[~unanswered(answers)].set_index(["target", *UNIT, "prompt"])["text"].unstack()  # noqa: PD010
    # Recorded samples may have no hedged answer at all.
    hedged = (
        by_prompt.reindex(columns=["direct", "hedged"])
        .dropna()
        .rename(columns={"direct": "original", "hedged": "text"})
    )
    both = pd.concat([rewritten, hedged.reset_index(drop=True)], ignore_index=True)
    return both.rename(columns={"text": "rewrite"})[["original", "rewrite"]].drop_duplicates(
        ignore_index=True
    )


def tasks(plan: pd.DataFrame) -> pd.DataFrame:
    """Return the distinct tasks of a plan: task, method, text, hedges, frames, alpha, beta."""
    distinct = plan.drop_duplicates("task").drop(columns=["alpha", "beta"])
    return distinct.rename(columns={"task_alpha": "alpha", "task_beta": "beta"}).reset_index(drop=True)
