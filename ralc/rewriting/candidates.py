"""Rewriting tasks to rewrites, as tables (paper section 4.2): the workflow's side of the Rewriter.

An evaluator that asks no model chooses at once, so that a task has one candidate. For one that asks models the
candidates of a task are listed, read in another stage, and chosen among by `choose_rewrites`.
"""

import hashlib
from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ralc.beta import Beta
from ralc.english import parse_ahead, unread
from ralc.evaluators import build
from ralc.evaluators.evaluator import EvaluatorModel
from ralc.io.console import progress
from ralc.lexicon import Lexicon
from ralc.llm.replies import SENTENCE_TOKENS
from ralc.prompts import messages
from ralc.rewriting.notes import nearest_notes
from ralc.rewriting.requests import Replies, guidance, replies_by_task, tasks, usable
from ralc.rewriting.rewriter import Rewriter
from ralc.rewriting.selection import HEDGES, Claim, Hedge, choose, is_within_step, nearest
from ralc.steps import ANSWER_TOKENS, HEDGE_TOKENS, HEDGED_TOKENS, Calls, Step, Workload

_ANSWER = ["target", "question_id", "train", "signal", "method", "variant"]  # an answer under a condition
PART = 500  # tasks that are chosen for side by side
#: Texts that a model is asked for where the evaluator chooses among them.
DRAFTS = 4
#: ASSUME: tokens of the prompt's own words.
PROMPT_TOKENS = 180
#: Longest rewrite of a very small model, without hedges, in tokens.
FREE_TOKENS = 40
_Candidate = tuple[str, str, str | None]  # text, origin, hedge


