"""Writes signatures.json: requests that botocore signs for S3, in the query and in headers.

python tests/neighbours/access_sets.py tests/browser/access   (with botocore 1.44)
"""

import datetime
import json
import sys
from pathlib import Path
from unittest import mock
from urllib.parse import quote

import botocore.auth
import botocore.compat
from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

KEYS = ["zarr.json", "c/0/0", "a b+c", "ü/c/0", "pct%2Fx", "tilde~!'()*", "c:@&=,;$", "double//slash", "日本/0.0", "100%", "a#b?c", ".zarray"]
HOSTS = [
    ("https://bucket.s3.eu-central-1.amazonaws.com/", "eu-central-1"),
    ("https://s3.us-west-2.amazonaws.com/dotted.bucket/", "us-west-2"),
    ("http://127.0.0.1:9000/private/", "auto"),
]
CREDENTIALS = [
    ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", None),
    ("ASIAEXAMPLE", "secret+with/letters==", "FwoGZXIvYXdzE//token+of/STS=="),
]
TIME = datetime.datetime(2026, 11, 27, 9, 41, 7, tzinfo=datetime.timezone.utc)


def signed(auth, method, url, headers):
    request = AWSRequest(method=method, url=url, headers=headers)
    with mock.patch("botocore.auth.get_current_datetime", return_value=TIME):
        auth.add_auth(request)
    return request


def main(folder):
    cases = []
    for root, region in HOSTS:
        for access, secret, token in CREDENTIALS:
            for key in KEYS:
                for method in ["GET", "HEAD"]:
                    credentials = Credentials(access, secret, token)
                    # botocore signs a path as it is written, and hosts sign it as it is encoded here.
                    url = root + quote(key, safe="/-_.~")
                    query = signed(S3SigV4QueryAuth(credentials, "s3", region, expires=3600), method, url, {})
                    header = signed(S3SigV4Auth(credentials, "s3", region), method, url, {})
                    cases.append({
                        "method": method, "url": url, "region": region, "accessKeyId": access, "secretAccessKey": secret, "sessionToken": token,
                        "query": query.url.split("X-Amz-Signature=")[1], "authorization": header.headers["Authorization"], "payload": header.headers["X-Amz-Content-SHA256"],
                    })
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    (path / "signatures.json").write_text(json.dumps({"time": "20261127T094107Z", "cases": cases}, ensure_ascii=False, indent=0) + "\n")
    print(len(cases), "requests")


main(sys.argv[1])
