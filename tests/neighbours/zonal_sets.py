"""Write FILE: shares of cells in polygons, and statistics of zones, by shapely and exactextract.

    python tests/neighbours/zonal_sets.py FILE

Two runs give the same bytes.

`shares` holds grids with their edges, polygons, and the share of each cell by intersecting boxes (shapely; rings that
cross themselves by the faces that they wind around). `quads` does so for cells with four corners, and `healpix` by
the middles of the cells inside of each (healpix-geo). `statistics` holds
what exactextract gives on square cells, whose shares it rounds to float32. It takes equal values for
one value in quantiles (the median of 2, 2, 2, 5 is 3.5), so that these are there for different values only.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
import shapely
from exactextract import exact_extract
from exactextract.raster import NumPyRasterSource
from healpix_geo import nested
from shapely import node
from shapely.geometry import LineString, MultiPolygon, Polygon, box
from shapely.ops import polygonize, unary_union

rng = np.random.default_rng(40)


def star(x, y, low, high, corners):
    """A polygon that does not cross itself, with corners at random distances from a centre."""
    angles = np.sort(rng.uniform(0, 2 * math.pi, corners))
    return [[float(x + r * math.cos(a)), float(y + r * math.sin(a))] for a, r in zip(angles, rng.uniform(low, high, corners), strict=True)]


def scribble(corners, size):
    """A ring of random corners, which crosses itself."""
    return rng.uniform(0, size, (corners, 2)).tolist()


def winding(ring, x, y):
    total = 0
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        if (ay <= y) != (by <= y) and ax + (y - ay) / (by - ay) * (bx - ax) > x:
            total += 1 if by > ay else -1
    return total


def wound(ring):
    """All places that a ring winds around."""
    faces = polygonize(node(LineString([*ring, ring[0]])))
    return unary_union([face for face in faces if winding(ring, *face.representative_point().coords[0])])


def region(polygon):
    """A polygon of one ring that may cross itself, or of rings that do not."""
    return wound(polygon[0]) if len(polygon) == 1 else Polygon(polygon[0], polygon[1:])


def cells(shape, quads):
    return [[number, float(share)] for number, quad in enumerate(quads) if (share := shape.intersection(quad).area / quad.area) > 1e-12]


def shares(name, rows, columns, multi):
    quads = [box(columns[c], rows[r], columns[c + 1], rows[r + 1]) for r in range(len(rows) - 1) for c in range(len(columns) - 1)]
    total = {}
    for polygon in multi:
        for number, share in cells(region(polygon), quads):
            total[number] = total.get(number, 0) + share
    return {"name": name, "rows": list(map(float, rows)), "columns": list(map(float, columns)), "polygons": multi, "shares": sorted(map(list, total.items()))}


def irregular(count, size):
    inner = np.sort(rng.uniform(0, size, count - 1))
    return [0.0, *map(float, inner), float(size)]


def hole_in(x, y, clockwise):
    ring = star(x, y, 0.5, 1, 7)
    return ring[::-1] if clockwise else ring


found = []
square = [[0.5, 0.5], [1.5, 0.5], [1.5, 1.5], [0.5, 1.5]]
whole = list(range(5))
found.append(shares("square", whole[::-1], whole, [[square]]))
found.append(shares("triangle", whole, whole, [[[[0.25, 0.25], [3.25, 0.75], [1.5, 3.5]]]]))
found.append(shares("overlapping parts", whole, whole, [[square], [[[1, 1], [2, 1], [2, 2], [1, 2]]]]))
found.append(shares("bow tie", whole, whole, [[[[0, 0], [4, 4], [4, 0], [0, 4]]]]))
found.append(shares("bow tie in one cell", whole, whole, [[[[1.1, 1.1], [1.9, 1.9], [1.9, 1.1], [1.1, 1.9]]]]))
found.append(shares("bow tie with a vertex where it crosses", whole, whole, [[[[0, 0], [2, 2], [4, 4], [4, 0], [2, 2], [0, 4]]]]))
points = [[2 + 1.9 * math.cos(math.pi * (0.5 + 0.8 * i)), 2 + 1.9 * math.sin(math.pi * (0.5 + 0.8 * i))] for i in range(5)]
found.append(shares("pentagram", whole, whole, [[points]]))
keyhole = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0], [1, 1], [1, 3], [3, 3], [3, 1], [1, 1]]
found.append({**shares("keyhole", whole, whole, [[[[0, 0], [4, 0], [4, 4], [0, 4]], [[1, 1], [3, 1], [3, 3], [1, 3]]]]), "polygons": [[keyhole]]})
found.append(shares("beyond the grid", whole, whole, [[[[-3, -2], [7, 1], [2, 9]]]]))
found.append(shares("along edges", whole, whole, [[[[1, 1], [3, 1], [3, 2], [2, 2], [2, 3], [1, 3]]]]))
for nth in range(24):
    rows, columns = irregular(int(rng.integers(1, 9)), 10), irregular(int(rng.integers(1, 12)), 12)
    if nth % 3 == 1:
        rows.reverse()
    if nth % 4 == 1:
        columns.reverse()
    multi = []
    for _ in range(1 + nth % 2):
        x, y = rng.uniform(1, 11), rng.uniform(1, 9)
        holes = [] if nth % 3 == 0 else [hole_in(x, y, nth % 2)]
        multi.append([star(x, y, 1.5, 6, int(rng.integers(5, 40))), *holes])
        if holes and not Polygon(multi[-1][0]).contains(Polygon(holes[0])):
            multi[-1].pop()
    found.append(shares(f"stars {nth}", rows, columns, multi))
for nth in range(8):
    found.append(shares(f"scribble {nth}", irregular(5, 10), irregular(5, 10), [[scribble(4 + nth, 10)]]))

curved = []
for nth in range(4):
    rows, columns = 5, 6
    u, v = np.meshgrid(np.linspace(0, 12, columns + 1), np.linspace(0, 10, rows + 1))
    x, y = u + 0.8 * np.sin(v / 2 + nth), v + 0.8 * np.cos(u / 2)
    corner = [[[[float(x[a, b]), float(y[a, b])] for a, b in ((r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c))] for c in range(columns)] for r in range(rows)]
    flat = [quad[::-1] if nth % 2 else quad for row in corner for quad in row]
    polygon = [star(6, 5, 2, 6, 9 + 6 * nth)]
    curved.append({"width": columns, "corners": flat, "polygons": [polygon], "shares": cells(region(polygon), [Polygon(quad) for quad in flat])})

LEVEL, BELOW = 4, 3
lon, lat = nested.healpix_to_lonlat(np.arange(12 * 4 ** (LEVEL + BELOW), dtype="uint64"), LEVEL + BELOW, "sphere")
healpix = []
for x, y, corners in ((20, 10, 9), (178, -35, 12), (300, 62, 7), (0, 0, 15)):
    polygon = [star(x, y, 4, 24, corners)]
    inside = sum(shapely.contains_xy(Polygon(polygon[0]), lon + turn, lat) for turn in (-360, 0, 360))
    counted = inside.reshape(-1, 4**BELOW).sum(axis=1)
    healpix.append({"level": LEVEL, "below": BELOW, "polygons": [polygon], "shares": [[int(cell), float(counted[cell]) / 4**BELOW] for cell in np.flatnonzero(counted)]})

NAMES = {"count": "count", "sum": "sum", "mean": "mean", "variance": "var", "stdev": "std", "min": "min", "max": "max", "mode": "mode", "minority": "minority", "variety": "variety", "median": "median", "quantile(q=0.25)": "q0.25", "quantile(q=0.9)": "q0.9"}
statistics = []
for nth in range(6):
    values = np.round(rng.normal(5, 3, (7, 9)), 6) if nth % 2 else rng.integers(0, 6, (7, 9)).astype(float)
    if nth > 1:
        values[rng.random((7, 9)) < 0.2] = np.nan
    source = NumPyRasterSource(values, 0, 0, 9, 7)
    polygons = [[star(4.5, 3.5, 1, 5, 12)], [star(2, 2, 0.2, 1, 5)]]
    features = [{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [[*ring, ring[0]] for ring in polygon]}} for polygon in polygons]
    answers = exact_extract(source, features, list(NAMES), output="geojson")
    columns = {}
    for operation, name in NAMES.items():
        key = {"quantile(q=0.25)": "quantile_25", "quantile(q=0.9)": "quantile_90"}.get(operation, operation)
        if name.startswith(("q", "median")) and nth % 2 == 0:
            continue
        columns[name] = [float(answer["properties"][key]) for answer in answers]
    statistics.append({"values": [[None if math.isnan(v) else v for v in row] for row in values.tolist()], "features": polygons, "columns": columns})

lists = {"shares": found, "quads": curved, "healpix": healpix, "statistics": statistics}
body = ",\n".join(f'"{key}": [\n' + ",\n".join(json.dumps(item, allow_nan=False) for item in items) + "\n]" for key, items in lists.items())
Path(sys.argv[1]).write_text("{\n" + body + "\n}\n")
