"""A small language model as a reader: examples in the prompt, and what it would say next (method ``few_shot``).

A model of 135M parameters cannot put a number on a sentence: asked for one, it answers much alike whatever it reads. It
can go on with a story. After `"It might be Oslo." she said, in a voice full of` it finds " doubt" likelier, and less so
" confidence", than after a firm sentence. So the score of a sentence is the log-odds of words of confidence against
words of doubt as the next token, a mean over two wordings. A monotone map, fitted on human readings, brings it to
[0, 1]. Figures and their provenance: ``ralc/data/reader_few_shot.json``, written by `ralc.people.fit_few_shot`.

What was tried, on 100 to 150 of the raw sentences that ``cues`` learns from (Spearman with the mean of five people,
``cues`` itself .44): digits 0 to 9 after eight examples .18 to .30, by the order of the examples; levels in words .06
to .12; Yes or No .04 to .12; "Are you sure?" in a dialogue -.09 to .06; the story without examples .32, with them .29
or .38, with them in the question .45, .36 or .33, by their order. The best order was kept: it is a part of the reader.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logsumexp

from ralc import data
from ralc.beta import Beta
from ralc.llm import ModelConfig, request_for, to_table
from ralc.llm.joining import join
from ralc.prompts import messages
from ralc.protocols import Protocol
from ralc.readers.reader import Reader

FloatArray = NDArray[np.float64]
NAME = "few_shot"
CONFIDENT = (" confidence", " certainty", " conviction")
DOUBTFUL = (" doubt", " uncertainty")
FRAMES = ("she said, in a voice full of", "she said. Her tone was one of")
#: Sentences of ours, of no study, and the word that each frame goes on with.
EXAMPLES = (
    ("It is definitely Oslo.", "confidence"),
    ("I am not sure, but perhaps it is Oslo.", "doubt"),
    ("The answer is Oslo.", "certainty"),
    ("It might be Oslo.", "uncertainty"),
    ("Without a doubt, it is Oslo.", "conviction"),
    ("I have no idea.", "confusion"),
    ("I am certain it is Oslo.", "confidence"),
    ("Maybe it is Oslo, I am just guessing.", "doubt"),
)
#: Log-odds beyond this say no more.
LIMIT = 10.0


class Wording(NamedTuple):
    """A way to ask: what follows a sentence, and the order of the examples."""

    frame: str
    order: tuple[int, ...]


#: The ways in which every sentence is asked.
WORDINGS = tuple(Wording(frame, (2, 4, 3, 6, 5, 0, 1, 7)) for frame in FRAMES)


class FewShotReader(Reader):
    """SmolLM2 as a reader, by examples."""

    models = (1, 1)

    @property
    def reads_first_token(self) -> bool:
        """The words of confidence and doubt are weighed as the next token."""
        return True

    @classmethod
    def load(cls, *, name: str = NAME) -> Self:
        """Return the reader."""
        return cls(name)

    def ask(
        self, texts: pd.DataFrame, *, model: Mapping[str, Any], seed: int, fresh: bool = False
    ) -> pd.DataFrame:
        """Return the requests; nothing is drawn, so equal texts are equal requests."""
        return render(texts, model=model)

    def readings(
        self,
        texts: pd.DataFrame,
        requests: pd.DataFrame,
        responses: pd.DataFrame,
        *,
        protocol: str | Protocol = "ralc",
    ) -> pd.DataFrame:
        """Return one Beta an item; `readings` counts the wordings."""
        return read(requests, responses).assign(reader=self.name)


def render(texts: pd.DataFrame, *, model: Mapping[str, Any]) -> pd.DataFrame:
    """Return the requests table: for each text one token in each of `WORDINGS`.

    Parameters
    ----------
    texts
        ``item, text``: what is read, a row an item.
    model
        The model's entry in the configuration.

    Raises
    ------
    ValueError
        If the figures are of another model: they say nothing of this one.
    """
    known = load_figures()["model"]
    name = ModelConfig.model_validate(model).model
    if name != known:
        raise ValueError(
            f"method few_shot: its figures are of {known!r}, not of {name!r}; fit them by ralc.people.fit_few_shot"
        )
    return render_wordings(texts, model=model)


def render_wordings(texts: pd.DataFrame, *, model: Mapping[str, Any]) -> pd.DataFrame:
    """As `render`, for any model."""
    requests, rows = [], []
    for place, wording in enumerate(
        WORDINGS
    ):  # one wording after the other: prompts in a row share their examples
        for item, text in zip(texts["item"], texts["text"], strict=True):
            requests.append(_request(text, wording, model))
            rows.append((item, text, place))
    ids = pd.DataFrame(rows, columns=["item", "text", "wording"])
    return to_table(requests, **{name: ids[name].tolist() for name in ids})


def log_odds(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return ``item, text, log_odds``: the mean over the wordings; null where one has no answer.

    Raises
    ------
    ValueError
        If the engine gave no log-probabilities at all, or a request lacks an answer.
    """
    rows = join(requests, responses)[["item", "text", "wording", "alternatives"]]
    if len(rows) and rows["alternatives"].isna().all():
        raise ValueError(
            "method few_shot: the model gave no log-probabilities; use an engine that gives them "
            "(embedded, vllm, or llama.cpp's server)"
        )
    rows["log_odds"] = [_log_odds(values) for values in rows["alternatives"]]
    grouped = rows.groupby(["item", "text"], sort=True)["log_odds"]
    return grouped.agg(lambda values: values.mean(skipna=False)).reset_index()


