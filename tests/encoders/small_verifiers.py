"""Small untrained verifiers of well-known architectures, each in a folder as the hub keeps it."""

import json
import string
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import tokenizers
import torch
from tokenizers import models, normalizers, pre_tokenizers, processors

transformers: Any = import_module("transformers")  # whose own types do not know all that it takes

WORDS = ["the", "museum", "opens", "at", "nine", "and", "closes", "five", "room", "holds", "not", "is", "it"]
SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "initializer_range": 0.6,
}
"""With weights large enough for two pairs to get two scores."""
NLI = ("contradiction", "entailment", "neutral")
OURS = ("supported", "contradicted", "not_stated")


@dataclass(frozen=True)
class Small:
    """One of them: the folder, and the same model in torch."""

    folder: Path
    model: Any
    claim_first: bool = False

    def logits(self, claim: str, evidence: str) -> Any:
        """What torch gives for a pair, laid out by the tokenizer's own template."""
        return self._run(claim, evidence)[0].logits[0].double().numpy()

    def of_the_claim(self, claim: str, evidence: str) -> Any:
        """One row for each of the claim's tokens: labels, or what `tokens` gives."""
        given, sides = self._run(claim, evidence)
        rows = given.hidden_states[-1].sum(-1) if self.claim_first else given.logits
        return rows[0].double().numpy()[[side == (0 if self.claim_first else 1) for side in sides]]

    def _run(self, claim: str, evidence: str) -> tuple[Any, list[int | None]]:
        read = tokenizers.Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        found = read.encode(*((claim, evidence) if self.claim_first else (evidence, claim)))
        ids = torch.tensor([found.ids])
        given = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        if getattr(self.model.config, "type_vocab_size", 0) > 1:
            given["token_type_ids"] = torch.tensor([found.type_ids])
        with torch.no_grad():
            return self.model(**given, output_hidden_states=True), list(found.sequence_ids)


def quiet(build: Callable[..., Small]) -> Callable[..., Small]:
    """What torch and transformers say of their own parts while a model is made is not our concern."""

    @wraps(build)
    def building(*given: Any, **named: Any) -> Small:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return build(*given, **named)

    return building


@quiet
def bert(folder: Path, labels: Sequence[str] = NLI, **config: Any) -> Small:
    """BERT that reads two texts as of two types."""
    settings = _settings(labels, vocab_size=len(_pieces("[CLS]", "[SEP]")), max_position_embeddings=160)
    model = transformers.BertForSequenceClassification(transformers.BertConfig(**settings))
    return _written(folder, model, _wordpiece("[CLS]", "[SEP]"), config)


@quiet
def mpnet(folder: Path, labels: Sequence[str] = OURS, **config: Any) -> Small:
    """MPNet, in the form of our own readers: the claim comes first, and its words have scores."""
    size = len(_pieces("<s>", "</s>"))
    settings = _settings(labels, vocab_size=size, max_position_embeddings=162, pad_token_id=1)
    model = transformers.MPNetForSequenceClassification(transformers.MPNetConfig(**settings))
    return _written(folder, model, _wordpiece("<s>", "</s>"), config, claim_first=True)


@quiet
def roberta(folder: Path, labels: Sequence[str] = NLI, **config: Any) -> Small:
    """RoBERTa: bytes, two separators between the texts, positions counted after the padding's."""
    tokenizer = _bytes(("<s>", "<pad>", "</s>", "<unk>"))
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    settings = _settings(
        labels, vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=162, pad_token_id=1
    )
    made = transformers.RobertaConfig(**settings, type_vocab_size=1)
    return _written(folder, transformers.RobertaForSequenceClassification(made), tokenizer, config)


@quiet
def deberta(folder: Path, labels: Sequence[str] = NLI, **config: Any) -> Small:
    """DeBERTa-v3: pieces that begin with a space, relative positions."""
    special = ["[PAD]", "[CLS]", "[SEP]", "[UNK]"]
    letters = string.ascii_lowercase + string.digits + ",.:;"
    pieces = [*special, "▁", *(f"▁{word}" for word in WORDS), *letters]
    model = models.Unigram([(piece, -float(index)) for index, piece in enumerate(pieces)], unk_id=3)
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.add_special_tokens(special)
    tokenizer.post_processor = _template("[CLS]", "[SEP]", tokenizer)
    settings = _settings(labels, vocab_size=len(pieces), max_position_embeddings=160)
    made = transformers.DebertaV2Config(
        **settings,
        relative_attention=True,
        position_buckets=16,
        pos_att_type=["p2c", "c2p"],
        share_att_key=True,
        norm_rel_ebd="layer_norm",
        position_biased_input=False,
        type_vocab_size=0,
    )
    return _written(folder, transformers.DebertaV2ForSequenceClassification(made), tokenizer, config)


