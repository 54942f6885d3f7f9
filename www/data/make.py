"""Makes the page's embedded data: a year of daily clear-sky solar energy, in chunks of unequal length, and what it was made of.

    python -m venv .venv && .venv/bin/pip install -r requirements.txt
    .venv/bin/python make.py            # writes ../public/data, within a minute

Inputs are two public climatologies that ship inside pvlib: the Linke turbidity of the air (how hazy,
by month) and terrain altitude. The sun's place comes from pvlib's analytical geometry and the
irradiance under a cloudless sky from the Ineichen-Perez model, summed over each true solar day.

The time axis is stored in twelve chunks, one a calendar month (31, 29, 31, ... days); the latitude axis
in five, cut near the polar circles and the tropics (24, 42, 48, 42, 24 rows of 1 degree).

Beside it the groups inputs/ (the two climatologies, and where land is), sun/ (curves, and a single value) and
hours/ (the middle day of each month by the hour, on a coarse grid, in shards). All metadata are consolidated.
parts.py writes small parts of it as sources of other kinds, and small.py made-up ones.
"""

import calendar
import shutil
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pvlib
import zarr
from pvlib import atmosphere, clearsky, irradiance, solarposition
from zarr.codecs import BytesCodec, TransposeCodec, ZstdCodec

from parts import write_parts
from small import write_small

YEAR = 2024
DEGREES = 1
OUT = Path(__file__).resolve().parent.parent / "public" / "data" / f"clear-sky-{YEAR}.zarr"
PVLIB_DATA = Path(pvlib.__file__).parent / "data"

MONTHS = [calendar.monthrange(YEAR, month)[1] for month in range(1, 13)]
ZONES = [24, 42, 48, 42, 24]  # south polar, temperate, tropics, temperate, north polar
SCALE = 0.02  # kWh/m2 a step: 0.8 W/m2 as a daily mean, far below the model's own error
HALF_DAY_STEPS = 48  # from noon to midnight, 15 minutes each, at their middles
SEASONS = [2, 3, 3, 3, 1]  # months up to the end of winter, spring, summer, autumn and the year
COARSE = 5  # degrees of the cells of hours/
NO_LAND = -9999

PROVENANCE = {
    "source": "Modelled with pvlib-python 0.16.1: Ineichen-Perez clear-sky model on the monthly Linke turbidity "
              "climatology and the altitude grid that pvlib ships, averaged to 1 degree; south of 85 S, where that "
              "grid ends, altitude is that of its last row.",
    "references": "Anderson et al. (2023), pvlib python, JOSS 8(92), 5994, doi:10.21105/joss.05994; "
                  "Remund et al. (2003), Worldwide Linke Turbidity Information, ISES Solar World Congress; "
                  "Ineichen and Perez (2002), Solar Energy 73, 151-157.",
    "license": "Inputs: pvlib-python, BSD-3-Clause, copyright 2023 pvlib python Contributors, 2014 PVLIB "
               "python Development Team, 2013 Sandia National Laboratories. "
               "Terrain: open data sources aggregated by Mapzen, attributed at "
               "https://github.com/tilezen/joerd/blob/master/docs/attribution.md. This array: MIT OR Apache-2.0.",
}


def block_mean(grid):
    """5-minute grid (2160 x 4320, north first) to the page's cells, south first."""
    n = DEGREES * 12
    rows, cols = grid.shape[0] // n, grid.shape[1] // n
    return grid.reshape(rows, n, cols, n, *grid.shape[2:]).mean(axis=(1, 3))[::-1]


def inputs():
    with h5py.File(PVLIB_DATA / "LinkeTurbidities.h5") as f:
        turbidity = block_mean(f["LinkeTurbidity"][()].astype("float32") / 20)  # stored as 20 x TL
    with h5py.File(PVLIB_DATA / "Altitude.h5") as f:
        steps = f["Altitude"][()].astype("float32")  # 28 m each from -450 m; 255 says no data: the sea
        metres = np.where(steps == 255, 0, steps * 28 - 450)
        # The grid ends near 85 degrees. North of that is sea, but south of it the ice sheet goes on.
        last = np.flatnonzero((steps != 255).any(axis=1))[-1]
        metres[last + 1:] = metres[last]
        altitude = block_mean(metres)
        land = block_mean((steps != 255).astype("float32")) >= 0.5
        land[:DEGREES * 5] = True
    return turbidity, altitude, land


