"""Rewriting tasks to rewrites, as tables (paper section 4.2): the workflow's side of the Rewriter.

An evaluator that asks no model chooses at once, so that a task has one candidate. For one that asks models the
candidates of a task are listed, read in another stage, and chosen among by `choose_rewrites`.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ralc.beta import Beta
from ralc.english import parse_ahead, unread
from ralc.evaluators import build
from ralc.evaluators.evaluator import EvaluatorModel
from ralc.io.console import progress
from ralc.lexicon import Lexicon
from ralc.registry import METHODS
from ralc.rewriting.notes import nearest_notes
from ralc.rewriting.requests import replies_by_task, usable
from ralc.rewriting.rewriter import Rewriter
from ralc.rewriting.selection import HEDGES, Claim, Hedge, choose, is_within_step, nearest

_ANSWER = ["target", "question_id", "train", "signal", "method", "variant"]  # an answer under a condition
PART = 500  # tasks that are chosen for side by side
#: The origin of a hedged text, by the method of rewriting.
_PLACED = {"guided": "grammar", "llm": "template"}
_Candidate = tuple[str, str, str | None]  # text, origin, hedge


def list_candidates(
    tasks: pd.DataFrame,
    replies: pd.DataFrame | None,
    *,
    method: str,
    lexicon: pd.DataFrame,
    evaluator: Mapping[str, Mapping[str, Any]],
    letter: bool = False,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the candidates of each task, each text once; one a task where the evaluator asks no model.

    Parameters
    ----------
    tasks, method
        As for `ralc.rewriting.render_rewrites`, and ``parent_answer``: the answer of a sentence that is rewritten with
        the others of it.
    replies
        What the models replied (`ralc.llm.tables.join`), of the corrective round, too; None where none was asked.
    lexicon, evaluator
        The lexicon table; the selection evaluator, its entry in the configuration by its name.
    letter
        The paper's letter: of an open loop, the models' texts are kept as they are, unchecked.

    Returns
    -------
    DataFrame
        ``task, text, origin, hedge, parent_answer``. Origin is one of `ralc.schemas.ORIGINS`. parent_answer is
        rewritten, too.
    """
    by_task = replies_by_task(replies)
    reader = build(*next(iter(evaluator.items())))
    alone = tasks[tasks["parent_answer"].isna()]
    rows: list[tuple[Any, ...]] = []
    bar = progress(None, "candidates", "rewrites", len(alone))
    for start in range(0, len(alone), PART):
        part = alone[start : start + PART]
        parse_ahead(part["text"])
        pending: dict[str, Claim] = {}
        for row in part.assign(**_distances(part)).itertuples():
            try:
                decided = _decision(row, method, by_task, kept=letter)
            except (KeyError, ValueError) as error:
                why = "no request" if isinstance(error, KeyError) else error
                raise ValueError(f"task {row.task!r} (row {row.Index}): {why}") from None
            if isinstance(decided, Claim):
                pending[row.task] = decided
            else:
                rows.append((row.task, *decided, None))
        if isinstance(reader, EvaluatorModel):
            choose([*pending.values()], reader, plain=not letter, seed=seed)
            origins = {"grammar": _PLACED[method], "": "passed", "crowded": "passed"}
            rows += [
                (task, one.text, origins.get(one.origin, one.origin), one.hedge or None, None)
                for task, one in pending.items()
            ]
        else:
            rows += [(task, *one, None) for task, claim in pending.items() for one in _texts(claim, method)]
        bar.update(len(part))
    if len(alone) < len(tasks):
        rows += _rewritten_whole(tasks.drop(alone.index), Rewriter(Lexicon(lexicon), reader, seed=seed))
    return pd.DataFrame(rows, columns=["task", "text", "origin", "hedge", "parent_answer"])


def _distances(tasks: pd.DataFrame) -> dict[str, list[NDArray[np.float64]]]:
    """How far the hedges of each task are from its target, by 1-Wasserstein and between the means."""
    counts = tasks["hedge_alpha"].str.len()
    hedges = Beta(*(np.concatenate([*tasks[name], []]) for name in ("hedge_alpha", "hedge_beta")))
    targets = Beta(*(np.repeat(tasks[name].to_numpy(float), counts) for name in ("alpha", "beta")))
    far = {"distances": hedges.wasserstein_distance(targets), "gaps": np.abs(hedges.mean - targets.mean)}
    return {name: np.split(values, np.cumsum(counts)[:-1]) for name, values in far.items()}


def _decision(
    row: Any, method: str, replies: Mapping[str, list[tuple[str, str]]], *, kept: bool
) -> _Candidate | Claim:
    """The one candidate of a task; the claim of one that is chosen for by reading."""
    free, closed = METHODS[row.method].free, row.loop != "open"
    if row.skip_reason or (closed and unread(row.text)):
        return row.text, "passed", None
    if not free and method == "guided":
        return _claim(row) if closed else _plainest(row, method)
    reply = replies[row.task]
    texts = usable(row, reply)
    if not free and closed:
        claim = _claim(row, [one for one in texts if not unread(one)]) if texts else None
        if claim and not kept:
            claim.drafts = claim.fitting(claim.drafts)
        return claim if claim and claim.drafts else _plainest(row, method)
    if kept and not closed and (text := reply[0][0].strip()):
        return text, "model" if texts else "kept", None
    if texts:
        return texts[0], "model", None
    return (row.text, "none", None) if free else _plainest(row, method)


def _plainest(row: Any, method: str) -> _Candidate:
    """The plainest place of a task's nearest hedge, unread."""
    return next(iter(_places(_claim(row), method)), (row.text, "passed", None))


