"""Fields of the array metadata that are missing, of the wrong type, or unknown."""

from typing import Any

from broken.base import INVALID, UNSUPPORTED, Broken, metadata, removing, setting

CASES: list[Broken] = []

for _field in (
    "zarr_format",
    "node_type",
    "shape",
    "data_type",
    "chunk_grid",
    "chunk_key_encoding",
    "fill_value",
    "codecs",
):
    metadata(
        CASES,
        f"missing-{_field.replace('_', '-')}",
        f"No {_field}.",
        INVALID,
        removing(_field),
        _field,
        path=f"/{_field}",
    )


def _invalid(name: str, keys: tuple[Any, ...], to: Any, *mentions: str, path: str | None = None) -> None:
    pointer = "/" + "/".join(map(str, keys))
    about = f"{pointer} is {to!r}."
    where = {"path": path} if path is not None else {"prefix": pointer}
    metadata(CASES, name, about, INVALID, setting(*keys, to=to), *mentions, **where)


_invalid("shape-string", ("shape",), "10")
_invalid("shape-negative", ("shape",), [-10, 12], path="/shape/0")
_invalid("shape-float", ("shape",), [10, 12.5], path="/shape/1")
_invalid("shape-past-u64", ("shape",), [2**64, 12], path="/shape/0")
_invalid("data-type-number", ("data_type",), 32)
_invalid("data-type-nameless", ("data_type",), {"configuration": {}})
_invalid("names-too-few", ("dimension_names",), ["y"], path="/dimension_names")
_invalid("names-too-many", ("dimension_names",), ["y", "x", "z"], path="/dimension_names")
_invalid("names-string", ("dimension_names",), "yx")
_invalid("names-number", ("dimension_names",), ["y", 3], path="/dimension_names/1")
_invalid("attributes-list", ("attributes",), [1, 2])
_invalid("storage-transformers-object", ("storage_transformers",), {"name": "x"})
_invalid("key-encoding-number", ("chunk_key_encoding",), 7)
_invalid("key-encoding-separator", ("chunk_key_encoding", "configuration", "separator"), "-")


def _unknown(name: str, about: str, keys: tuple[Any, ...], to: Any, *mentions: str) -> None:
    metadata(CASES, name, about, UNSUPPORTED, setting(*keys, to=to), *mentions)


_unknown("data-type-unknown", "An unknown data type.", ("data_type",), "x-posit24", "x-posit24")
_unknown(
    "data-type-unknown-object",
    "An unknown data type as an object.",
    ("data_type",),
    {"name": "x-posit24", "configuration": {"bits": 24}},
    "x-posit24",
)
_unknown(
    "data-type-optional",
    "No data type may claim that it need not be understood.",
    ("data_type",),
    {"name": "x-posit24", "must_understand": False},
    "x-posit24",
)
_unknown(
    "key-encoding-unknown",
    "An unknown chunk key encoding.",
    ("chunk_key_encoding",),
    {"name": "x-hilbert", "configuration": {}},
    "x-hilbert",
)
_unknown(
    "storage-transformers",
    "A storage transformer.",
    ("storage_transformers",),
    [{"name": "x-manifest", "configuration": {}}],
    "x-manifest",
)

for _name, _value in {
    "number": 5,
    "object": {"a": 1},
    "must": {"must_understand": True},
    "not-quite": {"must_understand": "false"},
}.items():
    _unknown(
        f"unknown-field-{_name}", f"An unknown field that must be understood: {_value!r}.", ("x_crs",), _value, "x_crs"
    )