@quiet
def modernbert(folder: Path, labels: Sequence[str] = ("LABEL_0", "LABEL_1"), **config: Any) -> Small:
    """ModernBERT that labels tokens, as LettuceDetect does: 0 is supported, 1 is hallucinated."""
    tokenizer = _bytes(("[PAD]", "[CLS]", "[SEP]", "[UNK]"))
    tokenizer.post_processor = _template("[CLS]", "[SEP]", tokenizer)
    settings = _settings(labels, vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=160)
    ends = {"bos_token_id": 1, "eos_token_id": 2, "cls_token_id": 1, "sep_token_id": 2}
    made = transformers.ModernBertConfig(**settings, **ends, attn_implementation="eager")
    return _written(folder, transformers.ModernBertForTokenClassification(made), tokenizer, config)


BUILDERS = {"bert": bert, "mpnet": mpnet, "roberta": roberta, "deberta": deberta, "modernbert": modernbert}


def _settings(labels: Sequence[str], **more: Any) -> dict[str, Any]:
    return {
        **SIZES,
        "pad_token_id": 0,
        "id2label": dict(enumerate(labels)),
        "label2id": {label: index for index, label in enumerate(labels)},
        **more,
    }


def _pieces(opening: str, closing: str) -> dict[str, int]:
    letters = string.ascii_lowercase + string.digits
    special = ["[PAD]", "<pad>", opening, closing, "[UNK]"]
    pieces = [*special, *WORDS, *letters, *(f"##{letter}" for letter in letters), *",.:;"]
    return {piece: index for index, piece in enumerate(dict.fromkeys(pieces))}


def _wordpiece(opening: str, closing: str) -> tokenizers.Tokenizer:
    pieces = _pieces(opening, closing)
    model = models.WordPiece(pieces, unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens([opening, closing, "[UNK]"])
    if opening == "<s>":
        ends = (closing, pieces[closing]), (opening, pieces[opening])
        tokenizer.post_processor = processors.RobertaProcessing(*ends, add_prefix_space=False)
    else:
        tokenizer.post_processor = _template(opening, closing, tokenizer)
    return tokenizer


def _bytes(special: Sequence[str]) -> tokenizers.Tokenizer:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("t", "h"), ("th", "e"), ("Ġ", "o"), ("n", "i"), ("ni", "n")]
    pieces = [*special, *alphabet, *("".join(pair) for pair in merges)]
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    tokenizer = tokenizers.Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_special_tokens(list(special))
    return tokenizer


def _template(opening: str, closing: str, tokenizer: tokenizers.Tokenizer) -> Any:
    return processors.TemplateProcessing(
        single=f"{opening} $A {closing}",
        pair=f"{opening}:0 $A:0 {closing}:0 $B:1 {closing}:1",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in (opening, closing)],
    )


class _Logits(torch.nn.Module):
    """The model as a graph wants it: tensors in, tensors out."""

    def __init__(self, model: Any, names: Sequence[str], *, words: bool) -> None:
        super().__init__()
        self.model, self.names, self.words = model, names, words

    def forward(self, *given: torch.Tensor) -> Any:
        found = self.model(**dict(zip(self.names, given, strict=True)), output_hidden_states=True)
        return (found.logits, found.hidden_states[-1].sum(-1)) if self.words else found.logits


def _written(
    folder: Path,
    model: Any,
    tokenizer: tokenizers.Tokenizer,
    changed: Mapping[str, Any],
    *,
    claim_first: bool = False,
) -> Small:
    torch.manual_seed(7)
    model.init_weights()
    model.eval()
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {**model.config.to_dict(), "id2label": {str(k): v for k, v in model.config.id2label.items()}}
    (folder / "config.json").write_text(json.dumps({**config, **changed}))
    names = ["input_ids", "attention_mask"]
    if getattr(model.config, "type_vocab_size", 0) > 1:
        names.append("token_type_ids")
    rows = {0: "batch", 1: "length"}
    of_tokens = "TokenClassification" in type(model).__name__
    with torch.no_grad():
        torch.onnx.export(
            _Logits(model, names, words=claim_first).eval(),
            tuple(torch.ones(2, 11, dtype=torch.int64) for _ in names),
            str(folder / "onnx/model.onnx"),
            input_names=names,
            output_names=["logits", *(["tokens"] if claim_first else [])],
            dynamic_axes={
                **dict.fromkeys([*names, *(["tokens"] if claim_first else [])], rows),
                "logits": rows if of_tokens else {0: "batch"},
            },
            opset_version=17,
            dynamo=False,
        )
    return Small(folder, model, claim_first)
