"""Pipelines that are unknown, out of order or badly configured."""

from typing import Any

from broken.base import INVALID, UNSUPPORTED, Broken, metadata, setting

CASES: list[Broken] = []

BYTES = {"name": "bytes", "configuration": {"endian": "little"}}
CRC32C = {"name": "crc32c"}


def _chain(
    name: str, about: str, chain: Any, *mentions: str, error: str = INVALID, prefix: str | None = "/codecs"
) -> None:
    where = prefix if error == INVALID else None
    metadata(CASES, f"codec-{name}", about, error, setting("codecs", to=chain), *mentions, prefix=where)


def _transpose(order: Any) -> list[Any]:
    return [{"name": "transpose", "configuration": {"order": order}}, BYTES]


_chain("unknown", "An unknown codec.", [BYTES, {"name": "x-lzma9", "configuration": {}}], "x-lzma9", error=UNSUPPORTED)
_chain("unknown-string", "An unknown codec by its bare name.", [BYTES, "x-lzma9"], "x-lzma9", error=UNSUPPORTED)
_chain(
    "unknown-serializer", "An unknown codec in place of bytes.", [{"name": "x-packed"}], "x-packed", error=UNSUPPORTED
)
_chain("none", "No codecs at all.", [])
_chain("not-a-list", "An object in place of the list.", BYTES)
_chain("number", "A number in place of a codec.", [BYTES, 7], prefix="/codecs/1")
_chain("nameless", "A codec without a name.", [BYTES, {"configuration": {}}], prefix="/codecs/1")
_chain("no-serializer", "No array-to-bytes codec.", [CRC32C])
_chain("two-serializers", "Two array-to-bytes codecs.", [BYTES, BYTES])
_chain("order", "A bytes-to-bytes codec before the array-to-bytes one.", [CRC32C, BYTES])
_chain("transpose-late", "An array-to-array codec after the array-to-bytes one.", [BYTES, *_transpose([1, 0])[:1]])
_chain(
    "endian-unknown",
    "An endian that is neither.",
    [{"name": "bytes", "configuration": {"endian": "middle"}}],
    "middle",
    prefix="/codecs/0",
)
_chain("endian-missing", "No endian for a type of four bytes.", [{"name": "bytes"}], "endian", prefix="/codecs/0")

for _name, _order in {
    "twice": [0, 0],
    "range": [1, 2],
    "short": [0],
    "long": [0, 1, 2],
    "negative": [0, -1],
    "float": [1.5, 0],
    "letter": "A",
}.items():
    _chain(
        f"transpose-{_name}",
        f"{_order!r} is no permutation of two axes.",
        _transpose(_order),
        "order",
        prefix="/codecs/0",
    )
_chain(
    "transpose-missing", "A transpose without its order.", [{"name": "transpose"}, BYTES], "order", prefix="/codecs/0"
)
