"""Sampling the targets: Direct QA and Hedged QA (paper section 5.1, prompts in appendix C.1)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ralc import prompts
from ralc.english import first_sentence, parse_ahead, sentences
from ralc.io import say
from ralc.llm import ModelConfig
from ralc.llm.requests import UNANSWERED
from ralc.precomputed.samples import SampleRow, Samples, read_first
from ralc.registry import LONG, PROMPTS
from ralc.steps import ANSWER_TOKENS, HEDGED_TOKENS, Calls, Step, Workload

#: Where an answer to a short prompt ends. A full stop may be an abbreviation's: sentences are told apart in what came.
_SHORT_STOP = ("\n",)
#: What the names of a style's prompts begin with.
_STYLES = {"paper": "", "short": "short_"}
# ASSUME: a token of English has four characters.
CHARACTERS = 4
#: ASSUME: tokens of the prompt's own words.
PROMPT_TOKENS = 70
#: A question's id, the name of its prompt, and what asks for it.
_ASKED = ["question_id", "prompt", "fields"]


def question_messages(question: Any, prompt: str, style: str = "paper") -> prompts.Messages:
    """Return the prompt that asks a question, with the history of its conversation before it.

    Parameters
    ----------
    question
        A row of the questions table.
    prompt
        ``direct`` or ``hedged``.
    style
        ``paper``, or ``short``: one short sentence, for very small models.

    Raises
    ------
    ValueError
        If an answer that is long is to be short.
    """
    if question.format == LONG and style == "short":
        raise ValueError(
            f"question {question.question_id!r} asks for a long answer, and sampling.prompts: short for one short "
            "sentence: set sampling.prompts: paper"
        )
    fields = {name: getattr(question, name) for name in ("question", "context", "title")}
    name = f"{_STYLES[style]}{prompt}_qa_{question.format}"
    asked = prompts.messages(name, **fields, choices=list(question.choices))
    return prompts.conversation(question.history, asked)


@dataclass(kw_only=True)
class Sampling(Step):
    """Asks a target, or takes its recorded samples.

    By the paper's `letter` questions with equal prompts get answers of their own.

    Parameters
    ----------
    answers : int
        Direct answers a question; one hedged answer comes to them. Of recorded samples, as many as there are.
    max_tokens : int
        Longest answer; half as much again for a hedged one.
    style : str
        ``paper`` or ``short`` (see `question_messages`).
    hedged : sequence of str
        The splits that get hedged answers. A long answer is not asked for hedged: its sentences would be others.
    """

    answers: int = 20
    max_tokens: int = 64
    style: str = "paper"
    hedged: Sequence[str] = ("test",)

    def ask(
        self, questions: pd.DataFrame, recorded: Sequence[str | Path] = (), *, model: Mapping[str, Any]
    ) -> pd.DataFrame:
        """Return the requests to a target: ``question_id, prompt``.

        How many prompts are too long for the model's context is printed.

        Parameters
        ----------
        questions
            Of any datasets, with ``split``.
        recorded
            The file of the target's samples; empty where they were not recorded.
        model
            The target's entry in the configuration.

        Raises
        ------
        ValueError
            If the style has no prompt for a question, or no recorded row is about one.
        """
        samples = read_first(recorded)
        if samples is not None:
            asked = pd.DataFrame(self._of_recorded(questions, samples), columns=_ASKED)
            return self.requests(asked.pop("fields"), asked, model)
        queue = []
        for prompt in PROMPTS:  # equal beginnings of prompts stand together
            stop = _SHORT_STOP if self.style == "short" else ()
            how = {"n": self.answers, "max_tokens": self.max_tokens, "stop": stop, "logprobs": True}
            if prompt == "hedged":
                how |= {"n": 1, "max_tokens": self.max_tokens * 3 // 2, "logprobs": False}
            for row in questions.itertuples(index=False):
                if prompt == "direct" or (row.split in self.hedged and row.format != LONG):
                    fields = how | {"messages": question_messages(row, prompt, self.style)}
                    queue.append((row.question_id, prompt, fields))
        longest = ModelConfig.model_validate(model).context
        direct = ((name, fields["messages"]) for name, prompt, fields in queue if prompt == "direct")
        if longest is not None and (line := beyond(direct, longest, self.max_tokens)):
            say(line)
        asked = pd.DataFrame(queue, columns=_ASKED)
        return self.requests(asked.pop("fields"), asked, model, own="question_id")

    def _of_recorded(
        self, questions: pd.DataFrame, samples: Samples
    ) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """What asks for recorded answers. Each holds a digest of its row: one that was changed is asked for anew."""
        pairs = [(row, samples.of(row)) for row in questions.itertuples(index=False)]
        matched: list[tuple[Any, SampleRow]] = [(question, row) for question, row in pairs if row is not None]
        if not matched:
            first = samples.rows[0]
            raise ValueError(
                f"{samples.path}: none of its {len(samples.rows)} rows is about one of the run's {len(questions)} "
                f"questions; the first row: {first.question_id or first.question!r:.80}, the first question: "
                f"{questions['question_id'].iloc[0]!r}, {questions['question'].iloc[0]!r:.80}"
            )
        unused = len(samples.rows) - len({id(row) for _, row in matched})
        counts = f"{len(matched)} of {len(questions)} questions have a row, {unused} rows have no question"
        say("\n".join([counts, *samples.notes]))
        for question, row in matched:
            sizes = {"direct": len(row.answers)}
            if row.hedged_answer is not None and question.split in self.hedged:
                sizes["hedged"] = 1
            for prompt, n in sizes.items():
                system = {"role": "system", "content": row.named(prompt)}
                logprobs = prompt == "direct" and any(row.token_logprobs)
                messages = [system, {"role": "user", "content": question.question}]
                yield question.question_id, prompt, {"messages": messages, "n": n, "logprobs": logprobs}

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls of one target: direct answers, and hedged ones."""
        questions = run.questions // run.targets
        hedged = run.hedged // run.targets
        prompt = PROMPT_TOKENS + run.question_tokens
        length = ANSWER_TOKENS * run.answers / run.questions
        return [
            Calls(questions, questions * run.samples, prompt, length),
            Calls(hedged, hedged, prompt, HEDGED_TOKENS),
        ]

    def result(self, replies: pd.DataFrame, recorded: Sequence[str | Path] = ()) -> pd.DataFrame:
        """Return the samples table; recorded answers are as they came, but for padding.

        Columns are ``question_id, prompt, sample, text, finish_reason, token_logprobs, token_ends, raw``.
        Log-probabilities are in nats, of the answer as it was generated; None where the engine gives none. Ends of
        those tokens are in characters of ``text``. Tokens of a second sentence, which was cut off, are left out.
        ``raw`` is the text before `clean_answer`. A request that failed for good has an empty text and finish reason
        ``error``.
        """
        style = "paper" if recorded else self.style
        joined = replies.rename(columns={"reply": "raw"})
        if style == "short":
            direct = joined.loc[joined["prompt"] == "direct", "raw"].drop_duplicates()
            parse_ahead(raw for raw in direct if ". " in raw)
        columns = (joined[name] for name in ("raw", "prompt", "finish_reason"))
        joined["text"] = [
            clean_answer(raw, prompt, style, cut=reason == "length")
            for raw, prompt, reason in zip(*columns, strict=True)
        ]
        names = ["token_logprobs", "token_ends"]
        rows = zip(*(joined[name] for name in (*names, "raw", "text")), strict=True)
        tokens = [_tokens(*row) for row in rows]
        joined[names] = pd.DataFrame(tokens, joined.index, names, dtype=object)
        key = ["question_id", "prompt", "sample"]
        table = joined[[*key, "text", "finish_reason", "token_logprobs", "token_ends", "raw"]]
        return table.sort_values(key, kind="stable", ignore_index=True)


