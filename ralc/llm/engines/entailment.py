"""A model of natural-language inference: how far one text follows from another (paper section 5.3).

A request is two turns, the premise and the hypothesis. Its answer is the likeliest of `LABELS`, with the
log-probabilities of all three in this order. A pair that is longer than the model reads loses its end and counts as
cut. Needs the extra ``entailment``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ralc.llm.engines import Answered, Count, EngineError, ModelConfig
from ralc.llm.requests import Request, Response

#: What a premise can say of a hypothesis, in the order of a response's alternatives.
LABELS = ("entailment", "neutral", "contradiction")


class Options(ModelConfig):
    """The entry of a classifier."""

    WEIGHTS_KEYS: ClassVar = ("dtype",)
    KEY_IGNORES: ClassVar = frozenset({"attn_implementation", "device_map", "low_cpu_mem_usage"})
    EXECUTION_KEYS: ClassVar = ModelConfig.EXECUTION_KEYS | {"parallel"}
    CLASSIFIES: ClassVar = True
    ENVIRONMENT: ClassVar = "gpu"
    SPEED: ClassVar = (30_000, 30_000)
    gpus: ClassVar = 1

    dtype: str = "auto"
    """vllm, entailment: the type of the weights."""
    context: Count = 512
    parallel: Count = 20
    """embedded: samples of one request that are decoded together; entailment: pairs of one forward pass."""


class Classifier:
    """A sequence classifier of three classes from transformers, and its tokenizer."""

    def __init__(self, entry: Options, model: Any, tokenizer: Any) -> None:
        self.entry = entry
        self.model = model.eval()
        self.tokenizer = tokenizer
        # Models order their labels differently; the names in the model's own config decide.
        self.columns = label_columns(model.config.id2label)

    def answer(self, requests: Iterable[Request]) -> Iterator[Answered]:
        """Answer batch by batch, the longest pairs first; see `ralc.llm.engines.Engine`."""
        step = self.entry.parallel
        pairs = sorted(
            enumerate(requests), key=lambda one: -sum(len(turn["content"]) for turn in one[1].messages)
        )
        for start in range(0, len(pairs), step):
            yield from self._batch(pairs[start : start + step])

    def close(self) -> None:
        """Free the device."""
        self.model = self.tokenizer = None

    def _batch(self, batch: Sequence[tuple[int, Request]]) -> Iterator[Answered]:
        """One forward pass."""
        import torch

        texts = [[request.messages[place]["content"] for _, request in batch] for place in (0, 1)]
        options = {
            "padding": True,
            "truncation": True,
            "max_length": self.entry.context,
            "return_tensors": "pt",
        }
        inputs = self.tokenizer(*texts, **options).to(self.model.device)
        with torch.inference_mode():
            logits = self.model(**inputs).logits.double()
        # A rounding error above 0 is no probability.
        logprobs = torch.log_softmax(logits, dim=-1)[:, self.columns].clamp(max=0).tolist()
        lengths = inputs["attention_mask"].sum(dim=1).tolist()
        for (index, request), row, length in zip(batch, logprobs, lengths, strict=True):
            reason = "length" if length >= self.entry.context else "stop"
            label = LABELS[row.index(max(row))]
            answer = Response(request.key, label, reason, prompt_tokens=length, alternatives=tuple(row))
            yield index, [replace(answer, sample=number) for number in request.numbers]


def start(entry: Options) -> Classifier:
    """Load a model of the Hugging Face hub, or of a folder, on the GPU where there is one.

    Raises EngineError if the model is not to be had, or its labels are others.
    """
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    try:
        model = AutoModelForSequenceClassification.from_pretrained(
            entry.model, revision=entry.revision, dtype=entry.dtype, **entry.engine_args
        )
        tokenizer = AutoTokenizer.from_pretrained(entry.model, revision=entry.revision)
    except (OSError, ValueError) as error:
        raise EngineError(f"{entry.model}: {' '.join(str(error).split())[:500]}") from error
    return Classifier(entry, model.to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer)


def label_columns(id2label: Mapping[int, str]) -> list[int]:
    """Return the model's columns of `LABELS`.

    >>> label_columns({0: "CONTRADICTION", 1: "entailment", 2: "Neutral"})
    [1, 2, 0]
    """
    named = {str(label).strip().lower(): int(index) for index, label in id2label.items()}
    if len(id2label) != len(LABELS) or set(named) != set(LABELS):
        raise EngineError(f"id2label must name {', '.join(LABELS)}, each once; it is {dict(id2label)}")
    return [named[label] for label in LABELS]
