"""Which hedges guide each rewrite, and what is to be rewritten: equal tasks are named alike, so that they run once."""

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from ralc import registry
from ralc.beta import Beta
from ralc.conditions import DEFAULT, NONE, SURVEYED, UNIT, UNREAD, having, rewrite_items
from ralc.english import may_be_beside
from ralc.lexicon import Lexicon, survey_lexicon
from ralc.registry import UNANSWERED, methods_by
from ralc.retrieval import nearest_hedges
from ralc.rewriting.doors import claims_lack, skip_reason
from ralc.steps import Step

#: A hedge so near to the train accuracy is as near as the constant one: evaluators score in steps of about that.
NEAR = 0.05
_COLUMNS = [*UNIT, "train", "signal", "method", "variant", "alpha", "beta", "hedges"]


@dataclass(kw_only=True)
class Retrieval(Step):
    """Retrieves, for every held-out answer, map, signal and rewriting method, the hedges to use.

    The protocol's `wasserstein_samples` estimate the distance. By its `letter` flagged entries are used, too.

    Parameters
    ----------
    methods : sequence of str
        The run's.
    variants : mapping
        How each retrieves, ``default`` for all methods: `k` hedges of the `shortlist` nearest by mean, in a lexicon
        thinned to `size` entries. None takes all, ``people`` those of `survey_lexicon`. Other variants are RALC's, with
        the test dataset's own map.
    ablated : sequence of str, optional
        The datasets of other variants; None for all.
    """

    methods: Sequence[str]
    variants: Mapping[str, Mapping[str, int | str | None]]
    ablated: Sequence[str] | None = None

    def result(
        self, questions: pd.DataFrame, calibrated: pd.DataFrame, grades: pd.DataFrame, lexicon: pd.DataFrame
    ) -> pd.DataFrame:
        """Return the retrieved table: a row a held-out answer, map, signal, method and variant, with its hedges.

        Parameters
        ----------
        questions, grades
            Of all datasets and targets: what is held out, and how often the answers to train questions are right.
        calibrated
            The signals; those of the default map under its first protocol, the run's, are taken.
        lexicon
            The run's hedges, with their Betas and flags.
        """
        main = (calibrated.protocol == calibrated.protocol.iloc[0]) & (calibrated.variant == DEFAULT)
        calibrated = calibrated[main].drop(columns="variant")
        in_domain = calibrated[calibrated.train == calibrated.dataset]
        ablated = in_domain if self.ablated is None else having(in_domain, dataset=self.ablated)
        parts = []
        for (variant, how), name in product(self.variants.items(), methods_by(rewritten=True)):
            if name not in self.methods or (variant != DEFAULT and name != "ralc"):
                continue
            method = registry.METHODS[name]
            entries = self._entries(Lexicon(lexicon), how["size"])
            signals = calibrated if method.cross_domain else in_domain
            if variant != DEFAULT:
                signals = ablated
            if not method.guided:
                part = _at_base_rate(
                    questions, grades, entries, seed=self.seed, at_random=name == "random_near_hedge"
                )
            elif method.free:  # the rewriter sees the calibrated Beta itself
                part = signals.assign(hedges=[[] for _ in range(len(signals))])
            else:
                nearest = nearest_hedges(
                    Beta.from_table(entries),
                    Beta.from_table(signals),
                    k=min(how["k"], len(entries)),
                    shortlist=min(how["shortlist"], len(entries)),
                    samples=self.protocol.wasserstein_samples,
                    rng=np.random.default_rng(self.seed),
                )
                part = signals.assign(hedges=entries.expression.to_numpy(object)[nearest].tolist())
            parts.append(part.assign(method=name, variant=variant))
        return pd.concat(parts, ignore_index=True)[_COLUMNS]

    def _entries(self, lexicon: Lexicon, size: int | str | None) -> pd.DataFrame:
        """The entries that a variant retrieves from."""
        if size == "people":
            return survey_lexicon()
        return (lexicon if self.protocol.letter else lexicon.usable()).thinned(size).table