#: The one method: a target is asked.
METHODS = {"target": Sampling}


def beyond(queue: Iterable[tuple[str, prompts.Messages]], context: int, max_tokens: int) -> str:
    """Return a line on the prompts that leave no room for an answer; empty where all do.

    Parameters
    ----------
    queue
        Prompts, each with its question's id.
    context
        Of the model, in tokens.
    max_tokens
        Of the longest answer, in tokens.

    Examples
    --------
    >>> beyond([("q1", ({"role": "user", "content": "Who? " * 900},))], 1024, 64).partition(" (the ")[0]
    '1 of 1 prompts are too long for a context of 1,024 tokens and an answer of 64'
    """
    sizes = {name: sum(len(part["content"]) for part in messages) // CHARACTERS for name, messages in queue}
    long = {name: tokens for name, tokens in sizes.items() if tokens + max_tokens > context}
    if not long:
        return ""
    worst = max(long, key=long.__getitem__)
    return (
        f"{len(long)} of {len(sizes)} prompts are too long for a context of {context:,} tokens and an answer of "
        f"{max_tokens} (the longest: {worst}, about {long[worst]:,} tokens): what does not fit is not answered and "
        "missing; make the context larger, or shorten or leave out these questions"
    )


def clean_answer(text: str, prompt: str, style: str = "paper", *, cut: bool = False) -> str:
    """Return an answer as it is clustered, graded, read and rewritten.

    Style ``paper``: without padding. Style ``short``: one line, of a direct answer the first sentence with its full
    stop. Where it was cut, it ends with its last whole clause. An answer of several sentences
    is kept whole in either style, however long: what is graded and clustered is its beginning
    (2,000 characters).

    Parameters
    ----------
    text
        The answer as it came.
    prompt
        ``direct`` or ``hedged``.
    style
        ``paper`` or ``short``.
    cut
        Whether it was cut at ``max_tokens``.

    Examples
    --------
    >>> clean_answer("The capital of Kenya is Nairobi, which is the", "direct", "short", cut=True)
    'The capital of Kenya is Nairobi.'
    """
    if style == "paper":
        return text.strip()
    if prompt == "hedged":
        return " ".join(text.split())
    sentence = first_sentence(text, cut=cut, ends=_sentence_ends)
    ended = not sentence or sentence.endswith((".", "!", "?"))
    return sentence if ended else sentence.rstrip(" ,;:(") + "."


def _sentence_ends(line: str) -> Iterator[int]:
    """Yield where the sentences of a line end, but for its last one, as the parser cuts them: "by J. R. R. Tolkien"."""
    if ". " in line:
        yield from (sentence.end for sentence in sentences(line)[:-1])


def _tokens(
    logprobs: Sequence[float] | None, ends: Sequence[int] | None, raw: str, text: str
) -> tuple[Sequence[float] | None, list[int] | None]:
    """The log-probabilities of an answer's tokens, and where they end in it, from those of the answer as it came.

    Tokens of a second sentence are left out. Where the answer is no part of what came, all stay, and no end is known.
    """
    start = raw.find(text)
    if not np.ndim(ends) or start < 0:
        return logprobs, None
    moved = [min(max(end - start, 0), len(text)) for end in ends]
    kept = sum(end < len(text) for end in moved) + 1 if raw[start + len(text) :].strip() else len(moved)
    return logprobs[:kept], moved[:kept]


def answered(samples: pd.DataFrame) -> pd.DataFrame:
    """Return the samples that were answered: what failed (a prompt too long for the model) says nothing."""
    return samples[~samples["finish_reason"].isin(UNANSWERED)]


def unanswered(answers: pd.DataFrame) -> pd.Series:
    """Return which rows of an answers table are no answer: all samples of the question, or the hedged one, failed.

    Texts without a column ``samples``, such as rewrites, are all there.
    """
    if "samples" not in answers:
        return pd.Series(False, answers.index)
    return answers["samples"].eq(0).fillna(False).astype("bool")
