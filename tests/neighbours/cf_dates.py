"""Write reference dates of time units in many spellings, and the times that xarray reads in them.

    python tests/neighbours/cf_dates.py /tmp/sets/cf/dates.json

Each row has the attribute `units`, the time of 0 in the standard calendar and that in noleap, or null where xarray refuses
the units. xarray drops what it does not understand of some, such as zones by name; tests/native/times.rs says where this package
refuses them instead.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import xarray as xr

DATES = """\
20000101|2000/01/01|2000.01.01|1 January 2000|January 1 2000|January 1, 2000|Jan 1 2000|1-Jan-2000|01-JAN-1900|01 JAN 1900
12/31/1999|31/12/1999|1/2/1999|2000-1-1|2000-01|2000|1-1-1|0001-01-01|200001|2000001|2000-001|20000101T00|20000101T120000
20000101 12:00|20000101 120000|2000/1/1 6:5:4|2000-01-01T|2000-01-01 T12|2000-01-01 12|2000-01-01 12h|2000-01-01 12:30
2000-01-01 12:30:15|2000-01-01 12:30:15.5|2000-01-01 12:30:60|2000-01-01 24:00:00|2000-01-01 12:30 PM|2000-01-01 1pm|12:00
today|now|yesterday|Monday 3 January 2000|00-01-01|99-12-31|1999-12-31 x|1999-12-31 00:00:00 foo|2000-01-01 00:00:00 since
1999-12-31, 12:00|2000_01_01|2000-Jan-01|2000 January 1|2000 01 01|2000-01-01-06|Sept 1 2000|1st January 2000|2000-W01-1
2000-01-01 00:00:00.0.0|+2000-01-01|-2000-01-01|-0001-03-01|19900101.5|1 janvier 2000|1 Jan 99|2000-01-01 00:00:00 -
2000-13-01|2000-02-30|30-02-2000|01-02-2000|13-02-2000|2000-1-1 0:0:0|1582-10-10|1500-01-01|January 2000|Jan-2000
2000-01-01 00:00:0.0|2000-01-01 0|2000-01-01 00:00:|1900-1-1 00:00:0.0|1601-01-01|0000-01-01|0-1-1|2000-01-01 00h00
10000-01-01|2000-01-01 12.5|2000-01-01T12:30:15,5|2000-01-01 1230|1999/12/31 23:59:59.25|31-DEC-1999 06:30|Dec 31, 1999 6:30
1/Jan/2000|2000/Jan/1|15 may 2001|3rd of March 2000|2000-1|2000/1|2/30/2000|31/31/2000|Jan 32 2000|2000-01-01T12:30Z"""
ZONES = """\
Z|z|UTC| UTC| utc| GMT| 0:00| 00:00| 0:0| +0:00|+0:00| +00:00| +00| +0| -6:00| -06:00|-06:00| -6| +0530| +05:30| 5:30| 05:30
 -0:30| +1:2| EST| CET| America/New_York| UTC+1| GMT+1| +00:00:00| 0| 00| +| Z+1| (UTC)| +25:00| +14:00| local| 000| +000
 Universal| Zulu| +12345| A| -00:00|+00:00 UTC| UTC Z| .0| 0.0| +5:"""
CLOCKS = ("2000-01-01 00:00:00", "2000-01-01 12:30:15.5", "2000-01-01", "2000-01-01 06:00")


def split(lines: str) -> list[str]:
    return [part for line in lines.split("\n") for part in line.split("|")]


def time(units: str, calendar: str) -> str | None:
    attributes = {"units": units, "calendar": calendar}
    try:
        found = xr.decode_cf(xr.Dataset({"t": ("t", np.array([0]), attributes)}))["t"].values[0]
    except ValueError:
        return None
    if isinstance(found, np.integer):
        return None
    return str(found.astype("datetime64[ms]")) if isinstance(found, np.datetime64) else found.isoformat(timespec="milliseconds")


def main() -> None:
    warnings.simplefilter("ignore")
    texts = [f"days since {date}" for date in split(DATES)]
    texts += [f"seconds since {clock}{zone}" for clock in CLOCKS for zone in split(ZONES)]
    texts += ["days  since  2000-01-01", "days since2000-01-01", "days since", "days as 2000-01-01", "days\tsince\t2000-01-01"]
    rows = [json.dumps([text, time(text, "standard"), time(text, "noleap")]) for text in texts]
    Path(sys.argv[1]).write_text("[\n  " + ",\n  ".join(rows) + "\n]\n")


if __name__ == "__main__":
    main()
