"""Does a `tokenizer.json` read exactly as BERT does? Only then may our own WordPiece stand in for it."""

from collections.abc import Callable, Mapping
from typing import Any

_AROUND = [
    {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
    {"Sequence": {"id": "A", "type_id": 0}},
    {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
]


def is_berts(described: Mapping[str, Any]) -> bool:
    """Whether every part of it is BERT's; what is missing or of another shape is not."""
    return _reads_as_bert(described, _around)


def is_mpnets(described: Mapping[str, Any]) -> bool:
    """Whether every part of it is BERT's, but for the tokens around a text, which are RoBERTa's."""
    return _reads_as_bert(described, _around_of_mpnet)


def _reads_as_bert(described: Mapping[str, Any], around: Callable[[Any, Any], bool]) -> bool:
    try:
        return (
            _pieces(described["model"])
            and _normal(described["normalizer"])
            and described["pre_tokenizer"] == {"type": "BertPreTokenizer"}
            and around(described["post_processor"], described["model"]["vocab"])
            and all(token["special"] for token in described.get("added_tokens") or ())
        )
    except (KeyError, TypeError, AttributeError):
        return False


def _pieces(model: Mapping[str, Any]) -> bool:
    kind = (model["type"], model["unk_token"], model["continuing_subword_prefix"])
    return (
        kind == ("WordPiece", "[UNK]", "##")
        and isinstance(model["max_input_chars_per_word"], int)
        and "[UNK]" in model["vocab"]
        and all(isinstance(number, int) for number in model["vocab"].values())
    )


def _normal(normal: Mapping[str, Any]) -> bool:
    return (
        normal["type"] == "BertNormalizer"
        and normal["clean_text"] is True
        and normal["handle_chinese_chars"] is True
        and isinstance(normal["lowercase"], bool)
        and normal["strip_accents"] in (None, True, False)
    )


def _around(processor: Mapping[str, Any], vocabulary: Mapping[str, int]) -> bool:
    """Whether a text is put between `[CLS]` and `[SEP]`, by the numbers that the vocabulary has for them."""
    if processor["type"] == "BertProcessing":
        found = {name: [number] for name, number in (processor["cls"], processor["sep"])}
    elif processor["type"] == "TemplateProcessing" and processor["single"] == _AROUND:
        found = {name: token["ids"] for name, token in processor["special_tokens"].items()}
    else:
        return False
    return all(found[name] == [vocabulary[name]] for name in ("[CLS]", "[SEP]"))


def _around_of_mpnet(processor: Mapping[str, Any], vocabulary: Mapping[str, int]) -> bool:
    if processor["type"] != "RobertaProcessing":
        return False
    return all(processor[key] == [name, vocabulary[name]] for key, name in (("cls", "<s>"), ("sep", "</s>")))
