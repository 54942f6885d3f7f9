"""Stands in for the AWS command line: `s3 sync` and `s3 cp` into a folder, with the headers that S3 would store.

    BUCKETS=FOLDER aws s3 sync DIRECTORY s3://BUCKET/PREFIX [--exclude PATTERN]…
    BUCKETS=FOLDER aws s3 cp FILE s3://BUCKET/KEY [--content-type TYPE] [--content-encoding ENCODING]

Objects are FOLDER/BUCKET/KEY, and their headers FOLDER/BUCKET/KEY.headers. As in the AWS command line, types come from
Python's mimetypes, and patterns are those of fnmatch, for paths below the directory.
"""

import argparse
import fnmatch
import json
import mimetypes
import os
import shutil
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("service", choices=["s3"])
parser.add_argument("command", choices=["sync", "cp"])
parser.add_argument("source", type=Path)
parser.add_argument("target")
parser.add_argument("--exclude", action="append", default=[])
parser.add_argument("--content-type")
parser.add_argument("--content-encoding")
given = parser.parse_args()

scheme, _, place = given.target.partition("://")
if scheme != "s3":
    parser.error(f"{given.target} is no address of a bucket")
root = Path(os.environ["BUCKETS"]) / place


def put(file: Path, key: Path) -> None:
    guessed = mimetypes.guess_type(file.name, strict=False)[0]
    headers = {"Content-Type": given.content_type or guessed or "binary/octet-stream", "Content-Encoding": given.content_encoding}
    key.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, key)
    key.with_name(key.name + ".headers").write_text(json.dumps({name: value for name, value in headers.items() if value}))


if given.command == "cp":
    put(given.source, root)
else:
    for file in given.source.rglob("*"):
        path = file.relative_to(given.source)
        if file.is_file() and not any(fnmatch.fnmatch(str(path), pattern) for pattern in given.exclude):
            put(file, root / path)
