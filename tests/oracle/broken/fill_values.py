"""Fill values that are no value of the data type."""

from collections.abc import Callable
from typing import Any

from broken.base import INVALID, Broken, Document, metadata

CASES: list[Broken] = []

BAD: dict[str, tuple[str, Any]] = {
    "text": ("int32", "hello"),
    "fraction": ("int32", 1.5),
    "null": ("int32", None),
    "nan-integer": ("int32", "NaN"),
    "past-int64": ("int64", 2**63),
    "past-uint64": ("uint64", 2**64),
    "bool-text": ("bool", "true"),
    "float-null": ("float32", None),
    "hex-short": ("float32", "0x7fc0"),
    "hex-long": ("float16", "0x7fc00000"),
    "hex-letters": ("float64", "0x7ff800000000zzzz"),
}


def _change(dtype: str, value: Any) -> Callable[[Document], None]:
    return lambda document: document.update(data_type=dtype, fill_value=value)


for _name, (_dtype, _value) in BAD.items():
    metadata(
        CASES,
        f"fill-{_name}",
        f"Fill value {_value!r} for {_dtype}.",
        INVALID,
        _change(_dtype, _value),
        _dtype,
        path="/fill_value",
    )
