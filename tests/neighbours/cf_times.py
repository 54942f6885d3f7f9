"""Write times of every calendar and unit, and what cftime and numpy make of them.

    python tests/neighbours/cf_times.py /tmp/sets/cf/times.json

Each case has the attributes of a time coordinate, or the unit of a datetime64, values, and for each value the label of its
moment and the milliseconds since 1970 of it, or null: those of a calendar that people have lived by are of the moment
itself, those of a model's calendar of what is called the same in the Gregorian calendar.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import cftime
import numpy as np

REAL = ("standard", "gregorian", "proleptic_gregorian", "julian")
CALENDARS = (*REAL, "noleap", "365_day", "all_leap", "366_day", "360_day")
EPOCH = 2440588  # the Julian day number of 1970-01-01 of the Gregorian calendar
DAY_MS = 86_400_000

UNITS = (
    "days since 1850-01-01",
    "hours since 1900-01-01 00:00:00",
    "Minutes since 1582-10-04 23:50",
    "seconds since 1970-01-01T00:00:00Z",
    "milliseconds since 2000-02-28 12:30:15.250",
    "microseconds since 2000-02-28T06:30:15.25+01:30",
    "d since 1-1-1",
    "hrs since 2000-3-1 6:5:4 -06:00",
    "secs since +1999-12-31 23:59:59.5 UTC",
)
WHOLE = (0, 1, -1, 59, 60, 365, 366, 577_736, 577_737, 738_000, -12_345)
FRACTIONS = (0.5, 1 / 3, 59.25, 400.041666666666667, 45000.041666666664, -0.125, 12.0625)


def label(year: int, month: int, day: int, hour: int, minute: int, second: int, nanos: int) -> str:
    fraction = f".{nanos:09d}" if nanos else ""
    while fraction.endswith("000"):
        fraction = fraction[:-3]
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}{fraction}"


def moment(date: Any, calendar: str) -> tuple[str, float | None]:
    text = label(date.year, date.month, date.day, date.hour, date.minute, date.second, 1000 * date.microsecond)
    rest = (date.hour * 3600 + date.minute * 60 + date.second) * 1000 + date.microsecond / 1000
    if calendar in REAL:
        return text, (date.toordinal() - EPOCH) * DAY_MS + rest
    try:
        day = np.datetime64(text[:10], "D")
    except ValueError:
        return text, None
    return text, int(day.astype(int)) * DAY_MS + rest


def case(attributes: dict[str, str], values: tuple[float, ...]) -> dict[str, Any] | None:
    """Times that cftime makes of numbers, those aside that are of years before 1, which each calendar counts its own way."""
    calendar = attributes.get("calendar", "standard").lower()
    try:
        dates = [cftime.num2date(value, attributes["units"], calendar) for value in values]
    except (ValueError, OverflowError):
        return {"attributes": attributes, "refused": True}
    found = [(value, *moment(date, calendar)) for value, date in zip(values, dates, strict=True) if date.year > 0]
    kept, labels, millis = zip(*found, strict=True)
    return {"attributes": attributes, "values": kept, "labels": labels, "millis": millis}


def datetimes(unit: str, scale: int, values: tuple[int, ...]) -> dict[str, Any]:
    fine = "ns" if unit in ("ns", "ps", "fs", "as") else "us"
    moments = np.array(values, "i8").view(f"M8[{scale}{unit}]").astype(f"M8[{fine}]")
    early = moments.astype("M8[us]") < np.datetime64("0001-01-01", "us")
    values, moments = tuple(np.array(values)[~early]), moments[~early]
    labels: list[str | None] = []
    millis: list[float | None] = []
    for value in moments:
        if np.isnat(value):
            labels.append(None)
            millis.append(None)
            continue
        text = str(value)
        whole, _, fraction = text.partition(".")
        nanos = int(fraction.ljust(9, "0"))
        labels.append(label(*(int(part) for part in whole.replace("T", "-").replace(":", "-").split("-")), nanos))
        ms = value.astype(f"M8[{fine}]").astype(int)
        per = 10**6 if fine == "ns" else 10**3
        millis.append(ms // per + (ms % per) / per)
    return {"unit": unit, "scale": scale, "values": [str(int(v)) for v in values], "labels": labels, "millis": [m if m is None else float(m) for m in millis]}


def main() -> None:
    cases = []
    for calendar in CALENDARS:
        for units in UNITS:
            attributes = {"units": units, "calendar": calendar}
            cases.append(case(attributes, WHOLE))
            if units[0] not in "mM":
                cases.append(case(attributes, FRACTIONS))
    cases += [
        case({"units": "days since 2000-01-01"}, WHOLE),
        case({"units": "days since 2000-01-01", "calendar": "Gregorian"}, WHOLE),
        case({"units": "months since 2000-01-01", "calendar": "360_day"}, (0, 1, 1.5, 13)),
        case({"units": "common_years since 2000-01-01", "calendar": "noleap"}, (0, 1, 1.5, 13)),
    ]
    for attributes in (
        {"units": "months since 2000-01-01"},
        {"units": "months since 2000-01-01", "calendar": "noleap"},
        {"units": "years since 2000-01-01", "calendar": "360_day"},
        {"units": "common_years since 2000-01-01", "calendar": "360_day"},
        {"units": "fortnights since 2000-01-01"},
        {"units": "days since 2000-02-30"},
        {"units": "days since 2000-13-01"},
        {"units": "days since 2000-02-29", "calendar": "noleap"},
        {"units": "days since 1582-10-10"},
        {"units": "days since 2000-01-01 24:00:00"},
        {"units": "days since yesterday"},
        {"units": "days since 2000-01-01", "calendar": "none"},
    ):
        found = case(attributes, (0,))
        assert found and found.get("refused"), attributes
        cases.append(found)
    nat = -(2**63)
    many = (0, 1, -1, 59, 19_782, -719_162, 1_234_567, nat)
    for unit, scale in (("Y", 1), ("Y", 10), ("M", 1), ("M", 3), ("W", 1), ("D", 1), ("h", 1), ("h", 6), ("m", 1), ("s", 1), ("ms", 1), ("us", 1), ("ns", 1), ("ns", 100), ("ps", 1), ("fs", 1), ("as", 1)):
        values = tuple(v for v in many if v == nat or unit not in "YM" or abs(v) * scale < (900 if unit == "Y" else 20_000))
        cases.append(datetimes(unit, scale, values))
    cases.append(datetimes("ns", 1, (1_700_000_000_123_456_789, -1, nat)))
    out = Path(sys.argv[1])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("[\n" + ",\n".join(json.dumps(entry, allow_nan=False) for entry in cases) + "\n]\n")
    assert not any(math.isnan(m) for entry in cases for m in entry.get("millis", []) if m is not None)


if __name__ == "__main__":
    main()