def _places(claim: Claim, method: str) -> list[_Candidate]:
    """The plainest place of each of the nearest hedges."""
    options = claim.options(claim.hedges[:HEDGES], each=1)
    return [(one.text, _PLACED[method], one.hedge.expression) for one in options]


def _claim(row: Any, drafts: list[str] | None = None) -> Claim:
    """A task as a claim: with its hedges, or where a model wrote drafts with those alone."""
    target = Beta(row.alpha, row.beta)
    how = {"whole": row.whole, "responsive": row.responsive}
    if drafts:
        return Claim(row.text, target, row.Index, drafts=drafts, **how)
    if not len(row.hedges) or not len(row.hedges) == len(row.frames) == len(row.hedge_alpha):
        raise ValueError(f"{len(row.hedges)} hedges, {len(row.frames)} frames; one frame a hedge is needed")
    hedges = [Hedge(*one) for one in zip(row.hedges, row.frames, row.distances, row.gaps, strict=True)]
    return Claim(row.text, target, row.Index, hedges, **how)


def _texts(claim: Claim, method: str) -> list[_Candidate]:
    """A claim as it came, without its hedges, with the plainest place of each hedge, its drafts, and notes.

    Each text stands there once.
    """
    texts = [*_places(claim, method), *((draft, "model", None) for draft in claim.drafts)]
    if claim.whole:
        notes = claim.notes(nearest_notes(claim.scope, float(claim.target.mean)))
        texts += [(one.text, "note", one.hedge.expression) for one in notes]
    unchanged = [(claim.original, "left", None), (claim.unhedged, "unhedged", None)]
    distinct = {candidate[0]: candidate for candidate in reversed([*unchanged, *texts])}
    return [*reversed(distinct.values())] if texts else [(claim.original, "passed", None)]


def _rewritten_whole(tasks: pd.DataFrame, rewriter: Rewriter) -> Iterator[tuple[Any, ...]]:
    """The one candidate of each sentence of answers that are rewritten as a whole."""
    answers = [rows for _, rows in tasks.sort_values("sentence").groupby(_ANSWER, sort=False)]
    targets = [
        [None if row.skip_reason else Beta(row.alpha, row.beta) for row in rows.itertuples()]
        for rows in answers
    ]
    rewrites = rewriter.rewrite([rows["parent_answer"].iloc[0] for rows in answers], targets)
    for rows, rewrite in zip(answers, rewrites, strict=True):
        for row, claim in zip(rows.itertuples(), rewrite.sentences or [None] * len(rows), strict=True):
            if claim is None:
                yield row.task, row.text, "passed", None, rewrite.text
                continue
            origin = "passed" if claim.reason.door or claim.origin in ("", "crowded") else claim.origin
            yield row.task, rewrite.text[claim.start : claim.end], origin, claim.hedge or None, rewrite.text


def to_be_read(candidates: pd.DataFrame, known: Collection[str] = ()) -> pd.DataFrame:
    """Return the candidates among which an evaluator must choose, each text once; but for those that it has read."""
    texts = candidates.loc[candidates.duplicated("task", keep=False), "text"].drop_duplicates()
    texts = texts[~texts.isin(known)]
    items = texts.map(lambda text: hashlib.sha256(text.encode()).hexdigest()[:16])
    return pd.DataFrame({"item": items, "text": texts, "secondary": False}).reset_index(drop=True)


def choose_rewrites(
    tasks: pd.DataFrame, candidates: pd.DataFrame, readings: pd.DataFrame | None, *, seed: int
) -> pd.DataFrame:
    """Return the rewrite of each task (``task, alpha, beta``) among its `list_candidates`, in the order of the tasks.

    Of several candidates the answer as it came, or without its own hedges, is taken where it is read within 0.05 of the
    target's mean. Else it is the nearest to the target by 1-Wasserstein distance (`selection.nearest`). Those without
    a reading are taken only where none has one, the first then. `readings` has ``text, alpha, beta`` of all texts of
    `to_be_read`; None where there are none.
    """
    lacking = ~tasks["task"].isin(candidates["task"])
    if lacking.any():
        raise ValueError(f"task {tasks.loc[lacking, 'task'].iloc[0]!r} has no candidate")
    read = pd.DataFrame(columns=["text", "alpha", "beta"]) if readings is None else readings
    betas = read.drop_duplicates("text").set_index("text")[["alpha", "beta"]]
    targets = tasks.set_index("task")[["alpha", "beta"]]
    several = candidates["task"].duplicated(keep=False)
    groups, chosen = candidates[several].groupby("task", sort=False), [candidates[~several]]
    for task, rows in progress(groups, "choices", "rewrites", groups.ngroups):
        chosen.append(rows.iloc[[_best(rows, betas, Beta(*targets.loc[task]), f"{seed}/{task}")]])
    return pd.concat(chosen).set_index("task").loc[tasks["task"]].reset_index()


def _best(rows: pd.DataFrame, betas: pd.DataFrame, target: Beta, key: str) -> int:
    """The place of the best candidate of a task."""
    missing = ~rows["text"].isin(betas.index)
    if missing.any():
        raise ValueError(f"readings: {rows.loc[missing, 'text'].iloc[0]!r} was not read")
    read = betas.loc[rows["text"]].to_numpy(float)
    scored = np.flatnonzero(np.isfinite(read).all(axis=1))
    bare = rows["origin"].isin(["left", "unhedged"]).to_numpy()
    for place in scored[bare[scored]]:
        if is_within_step(target, Beta(*read[place])):
            return int(place)
    hedged = scored[~bare[scored]]
    if not len(hedged):
        return int(np.argmin(bare))
    far = [float(Beta(*read[place]).wasserstein_distance(target)) for place in hedged]
    return int(hedged[nearest(far, rows["text"].iloc[hedged].tolist(), key)])