@dataclass(kw_only=True)
class Rewriting(Step):
    """Rewrites the answers of a plan: one candidate a task, or several for an evaluator that asks models.

    By the paper's `letter` equal prompts have a draw each, and a model's texts in an open loop are kept unchecked.

    Parameters
    ----------
    evaluator : mapping
        The selection evaluator: its entry in the configuration by its name.
    """

    evaluator: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    #: Whether a model writes all tasks, not the free ones alone; and the origin of a hedged text.
    WRITES_ALL: ClassVar[bool] = False
    PLACED: ClassVar[str]

    def ask(self, plan: pd.DataFrame, *, model: Mapping[str, Any]) -> pd.DataFrame:
        """Return the requests about the tasks that a model writes, by ``task``; an answer that passes is not rewritten.

        ValueError where a task of the plan is unusable: its row is named.
        """
        rows = tasks(plan)
        written = rows[(rows["skip_reason"] == "") & (rows["free"] | self.WRITES_ALL)]
        # Equal prompts stand together, for engines that keep the beginning of the last one.
        ordered = written.sort_values(["free", "text"], kind="stable")
        return self.requests(map(self._fields, ordered.itertuples()), ordered[["task"]], model, own="task")

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls about what a model writes, with drafts where an evaluator chooses."""
        drafts = (DRAFTS - 1) * run.chosen if cls.WRITES_ALL else 0
        prompt = PROMPT_TOKENS + ANSWER_TOKENS + HEDGE_TOKENS * run.hedges_shown
        return [Calls(run.written, run.written + drafts, prompt, HEDGED_TOKENS)]

    @classmethod
    def wordings(cls, run: Workload) -> int:
        """Return how many texts are read by an evaluator that asks models, which chooses among them."""
        return DRAFTS * run.chosen

    def result(
        self, plan: pd.DataFrame, lexicon: pd.DataFrame, replies: pd.DataFrame | None = None
    ) -> pd.DataFrame:
        """Return the candidates of each task, each text once; one a task where the evaluator asks no model.

        Parameters
        ----------
        plan, lexicon
            The rewriting plan and the lexicon table.
        replies
            What the models replied, of the corrective round, too; None where none was asked.

        Returns
        -------
        DataFrame
            ``task, text, origin, hedge, parent_answer``. Origin is one of `ralc.schemas.ORIGINS`. parent_answer is
            rewritten, too.
        """
        rows = tasks(plan)
        by_task = replies_by_task(replies)
        reader = build(*next(iter(self.evaluator.items())))
        alone = rows[rows["parent_answer"].isna()]
        made: list[tuple[Any, ...]] = []
        bar = progress(None, "candidates", "rewrites", len(alone))
        for start in range(0, len(alone), PART):
            part = alone[start : start + PART]
            parse_ahead(part["text"])
            pending: dict[str, Claim] = {}
            for row in part.assign(**_distances(part)).itertuples():
                try:
                    decided = self._decision(row, by_task)
                except (KeyError, ValueError) as error:
                    why = "no request" if isinstance(error, KeyError) else error
                    raise ValueError(f"task {row.task!r} (row {row.Index}): {why}") from None
                if isinstance(decided, Claim):
                    pending[row.task] = decided
                else:
                    made.append((row.task, *decided, None))
            if isinstance(reader, EvaluatorModel):
                choose([*pending.values()], reader, plain=not self.protocol.letter, seed=self.seed)
                origins = {"grammar": self.PLACED, "": "passed", "crowded": "passed"}
                made += [
                    (task, one.text, origins.get(one.origin, one.origin), one.hedge or None, None)
                    for task, one in pending.items()
                ]
            else:
                made += [(task, *one, None) for task, claim in pending.items() for one in self._texts(claim)]
            bar.update(len(part))
        if len(alone) < len(rows):
            rewriter = Rewriter(Lexicon(lexicon), reader, seed=self.seed)
            made += _rewritten_whole(rows.drop(alone.index), rewriter)
        return pd.DataFrame(made, columns=["task", "text", "origin", "hedge", "parent_answer"])

    @abstractmethod
    def _fields(self, row: Any) -> dict[str, Any]:
        """What asks for a task."""

    @abstractmethod
    def _hedged(self, row: Any, replies: Mapping[str, Replies]) -> _Candidate | Claim:
        """As `_decision`, of a task with hedges."""

    def _decision(self, row: Any, replies: Mapping[str, Replies]) -> _Candidate | Claim:
        """The one candidate of a task; the claim of one that is chosen for by reading."""
        if row.skip_reason or (row.loop != "open" and unread(row.text)):
            return row.text, "passed", None
        if row.free:
            return self._written(row, replies[row.task]) or (row.text, "none", None)
        return self._hedged(row, replies)

    def _written(self, row: Any, replies: Replies) -> _Candidate | None:
        """The first text of a model that can stand for a task."""
        texts = usable(row, replies)
        if self.protocol.letter and row.loop == "open" and (text := replies[0][0].strip()):
            return text, "model" if texts else "kept", None
        return (texts[0], "model", None) if texts else None

    def _plainest(self, row: Any) -> _Candidate:
        """The plainest place of a task's nearest hedge, unread."""
        return next(iter(self._places(_claim(row))), (row.text, "passed", None))

    def _places(self, claim: Claim) -> list[_Candidate]:
        """The plainest place of each of the nearest hedges."""
        options = claim.options(claim.hedges[:HEDGES], each=1)
        return [(one.text, self.PLACED, one.hedge.expression) for one in options]

    def _texts(self, claim: Claim) -> list[_Candidate]:
        """A claim as it came, without its hedges, with the plainest place of each hedge, its drafts, and notes.

        Each text stands there once.
        """
        texts = [*self._places(claim), *((draft, "model", None) for draft in claim.drafts)]
        if claim.whole:
            notes = claim.notes(nearest_notes(claim.scope, float(claim.target.mean)))
            texts += [(one.text, "note", one.hedge.expression) for one in notes]
        unchanged = [(claim.original, "left", None), (claim.unhedged, "unhedged", None)]
        distinct = {candidate[0]: candidate for candidate in reversed([*unchanged, *texts])}
        return [*reversed(distinct.values())] if texts else [(claim.original, "passed", None)]


