"""A zarr.json that is no array metadata at all."""

import json

from broken.base import INVALID, Broken, Document, metadata, setting

CASES: list[Broken] = []

HTML = b"<!doctype html>\n<html><head><title>Sign in</title></head><body>Please sign in.</body></html>\n"


def _text(name: str, about: str, data: bytes, *mentions: str) -> None:
    metadata(CASES, name, about, INVALID, lambda _: data, "zarr.json", *mentions)


_text("json-html", "A sign-in page in place of zarr.json, with status 200.", HTML, "HTML")
_text("json-empty", "An empty zarr.json.", b"")
_text("json-not-utf8", "A zarr.json that is not UTF-8.", b'{"zarr_format": 3, "node_type": "\xff\xfe"}')
_text("json-nested", "A hundred thousand open brackets, to overflow a recursive parser.", b"[" * 100_000)
_text("json-array", "A JSON array in place of an object.", b"[1, 2, 3]\n")
_text("json-null", "null in place of an object.", b"null\n")


def _cut(document: Document) -> bytes:
    text = json.dumps(document).encode()
    return text[: len(text) // 2]


metadata(CASES, "json-truncated", "A zarr.json cut in half.", INVALID, _cut, "zarr.json")


def _trailing(document: Document) -> bytes:
    return json.dumps(document).encode() + b"}"


metadata(CASES, "json-trailing", "A brace too many.", INVALID, _trailing, "zarr.json")


def _format(name: str, value: object) -> None:
    about = f"zarr_format is {value!r}."
    metadata(CASES, name, about, INVALID, setting("zarr_format", to=value), path="/zarr_format")


_format("format-2", 2)
_format("format-4", 4)
_format("format-string", "3")

metadata(
    CASES,
    "node-type-group",
    "node_type is group.",
    INVALID,
    setting("node_type", to="group"),
    "group",
    path="/node_type",
)
metadata(
    CASES,
    "node-type-unknown",
    "node_type is table.",
    INVALID,
    setting("node_type", to="table"),
    "table",
    path="/node_type",
)


def _group(_: Document) -> Document:
    return {"zarr_format": 3, "node_type": "group", "attributes": {}}


metadata(CASES, "group", "The metadata of a group.", INVALID, _group, "group", path="/node_type")