def read(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return one Beta an item: ``item, text, reader, alpha, beta, readings``.

    The mean is the model's, by the map; the concentration is what people's readings have at that mean (the
    spread between persons in CAPphrase). `readings` counts the wordings; an item without an answer is null.
    """
    table = log_odds(requests, responses).assign(reader=NAME, alpha=np.nan, beta=np.nan)
    scored = table["log_odds"].notna()
    confidence = perceived(table.loc[scored, "log_odds"].to_numpy())
    table.loc[scored, "alpha"] = confidence.alpha
    table.loc[scored, "beta"] = confidence.beta
    table["readings"] = np.where(scored, len(WORDINGS), 0)
    return table[["item", "text", "reader", "alpha", "beta", "readings"]]


def perceived(log_odds: FloatArray) -> Beta:
    """The distribution of readings at some log-odds, by the committed map and spread.

    >>> firm, weak = perceived(np.array([8.0, -8.0])).mean
    >>> bool(firm > weak)
    True
    """
    figures = load_figures()
    mean = np.interp(log_odds, figures["map"]["log_odds"], figures["map"]["mean"])
    spread = np.interp(mean, figures["spread"]["mean"], figures["spread"]["sd"])
    return Beta.from_mean_concentration(mean, np.clip(mean * (1 - mean) / spread**2 - 1, 0.5, 200.0))


@cache
def load_figures() -> dict[str, Any]:
    """The committed figures, with their provenance."""
    return json.loads(data.path(f"reader_{NAME}.json").read_text("utf-8"))


def _request(text: str, wording: Wording, model: Mapping[str, Any]) -> Any:
    examples = [EXAMPLES[place] for place in wording.order]
    asked = messages(
        NAME,
        examples=[{"sentence": sentence, "word": word} for sentence, word in examples],
        frame=wording.frame,
        sentence=text,
    )
    how = {"temperature": 0, "top_k": 0, "top_p": 1, "min_p": 0, "max_tokens": 1}
    return request_for(model, asked, alternatives=(*CONFIDENT, *DOUBTFUL), **how)


def _log_odds(values: Any) -> float:
    """Log-odds of the words of confidence; a word that is not among the likely tokens counts as impossible."""
    if not isinstance(values, (list, tuple, np.ndarray)):
        return np.nan
    logprobs = np.nan_to_num(np.array(values, dtype=float), nan=-np.inf)
    firm, weak = logsumexp(logprobs[: len(CONFIDENT)]), logsumexp(logprobs[len(CONFIDENT) :])
    if np.isneginf(firm) and np.isneginf(weak):
        return np.nan
    return float(np.clip(firm - weak, -LIMIT, LIMIT))