@dataclass(kw_only=True)
class RewritePlan(Step):
    """Plans what is to be rewritten.

    By the protocol's `loop` an evaluator chooses among candidates (``closed``) or not (``open``). Where an ablation
    opens it, or takes the phrases that people were asked about, the task is one of its own. By its `letter` each
    condition has a task of its own.

    Parameters
    ----------
    together : bool
        Whether RALC rewrites the sentences of a long answer together; its variants do not.
    """

    together: bool = False

    def result(
        self, questions: pd.DataFrame, answers: pd.DataFrame, retrieved: pd.DataFrame, lexicon: pd.DataFrame
    ) -> pd.DataFrame:
        """Return the rewriting plan: one row a condition, with its `task`.

        Parameters
        ----------
        questions
            What each answer answers, and of which choices.
        answers
            The original answers of all targets, in a column ``target``.
        retrieved
            As `Retrieval.result` returns them.
        lexicon
            Place and Beta of each hedge.

        Returns
        -------
        DataFrame
            Adds to `retrieved` the original ``text``, ``frames, hedge_alpha, hedge_beta`` of the hedges,
            ``parent_answer`` of a sentence, and ``task``. ``whole``: the text is all of the answer. ``responsive``: it
            answers its question. ``skip_reason`` is the code of why an answer is not hedged (`ralc.rewriting.doors`),
            else empty. A task is equal for equal (text, hedges), or (text, alpha, beta to 2 decimals). ``task_alpha,
            task_beta`` are means over conditions.
        """
        originals = answers.loc[answers.prompt == "direct", ["target", *UNIT, "text", "parent_answer"]]
        rows = retrieved.merge(originals, on=["target", *UNIT], validate="many_to_one")
        by_people = rows["variant"] == SURVEYED
        ours, theirs = (table.set_index("expression") for table in (lexicon, survey_lexicon()))
        for column, source in (("frames", "frame"), ("hedge_alpha", "alpha"), ("hedge_beta", "beta")):
            of = {False: ours[source].to_dict(), True: theirs[source].to_dict()}
            pairs_of = zip(by_people, rows.hedges, strict=True)
            rows[column] = [[of[people][hedge] for hedge in hedges] for people, hedges in pairs_of]
        rows["loop"] = np.where(by_people | (rows["variant"] == UNREAD), "open", self.protocol.loop)
        query = rows["question_id"].map(questions.set_index("question_id")["question"])
        answered = list(zip(rows["text"], query, strict=True))
        choices = questions.set_index("question")["choices"].to_dict()
        reasons = {answer: _reason(*answer, self.protocol.abstentions) for answer in dict.fromkeys(answered)}
        responsive = {
            (text, question): bool(why) or not may_be_beside(text, question, choices[question])
            for (text, question), why in reasons.items()
        }
        rows["skip_reason"] = pd.Series(
            [reasons[answer] for answer in answered], index=rows.index, dtype="str"
        )
        rows["responsive"] = [responsive[answer] for answer in answered]
        together = self.together & (rows["method"] == "ralc") & (rows["variant"] == DEFAULT)
        rows["whole"] = rows["parent_answer"].isna()
        rows["parent_answer"] = rows["parent_answer"].where(together)
        owners = rewrite_items(rows).where(rows["parent_answer"].notna() | self.protocol.letter, "")
        rows["task"] = [_task(row, owner) for row, owner in zip(rows.itertuples(), owners, strict=True)]
        same = rows.groupby("task", sort=False)
        return rows.assign(
            task_alpha=same["alpha"].transform("mean"), task_beta=same["beta"].transform("mean")
        )


#: The hedges of each answer, and the plan of what they are put into.
METHODS = {"retrieval": Retrieval, "plan": RewritePlan}


def _at_base_rate(
    questions: pd.DataFrame, grades: pd.DataFrame, lexicon: pd.DataFrame, *, seed: int, at_random: bool
) -> pd.DataFrame:
    """The entry whose mean is nearest to the accuracy on the train questions of the dataset; no signal.

    Or, `at_random`, entries about as near, with equal shares of the answers: the constant hedge's luck is not in it.
    """
    direct = questions.merge(having(grades, prompt="direct"), on="question_id")
    accuracy = having(direct, split="train").groupby("dataset").outcome.mean()
    held_out = direct.loc[(direct.split == "test") & (direct.grade != UNANSWERED), [*UNIT, "dataset"]]
    mean = (lexicon.alpha / (lexicon.alpha + lexicon.beta)).to_numpy()
    parts = []
    for train, share in accuracy.items():
        part = having(held_out, dataset=train)
        distance = np.abs(mean - share)
        places = np.full(len(part), np.argmin(distance))
        if at_random:
            rng = np.random.default_rng([seed, zlib.crc32(train.encode())])
            near = rng.permutation(np.flatnonzero(distance <= max(NEAR, distance.min())))
            places = rng.permutation(np.resize(near, len(part)))
        entries = lexicon.iloc[places]
        confidence = {name: entries[name].to_numpy() for name in ("alpha", "beta")}
        hedges = [[expression] for expression in entries.expression]
        parts.append(part.assign(train=train, signal=NONE, hedges=hedges, **confidence))
    return pd.concat(parts, ignore_index=True)


def _reason(text: str, question: str, abstentions: str) -> str:
    """The code of why an answer is not to be hedged; empty where it is."""
    hedged = abstentions == "hedged" or (abstentions == "claims" and claims_lack(text))
    return "" if hedged else skip_reason(text, question, answers=True).value


def _task(row: tuple, owner: str) -> str:
    """The name of a task: a hash of all that its rewriting depends on, and of its condition where it has an owner."""
    guide = list(row.hedges) or [f"{row.alpha:.2f}", f"{row.beta:.2f}"]
    marks = []
    if row.loop == "open":
        marks.append("open")
    if row.skip_reason:
        marks.append("passed")
    if owner:
        marks.append(owner)
    content = json.dumps([registry.METHODS[row.method].free, row.text, guide, *marks], ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()[:20]
