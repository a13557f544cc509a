"""The engine of entailment on a tiny model of the real class: its labels, its batches, its journal."""

import numpy as np
import pytest

from ralc.llm import request_for
from ralc.llm.engines import EngineError, build
from ralc.llm.engines.entailment import LABELS, label_columns

TEXTS = ["the capital is paris", "perhaps it is paris", "it is rome", "the report is not accurate at all"]


@pytest.mark.parametrize("labels", ["a b c", "entailment not_entailment", "entailment neutral neutral"])
def test_label_columns_rejects_other_labels(labels):
    with pytest.raises(EngineError, match="id2label must name"):
        label_columns(dict(enumerate(labels.split())))


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory):
    """Folders of one tiny, randomly initialised DeBERTa-v2 classifier, its labels in two orders."""
    torch = pytest.importorskip("torch", reason="engine entailment needs torch (extra `entailment`)")
    transformers = pytest.importorskip("transformers", reason="engine entailment needs transformers")
    tokenizers = pytest.importorskip("tokenizers", reason="comes with transformers")
    vocabulary = {
        word: i
        for i, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *sorted(set(" ".join(TEXTS).split()))])
    }
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    words.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
    config = transformers.DebertaV2Config(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        relative_attention=True,
        pos_att_type=["p2c", "c2p"],
        num_labels=3,
        initializer_range=1.0,
    )
    torch.manual_seed(7)
    model = transformers.DebertaV2ForSequenceClassification(config)
    orders = {}
    for labels in (("entailment", "neutral", "contradiction"), ("CONTRADICTION", "NEUTRAL", "ENTAILMENT")):
        model.config.id2label = dict(enumerate(labels))
        orders[labels[0]] = folder = tmp_path_factory.mktemp(labels[0])
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    return {name: {"engine": "entailment", "model": str(folder)} for name, folder in orders.items()}


def requests(entry, pairs):
    """What is asked of a model about pairs of premise and hypothesis."""
    turns = [[{"role": "user", "content": text} for text in pair] for pair in pairs]
    return [request_for(entry, pair, temperature=0) for pair in turns]


def masses(entry, pairs, **changes):
    """What a model answers, in the order of the pairs, shape (n, 3)."""
    engine = build(entry | changes)
    answered = dict(engine.answer(requests(entry, pairs)))
    engine.close()
    return np.exp([answered[index][0].alternatives for index in range(len(pairs))])


PAIRS = list(zip(TEXTS, TEXTS[::-1], strict=True))


def test_masses_do_not_depend_on_batches_or_slices(tiny_model):
    entry = tiny_model["entailment"]
    one = masses(entry, PAIRS, parallel=1)
    three = masses(entry, PAIRS, parallel=3)
    assert one.shape == (4, 3)
    np.testing.assert_allclose(one.sum(axis=1), 1.0)
    np.testing.assert_allclose(one, three, atol=1e-5)
    assert np.ptp(one, axis=0).max() > 1e-3  # the tiny model does tell the pairs apart


def test_the_model_s_order_of_labels_is_read(tiny_model):
    ordered, turned = (masses(entry, PAIRS) for entry in tiny_model.values())
    np.testing.assert_allclose(ordered, turned[:, ::-1], atol=1e-7)


def test_an_answer_is_the_likeliest_label_and_a_long_pair_is_cut_and_says_so(tiny_model):
    entry = tiny_model["entailment"] | {"context": 9}
    engine = build(entry)
    answers = dict(engine.answer(requests(entry, [PAIRS[0], PAIRS[1]])))
    assert [answers[0][0].finish_reason, answers[1][0].finish_reason] == ["length", "length"]
    (short,) = dict(build(tiny_model["entailment"]).answer(requests(entry, PAIRS[1:2]))).values()
    assert short[0].finish_reason == "stop"
    assert short[0].text == LABELS[np.argmax(short[0].alternatives)]
    assert short[0].prompt_tokens == 3 + len(" ".join(PAIRS[1]).split())


def test_what_it_needs_is_said(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(EngineError, match=r"ralc\[entailment\]"):
        build({"engine": "entailment", "model": "no-such-model"})
