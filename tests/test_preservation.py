"""Content preservation: word overlap by hand, and the entailment judge on a tiny model of the real class."""

import numpy as np
import pandas as pd
import pytest

from ralc.lexicon import load_hedges
from ralc.preservation import Content, EntailmentJudge, entailment_score, label_columns, overlap, score

HEDGES = load_hedges()["expression"].tolist()


@pytest.mark.parametrize(
    ("original", "rewrite", "expected"),
    [
        ("The capital of France is Paris.", "Perhaps the capital of France is Paris.", 1.0),
        ("The capital of France is Paris.", "I am fairly certain that the capital of France is Paris.", 1.0),
        ("Paris", "My best guess is that the answer is Paris.", 1.0),
        ("Paris", "Perhaps it is Lyon.", 0.0),
        # {capital, france, paris} against {capital, france}: 2 * 2 / 5.
        ("The capital of France is Paris.", "Perhaps the capital of France.", 0.8),
        # One added word: 2 * 3 / 7.
        ("The capital of France is Paris.", "The capital of France is Paris, darling.", 6 / 7),
        # A lost negation is lost content.
        ("The report is not accurate.", "Perhaps the report is accurate.", 0.8),
        ("The CAPITAL is Yaoundé!", "the capital is yaounde", 1.0),
    ],
)
def test_overlap_by_hand(original, rewrite, expected):
    assert overlap([original], [rewrite], HEDGES)[0] == pytest.approx(expected)


def test_overlap_of_texts_without_content_words_is_full():
    assert overlap(["", "It is."], ["", "that was"], HEDGES).tolist() == [1.0, 1.0]


def test_overlap_is_symmetric_where_no_hedge_is_added():
    texts = ["The river runs north.", "A river, north of here"]
    assert overlap(texts, texts[::-1], HEDGES)[0] == overlap(texts[::-1], texts, HEDGES)[0]


def test_overlap_rejects_unequal_lengths():
    with pytest.raises(ValueError, match="2 and 1"):
        overlap(["a", "b"], ["a"], HEDGES)


@pytest.mark.parametrize(
    ("original", "rewrite"),
    [
        ("The answer is Paris.", "It is Paris."),
        ("I think it is Paris.", "It is Paris, without a doubt."),
        ("It is Paris.", "I am not sure, but it is Paris."),
    ],
)
def test_hedges_come_and_go_without_loss(original, rewrite):
    assert overlap([original], [rewrite], HEDGES)[0] == 1.0


def test_score_keeps_each_pair_once_and_has_no_masses_by_overlap():
    pairs = pd.DataFrame({"original": ["Paris"] * 3, "rewrite": ["Perhaps Paris.", "Perhaps Paris.", "Rome"]})
    scored = score(pairs, hedges=HEDGES)
    assert scored["rewrite"].tolist() == ["Perhaps Paris.", "Rome"]
    assert scored["content_preservation"].tolist() == [1.0, 0.0]
    assert scored[["p_entail", "p_neutral", "p_contradict"]].isna().all(axis=None)


def test_score_names_what_is_wrong():
    pairs = pd.DataFrame({"original": ["a", None], "rewrite": ["b", "c"]})
    with pytest.raises(ValueError, match="original is missing in row 1"):
        score(pairs, hedges=HEDGES)
    with pytest.raises(ValueError, match="'bleu' is not one of overlap, entailment"):
        score(pairs, hedges=HEDGES, method="bleu")
    with pytest.raises(ValueError, match="needs a model"):
        score(pairs, hedges=HEDGES, method="entailment")


def test_entailment_score_counts_half_of_neutral():
    masses = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.6, 0.2]])
    assert entailment_score(masses).tolist() == pytest.approx([1.0, 0.5, 0.0, 0.5])