class GuidedRewriting(Rewriting):
    """Puts hedges into their places by grammar; a very small model writes what is free, in one sentence.

    It would leak examples into its answers, and talk about the paper's prompt instead of following it.
    """

    PLACED = "grammar"

    def _fields(self, row):
        prompt = messages("guided_direct_beta", response=row.text, alpha=row.alpha, beta=row.beta)
        return {"messages": prompt, "max_tokens": FREE_TOKENS, "stop": ("\n",)}

    @classmethod
    def wordings(cls, run):
        """Return the count; ASSUME that one place in two of a hedge differs in its text."""
        return round(1.5 * run.shortlist * run.chosen)

    def _hedged(self, row, replies):
        return self._plainest(row) if row.loop == "open" else _claim(row)


class LLMRewriting(Rewriting):
    """Asks a language model by the paper's prompts: with hedges (appendix D.3), or a Beta distribution alone (D.4)."""

    WRITES_ALL = True
    PLACED = "template"

    def _fields(self, row):
        if row.free:
            prompt = messages("direct_beta", response=row.text, alpha=row.alpha, beta=row.beta)
        else:
            prompt = messages("rewrite", **guidance(row))
        n = 1 if row.free or row.loop == "open" else DRAFTS
        return {"messages": prompt, "n": n, "max_tokens": SENTENCE_TOKENS}

    def _hedged(self, row, replies):
        reply = replies[row.task]
        if row.loop == "open":
            return self._written(row, reply) or self._plainest(row)
        drafts = [text for text in usable(row, reply) if not unread(text)]
        claim = _claim(row, drafts)
        if not self.protocol.letter:
            claim.drafts = claim.fitting(claim.drafts)
        return claim if claim.drafts else self._plainest(row)


#: The methods of rewriting, by their names in the configuration.
METHODS: dict[str, type[Rewriting]] = {"guided": GuidedRewriting, "llm": LLMRewriting}


def _distances(tasks: pd.DataFrame) -> dict[str, list[NDArray[np.float64]]]:
    """How far the hedges of each task are from its target, by 1-Wasserstein and between the means."""
    counts = tasks["hedge_alpha"].str.len()
    hedges = Beta(*(np.concatenate([*tasks[name], []]) for name in ("hedge_alpha", "hedge_beta")))
    targets = Beta(*(np.repeat(tasks[name].to_numpy(float), counts) for name in ("alpha", "beta")))
    far = {"distances": hedges.wasserstein_distance(targets), "gaps": np.abs(hedges.mean - targets.mean)}
    return {name: np.split(values, np.cumsum(counts)[:-1]) for name, values in far.items()}


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
    plan: pd.DataFrame, candidates: pd.DataFrame, readings: pd.DataFrame | None, *, seed: int
) -> pd.DataFrame:
    """Return the rewrite of each task of a plan among its candidates (`Rewriting`), in the order of the tasks.

    Of several candidates the answer as it came, or without its own hedges, is taken where it is read within 0.05 of the
    target's mean. Else it is the nearest to the target by 1-Wasserstein distance (`selection.nearest`). Those without
    a reading are taken only where none has one, the first then.

    Parameters
    ----------
    plan
        The rewriting plan.
    candidates
        As `Rewriting.result` returns them, at least one a task.
    readings
        ``text, alpha, beta`` of all texts of `to_be_read`, null where one has no reading; None where there are none.
    seed
        Draws among candidates that are equally near.

    Returns
    -------
    DataFrame
        The columns of `candidates`, a row a task.

    Raises
    ------
    ValueError
        If a task has no candidate, or one of several candidates was not read.
    """
    targets = tasks(plan).set_index("task")[["alpha", "beta"]]
    lacking = targets.index.difference(candidates["task"], sort=False)
    if len(lacking):
        raise ValueError(f"task {lacking[0]!r} has no candidate")
    read = pd.DataFrame(columns=["text", "alpha", "beta"]) if readings is None else readings
    betas = read.drop_duplicates("text").set_index("text")[["alpha", "beta"]]
    several = candidates["task"].duplicated(keep=False)
    groups = candidates[several].groupby("task", sort=False)
    chosen = [candidates[~several]]
    for task, rows in progress(groups, "choices", "rewrites", groups.ngroups):
        chosen.append(rows.iloc[[_best(rows, betas, Beta(*targets.loc[task]), f"{seed}/{task}")]])
    return pd.concat(chosen).set_index("task").loc[targets.index].reset_index()


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
