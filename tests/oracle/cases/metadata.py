"""Metadata that the specifications allow and zarr-python does not write; it was written by hand here."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from zarr.codecs import Crc32cCodec, GzipCodec

from registry import Case, Reading, add, chunk_shapes, create, edit, sizes_of
from values import counting

CASES: list[Case] = []

VALUES = counting("int32", (14, 10))
GRID = [[3, 3, 3, 4, 1], [4, 4, 2]]


def _variant(name: str, about: str, dtype: str = "int32", **options: Any) -> Callable:
    """Register an edit of a good array; what it must read as is known from before the edit."""

    def register(change: Callable[[dict[str, Any]], None]) -> Callable:
        @add(CASES, f"meta-{name}", about)
        def write(path: Path) -> Reading:
            values = VALUES.astype(dtype)
            array = create(path, values, **{"chunks": GRID, **options})
            sizes = sizes_of(array)
            edit(path, change)
            return values, sizes

        return change

    return register


@_variant(
    "short-codec-names", 'Codecs as bare strings: "codecs": ["bytes", "crc32c"].', "uint8", compressors=[Crc32cCodec()]
)
def short_codec_names(document: dict[str, Any]) -> None:
    document["codecs"] = ["bytes", "crc32c"]


@_variant("bytes-without-endian", "A one-byte type needs no endian, nor a configuration.", "int8")
def bytes_without_endian(document: dict[str, Any]) -> None:
    document["codecs"] = [{"name": "bytes"}]


@_variant("empty-configurations", "Empty configurations where none is needed.", "uint8", compressors=[Crc32cCodec()])
def empty_configurations(document: dict[str, Any]) -> None:
    document["codecs"] = [{"name": "bytes", "configuration": {}}, {"name": "crc32c", "configuration": {}}]


@_variant("runs-spelled-out", "Every edge spelled out, no pair.")
def runs_spelled_out(document: dict[str, Any]) -> None:
    document["chunk_grid"]["configuration"]["chunk_shapes"] = GRID


@_variant("runs-split", "Runs split in several pairs, counts of one among them.")
def runs_split(document: dict[str, Any]) -> None:
    chunk_shapes(document)[:] = [[[3, 1], [3, 2], [4, 1], 1], [[4, 1], 4, 2]]


@_variant("bare-integer", "A bare integer in place of an equal list.", chunks=[GRID[0], [5, 5]])
def bare_integer(document: dict[str, Any]) -> None:
    chunk_shapes(document)[1] = 5


@_variant("bare-integer-as-list", "A list in place of a bare integer that overhangs.", chunks=[GRID[0], 4])
def bare_integer_as_list(document: dict[str, Any]) -> None:
    chunk_shapes(document)[1] = [[4, 3]]


@_variant("bare-integers", "Bare integers on every axis of a rectilinear grid.", chunks=(3, 4))
def bare_integers(document: dict[str, Any]) -> None:
    document["chunk_grid"] = {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [3, 4]}}


@_variant("overhang", "A last edge that reaches past the extent, declared from the start.", chunks=(8, 4))
def overhang(document: dict[str, Any]) -> None:
    document["chunk_grid"] = {
        "name": "rectilinear",
        "configuration": {"kind": "inline", "chunk_shapes": [[8, 8], [[4, 3]]]},
    }


@_variant("overflow-run", "A million declared chunks past the extent.", chunks=(10, 10))
def overflow_run(document: dict[str, Any]) -> None:
    document["chunk_grid"] = {
        "name": "rectilinear",
        "configuration": {"kind": "inline", "chunk_shapes": [[[10, 1000000]], [10]]},
    }


@_variant("overflow-huge", "10^12 declared chunks past the extent.", chunks=[[10, 4], [10]])
def overflow_huge(document: dict[str, Any]) -> None:
    document["chunk_grid"] = {
        "name": "rectilinear",
        "configuration": {"kind": "inline", "chunk_shapes": [[10, [4, 10**12]], [[10, 10**12]]]},
    }


@_variant("data-type-object", "The data type as an object with a name.")
def data_type_object(document: dict[str, Any]) -> None:
    document["data_type"] = {"name": "int32"}


@_variant("unknown-field", "An unknown field that need not be understood.")
def unknown_field(document: dict[str, Any]) -> None:
    document["proj:epsg"] = {"must_understand": False, "code": 4326}


@_variant("key-encoding-default", "A key encoding without configuration: the separator is a slash.")
def key_encoding_default(document: dict[str, Any]) -> None:
    document["chunk_key_encoding"] = {"name": "default"}


@_variant("key-encoding-string", "A key encoding as a bare string.")
def key_encoding_string(document: dict[str, Any]) -> None:
    document["chunk_key_encoding"] = "default"


@_variant(
    "key-encoding-v2",
    "The v2 key encoding without configuration: the separator is a dot.",
    chunk_key_encoding={"name": "v2", "separator": "."},
)
def key_encoding_v2(document: dict[str, Any]) -> None:
    document["chunk_key_encoding"] = {"name": "v2"}


@_variant("must-understand-true", "must_understand: true on things that are understood.", compressors=[GzipCodec()])
def must_understand_true(document: dict[str, Any]) -> None:
    for codec in document["codecs"]:
        codec["must_understand"] = True
    document["chunk_grid"]["must_understand"] = True


@_variant("few-fields", "Without the optional fields: attributes, dimension names, storage transformers.")
def few_fields(document: dict[str, Any]) -> None:
    del document["attributes"], document["storage_transformers"]


@_variant("names-all-null", "Dimension names that are all null.")
def names_all_null(document: dict[str, Any]) -> None:
    document["dimension_names"] = [None, None]


@_variant("field-order", "The fields in reverse order.")
def field_order(document: dict[str, Any]) -> None:
    fields = list(document.items())[::-1]
    document.clear()
    document.update(fields)