@pytest.mark.parametrize(
    ("id2label", "columns"),
    [
        ({0: "entailment", 1: "neutral", 2: "contradiction"}, [0, 1, 2]),
        ({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, [2, 1, 0]),
        ({0: "contradiction", 1: "entailment", 2: "neutral"}, [1, 2, 0]),
    ],
)
def test_label_columns_follow_the_model(id2label, columns):
    assert label_columns(id2label) == columns


@pytest.mark.parametrize(
    "id2label",
    [
        {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"},
        {0: "entailment", 1: "not_entailment"},
        {0: "entailment", 1: "neutral", 2: "neutral"},
    ],
)
def test_label_columns_rejects_other_labels(id2label):
    with pytest.raises(ValueError, match="id2label must name"):
        label_columns(id2label)


TEXTS = ["the capital is paris", "perhaps it is paris", "it is rome", "the report is not accurate at all"]


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory):
    """Folders of one tiny, randomly initialised DeBERTa-v2 classifier, its labels in two orders."""
    torch = pytest.importorskip("torch", reason="the entailment judge needs torch (extra `entailment`)")
    transformers = pytest.importorskip("transformers", reason="the entailment judge needs transformers")
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
    return orders


def test_judge_gives_masses_that_do_not_depend_on_batches(tiny_model):
    folder = str(tiny_model["entailment"])
    premises, hypotheses = TEXTS, TEXTS[::-1]
    one, three = (
        EntailmentJudge.load(folder, batch_size=size).masses(premises, hypotheses) for size in (1, 3)
    )
    assert one.shape == (4, 3)
    np.testing.assert_allclose(one.sum(axis=1), 1.0)
    np.testing.assert_allclose(one, three, atol=1e-5)
    assert np.ptp(one, axis=0).max() > 1e-3  # the tiny model does tell the pairs apart


def test_judge_reads_the_order_of_the_labels(tiny_model):
    ordered, reversed_ = (EntailmentJudge.load(str(folder)) for folder in tiny_model.values())
    masses = ordered.masses(TEXTS[:2], TEXTS[1:3])
    np.testing.assert_allclose(masses, reversed_.masses(TEXTS[:2], TEXTS[1:3])[:, ::-1], atol=1e-7)


def test_judge_answers_in_order_and_reads_equal_pairs_alike(tiny_model):
    judge = EntailmentJudge.load(str(tiny_model["entailment"]))
    masses = judge.masses([TEXTS[0], TEXTS[3], TEXTS[0]], [TEXTS[1], TEXTS[2], TEXTS[1]])
    np.testing.assert_array_equal(masses[0], masses[2])
    np.testing.assert_allclose(masses[1], judge.masses([TEXTS[3]], [TEXTS[2]])[0], atol=1e-6)
    assert judge.masses([], []).shape == (0, 3)
    with pytest.raises(ValueError, match="2 and 1"):
        judge.masses(TEXTS[:2], TEXTS[:1])


def test_score_by_entailment_keeps_both_directions(tiny_model):
    folder = str(tiny_model["entailment"])
    pairs = pd.DataFrame({"original": TEXTS[:2], "rewrite": TEXTS[1:3]})
    scored = score(pairs, hedges=HEDGES, method="entailment", model=folder)
    judge = EntailmentJudge.load(folder)
    forth, back = judge.masses(TEXTS[:2], TEXTS[1:3]), judge.masses(TEXTS[1:3], TEXTS[:2])
    np.testing.assert_allclose(scored[["p_entail", "p_neutral", "p_contradict"]], forth)
    np.testing.assert_allclose(scored[["p_entail_back", "p_neutral_back", "p_contradict_back"]], back)
    np.testing.assert_allclose(scored["content_preservation"], forth[:, 0] + forth[:, 1] / 2)


def test_judge_says_how_to_install_what_it_needs(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(ImportError, match=r"ralc\[entailment\]"):
        EntailmentJudge.load("no-such-model")


def test_hedge_words_are_those_of_the_runs_lexicon():
    assert {"certain", "guess", "doubt"} <= Content(HEDGES).hedge_words
    # Not those of another lexicon: to a run without "perhaps" it is a word that was added.
    assert overlap(["It is Paris."], ["Perhaps it is Paris."], ["maybe"])[0] < 1
    assert overlap(["It is Paris."], ["By my lights it is Paris."], ["by my lights"])[0] == 1
