"""Self-evaluation: signals that ask the model that answered once more, about its own answer.

A signal is a prompt, an entry of `QUESTIONS` and one of `ralc.registry.SIGNALS` with ``needs_extra_call``.
Stage, rules and plan ask for all signals of a run together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ralc import prompts
from ralc.beta import Beta
from ralc.conditions import UNIT, having
from ralc.llm import request_for, to_table
from ralc.registry import LONG, SIGNALS, require_functions
from ralc.sampling import unanswered
from ralc.signals import p_true
from ralc.steps import ANSWER_TOKENS, Calls, Step, Workload


class SelfQuestion(NamedTuple):
    """What a target is asked about its own answer: the prompt, fields of the request, and what the reply says."""

    prompt: str
    fields: Mapping[str, Any]
    confidence: Callable[[Any], Beta | None]


def _p_true(reply: Any) -> Beta | None:
    """P(True) from the letters' log-probabilities; an unlikely one has none. None where neither has any."""
    shares = np.array([None, None] if reply.alternatives is None else reply.alternatives, dtype=float)
    return None if np.isnan(shares).all() else p_true(*np.nan_to_num(shares, nan=-np.inf))


#: The question of each signal. P(True) (Kadavath et al. 2022) is the letter of "True" beside that of "False".
QUESTIONS = {"p_true": SelfQuestion("p_true", {"alternatives": ("A", "B"), "max_tokens": 1}, _p_true)}
require_functions(
    "ralc.registry.SIGNALS",
    [name for name, signal in SIGNALS.items() if signal.needs_extra_call],
    QUESTIONS,
    "give it an entry of QUESTIONS in ralc/pipeline/self_evaluation.py",
)
#: ASSUME: tokens of the prompt's own words.
PROMPT_TOKENS = 30
#: Without chance.
_GREEDY = {"temperature": 0, "top_k": 0, "top_p": 1, "min_p": 0}


@dataclass(kw_only=True)
class SelfEvaluation(Step):
    """Asks a target about its original answers, or sentences.

    Parameters
    ----------
    signals : sequence of str
        The run's; those of `QUESTIONS` are asked for.
    style : str
        How the target was asked: ``paper`` (choices by letter) or ``short`` (in words).
    """

    signals: Sequence[str] = ()
    style: str = "paper"

    def ask(
        self, answers: pd.DataFrame, questions: pd.DataFrame, *, model: Mapping[str, Any]
    ) -> pd.DataFrame:
        """Return the requests about the target's answers: ``signal, question_id, sentence``.

        Parameters
        ----------
        answers
            The target's; of the direct ones each that was given is asked about.
        questions
            The questions table.
        model
            The target's entry in the configuration.
        """
        about = questions.set_index("question_id")
        originals = having(answers[~unanswered(answers)], prompt="direct")
        requests = []
        ids: list[tuple[Any, ...]] = []
        for question, sentence, text in originals[[*UNIT, "text"]].itertuples(index=False, name=None):
            for signal in (name for name in self.signals if name in QUESTIONS):
                messages = _messages(signal, about.loc[question], text, self.style)
                requests.append(request_for(model, messages, **QUESTIONS[signal].fields, **_GREEDY))
                ids.append((signal, question, sentence))
        return to_table(requests, pd.DataFrame(ids, columns=["signal", *UNIT]))

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls of one target, one a signal and answer or sentence."""
        answers = run.answers // run.targets
        prompt = PROMPT_TOKENS + run.question_tokens + ANSWER_TOKENS
        return [Calls(answers, answers, prompt, 1)] * run.self_questions

    def result(self, replies: pd.DataFrame) -> pd.DataFrame:
        """Return what it says: ``signal, question_id, sentence, alpha, beta``, null where a reply is of no use."""
        betas = [QUESTIONS[reply.signal].confidence(reply) for reply in replies.itertuples()]
        parameters = [(np.nan, np.nan) if beta is None else (beta.alpha, beta.beta) for beta in betas]
        table = pd.DataFrame(parameters, columns=["alpha", "beta"], dtype=float)
        return replies[["signal", *UNIT]].join(table)


#: The one method: a target is asked about what it answered.
METHODS = {"target": SelfEvaluation}


def _messages(signal: str, question: pd.Series, answer: str, style: str) -> prompts.Messages:
    """The prompt about an answer; the context of a long one is what its sentences are graded by, and not shown."""
    context = None if question["format"] == LONG else question["context"]
    asked = prompts.messages(
        QUESTIONS[signal].prompt,
        question=question["question"],
        choices=list(question["choices"]),
        lettered=style == "paper",
        context=context if isinstance(context, str) else None,
        answer=answer,
    )
    return prompts.conversation(question["history"], asked)