def turbidity_of(day, monthly):
    """The month's values stand at the middle of each month, and days between are interpolated."""
    ends = np.cumsum(MONTHS)
    middles = ends - np.array(MONTHS) / 2
    middles = np.concatenate([[-31 / 2], middles, [ends[-1] + 31 / 2]])
    at = np.searchsorted(middles, day + 0.5) - 1
    weight = (day + 0.5 - middles[at]) / (middles[at + 1] - middles[at])
    before, after = (at - 1) % 12, at % 12
    return (1 - weight) * monthly[..., before] + weight * monthly[..., after]


def irradiances(date, lat, monthly, altitude, hours):
    """W/m2 on a horizontal surface at `hours` of true solar time, one map after the other."""
    declination = solarposition.declination_spencer71(date.day_of_year)
    extra = irradiance.get_extra_radiation(date.day_of_year)
    zenith = np.degrees(solarposition.solar_zenith_analytical(np.radians(lat)[:, None], (hours / 12 - 1) * np.pi, declination))
    pressure = atmosphere.alt2pres(altitude)
    turbidity = turbidity_of(date.day_of_year - 1, monthly)
    for step in range(len(hours)):
        ghi = np.zeros(altitude.shape)
        up = zenith[:, step] < 90
        if up.any():
            z = zenith[up, step][:, None]
            mass = atmosphere.get_absolute_airmass(atmosphere.get_relative_airmass(z), pressure[up])
            sky = clearsky.ineichen(z, mass, turbidity[up], altitude[up], dni_extra=extra)
            ghi[up] = np.nan_to_num(sky["ghi"])
        yield ghi


def energy(date, lat, monthly, altitude):
    """kWh/m2 on a horizontal surface over one true solar day: twice its afternoon."""
    hours = 12 + (np.arange(HALF_DAY_STEPS) + 0.5) / HALF_DAY_STEPS * 12
    return 2 * sum(irradiances(date, lat, monthly, altitude, hours)) * (12 / HALF_DAY_STEPS) / 1000


def write(days, lat, lon, ghi):
    shutil.rmtree(OUT, ignore_errors=True)
    zarr.config.set({"array.rectilinear_chunks": True})
    group = zarr.create_group(OUT, zarr_format=3, attributes={
        "title": f"Daily clear-sky solar energy, {YEAR}", "Conventions": "CF-1.11", **PROVENANCE,
    })
    packed = np.round(ghi / SCALE).astype("int16")
    array = group.create_array(
        "ghi", shape=packed.shape, dtype="int16", chunks=[MONTHS, ZONES, len(lon)], fill_value=0,
        dimension_names=["time", "lat", "lon"],
        # Time varies fastest inside a chunk: neighbouring days are nearly alike, which helps zstd.
        filters=[TransposeCodec(order=(1, 2, 0))], serializer=BytesCodec(endian="little"),
        compressors=[ZstdCodec(level=19)], config={"write_empty_chunks": True},
        attributes={
            "long_name": "Clear-sky solar energy on a horizontal surface",
            "units": "kWh m-2 d-1", "scale_factor": SCALE, "add_offset": 0.0,
            "valid_range": [0, round(12 / SCALE)], "cell_methods": "time: sum over the true solar day",
            "comment": "What the sun would give under a cloudless sky.", **PROVENANCE,
        })
    array[:] = packed
    for name, values, attributes in [
        ("time", days.astype("int32"), {"units": f"days since {YEAR}-01-01", "calendar": "standard", "standard_name": "time"}),
        ("lat", lat.astype("float32"), {"units": "degrees_north", "standard_name": "latitude"}),
        ("lon", lon.astype("float32"), {"units": "degrees_east", "standard_name": "longitude"}),
    ]:
        group.create_array(name, data=values, chunks=values.shape, dimension_names=[name],
                           compressors=[ZstdCodec(level=19)], attributes=attributes)
    return group, array


def put(group, name, values, dimensions, attributes, **options):
    """One more array, compressed hard."""
    options = {"chunks": values.shape, "fill_value": 0, **options}
    if values.ndim == 0:
        options.pop("chunks")
    array = group.create_array(name, shape=values.shape, dtype=values.dtype, dimension_names=dimensions,
                               compressors=[ZstdCodec(level=19)], attributes=attributes, **options)
    array[...] = values


def write_inputs(group, monthly, altitude, land):
    """Months by name, chunks a season; a sea whose chunks are not stored."""
    inputs = group.create_group("inputs", attributes={"title": "What the energy was modelled from"})
    months = np.array(calendar.month_name[1:], dtype=np.dtypes.StringDType())
    put(inputs, "month", months, ["month"], {"long_name": "Month"}, fill_value="")
    put(inputs, "turbidity", np.round(np.moveaxis(monthly, -1, 0) * 20).astype("uint8"), ["month", "lat", "lon"],
        {"long_name": "Linke turbidity of the air", "units": "1", "scale_factor": 0.05, **PROVENANCE},
        chunks=[SEASONS, [180 // DEGREES], [360 // DEGREES]])
    put(inputs, "altitude", np.where(land, np.round(altitude), NO_LAND).astype("int16"), ["lat", "lon"],
        {"long_name": "Altitude of land", "units": "m", "_FillValue": NO_LAND, **PROVENANCE}, chunks=(30, 30), fill_value=NO_LAND)
    put(inputs, "land", land, ["lat", "lon"], {"long_name": "Half or more of the cell is land", **PROVENANCE}, chunks=(90, 120), fill_value=False)


def write_sun(group, dates):
    """Curves over the year, and the solar constant."""
    sun = group.create_group("sun", attributes={"title": "The sun's place"})
    days = dates.day_of_year.to_numpy()
    put(sun, "declination", np.degrees(solarposition.declination_spencer71(days)).astype("float32"), ["time"],
        {"long_name": "Declination of the sun", "units": "degree"}, chunks=[MONTHS])
    put(sun, "equation_of_time", solarposition.equation_of_time_spencer71(days).astype("float32"), ["time"],
        {"long_name": "Equation of time", "units": "min"}, chunks=[MONTHS])
    put(sun, "solar_constant", np.array(1366.1), [], {"long_name": "Solar constant", "units": "W m-2"})


def write_hours(group, monthly, altitude):
    """Four axes, in shards of a month with an inner chunk for a quarter of the day."""
    hours = group.create_group("hours", attributes={"title": "The middle day of each month, by the hour"})
    n = COARSE // DEGREES
    coarse = lambda grid: grid.reshape(180 // COARSE, n, 360 // COARSE, n, *grid.shape[2:]).mean(axis=(1, 3))
    lat = -90 + COARSE * (np.arange(180 // COARSE) + 0.5)
    lon = -180 + COARSE * (np.arange(360 // COARSE) + 0.5)
    at = np.arange(24) + 0.5
    middles = [pd.Timestamp(YEAR, month, 15) for month in range(1, 13)]
    maps = np.array([list(irradiances(date, lat, coarse(monthly), coarse(altitude), at)) for date in middles])
    put(hours, "ghi", np.round(maps).astype("int16"), ["time", "hour", "lat", "lon"],
        {"long_name": "Clear-sky irradiance on a horizontal surface", "units": "W m-2", "valid_range": [0, 1200], **PROVENANCE},
        shards=(1, 24, *lat.shape, *lon.shape), chunks=(1, 6, *lat.shape, *lon.shape))
    for name, values, attributes in [
        ("time", np.array([date.day_of_year - 1 for date in middles], "int32"), {"units": f"days since {YEAR}-01-01", "standard_name": "time"}),
        ("hour", at.astype("float32"), {"long_name": "True solar time", "units": "h"}),
        ("lat", lat.astype("float32"), {"units": "degrees_north", "standard_name": "latitude"}),
        ("lon", lon.astype("float32"), {"units": "degrees_east", "standard_name": "longitude"}),
    ]:
        put(hours, name, values, [name], attributes)


def main():
    monthly, altitude, land = inputs()
    rows, cols = altitude.shape
    lat = -90 + DEGREES * (np.arange(rows) + 0.5)
    lon = -180 + DEGREES * (np.arange(cols) + 0.5)
    dates = pd.date_range(f"{YEAR}-01-01", f"{YEAR}-12-31")
    ghi = np.stack([energy(date, lat, monthly, altitude) for date in dates])
    group, array = write(np.arange(len(dates)), lat, lon, ghi)
    write_inputs(group, monthly, altitude, land)
    write_sun(group, dates)
    write_hours(group, monthly, altitude)
    zarr.consolidate_metadata(OUT)
    write_parts(OUT)
    write_small()
    size = sum(f.stat().st_size for f in OUT.rglob("*") if f.is_file())
    print(f"{array.shape} in chunks {array.write_chunk_sizes}: {ghi.min():.2f} to {ghi.max():.2f} kWh/m2, {size:,} bytes")


if __name__ == "__main__":
    main()
