//! Loops: a ring taken apart where it meets itself, so that each place it winds around counts once.
//!
//! Invariant: the loops of a ring do not cross themselves or each other, and the sum of their signed areas is the area
//! of all places that the ring winds around.

use super::crossings::{Meeting, Meetings, TooMany};
use super::features::wrong;
use super::sweep::{Sweep, Swept};
use crate::error::Result;

/// Vertices that a step sweeps over, and pairs of edges that one compares: some milliseconds each.
const SWEPT: usize = 1 << 13;
const COMPARED: usize = 1 << 17;

/// Most edges that are walked to find out which loops lie within others.
const MOST_STEPS: usize = 1 << 29;

/// A closed line that does not cross itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Loop {
    /// Vertices, the first of which also ends the line.
    pub(super) vertices: Vec<[f64; 2]>,
    /// Factor of the winding: with it, the area inside is added where it is positive, else subtracted.
    pub(super) sign: i32,
}

/// Twice the area inside a closed line, positive where it goes around counterclockwise.
pub(super) fn area(vertices: &[[f64; 2]]) -> f64 {
    let Some([x, y]) = vertices.first() else { return 0.0 };
    // From the first vertex, so that large coordinates leave digits for small areas.
    let pairs = vertices.windows(2);
    pairs.map(|pair| (pair[0][0] - x) * (pair[1][1] - y) - (pair[1][0] - x) * (pair[0][1] - y)).sum()
}

/// A ring that is being taken apart, in steps.
#[derive(Debug, Clone)]
pub(super) struct Splitting {
    feature: usize,
    ring: Vec<[f64; 2]>,
    stage: Stage,
}

#[derive(Debug, Clone)]
enum Stage {
    Swept(Sweep),
    MayMeet,
    Met(Meetings),
}

impl Splitting {
    pub(super) fn new(feature: usize, ring: Vec<[f64; 2]>) -> Self {
        let stage = Stage::Swept(Sweep::new(&ring));
        Self { feature, ring, stage }
    }

    /// Goes on for some milliseconds. At the end it gives loops whose areas, with their signs, are those that the ring
    /// winds around.
    ///
    /// # Errors
    /// [`crate::error::Error::Selection`] where the ring meets itself too often.
    pub(super) fn step(&mut self) -> Result<Option<Vec<Loop>>> {
        let Self { feature, ring, stage } = self;
        match stage {
            Stage::Swept(sweep) => match sweep.go_on(ring, SWEPT) {
                Swept::Partly => Ok(None),
                Swept::MayMeet => {
                    self.stage = Stage::MayMeet;
                    Ok(None)
                }
                Swept::Clear => {
                    let own = area(ring);
                    let sign = if own < 0.0 { -1 } else { 1 };
                    let vertices = std::mem::take(ring);
                    Ok(Some(if own == 0.0 { Vec::new() } else { vec![Loop { vertices, sign }] }))
                }
            },
            Stage::MayMeet => {
                self.stage = Stage::Met(Meetings::new(ring));
                Ok(None)
            }
            Stage::Met(meetings) => {
                let found = meetings.go_on(ring, COMPARED).map_err(|TooMany| {
                    wrong(
                        *feature,
                        "a ring crosses itself too often, or has too many long edges side by side: simplify it",
                    )
                })?;
                found.map(|found| loops(*feature, &with_meetings(std::mem::take(ring), found))).transpose()
            }
        }
    }
}

/// Loops of a ring that has a vertex wherever it meets itself.
fn loops(feature: usize, ring: &[[f64; 2]]) -> Result<Vec<Loop>> {
    let pieces = simple_pieces(ring);
    let areas: Vec<f64> = pieces.iter().map(|piece| area(piece)).collect();
    let mut steps = 0usize;
    let mut signs = Vec::with_capacity(pieces.len());
    for (nth, piece) in pieces.iter().enumerate() {
        let turn = if areas[nth] < 0.0 { -1 } else { 1 };
        let Some(place) = (pieces.len() > 1).then(|| place_inside(piece)).flatten() else {
            signs.push(turn);
            continue;
        };
        let mut around = 0;
        for (other, vertices) in pieces.iter().enumerate() {
            let is_larger = areas[other].abs() > areas[nth].abs()
                || areas[other].abs() == areas[nth].abs() && other < nth;
            if is_larger {
                steps += vertices.len();
                around += winding(vertices, place);
            }
        }
        if steps > MOST_STEPS {
            return Err(wrong(feature, "a ring crosses or touches itself in too many places: repair it"));
        }
        // What the loop adds to the places inside, as the winding becomes zero or stops being zero there.
        let change = i32::from(around + turn != 0) - i32::from(around != 0);
        signs.push(change * turn);
    }
    let loops = pieces.into_iter().zip(signs).map(|(vertices, sign)| Loop { vertices, sign });
    Ok(loops.filter(|own| own.sign != 0).collect())
}

/// The ring with a vertex wherever it meets itself.
fn with_meetings(ring: Vec<[f64; 2]>, mut found: Vec<Meeting>) -> Vec<[f64; 2]> {
    if found.is_empty() {
        return ring;
    }
    let part = |edge: usize, place: [f64; 2]| {
        let [x, y] = ring[edge];
        (place[0] - x).abs() + (place[1] - y).abs()
    };
    found.sort_by(|(edge, one), (other, next)| {
        edge.cmp(other).then(part(*edge, *one).total_cmp(&part(*other, *next)))
    });
    let mut next = found.into_iter().peekable();
    let mut whole: Vec<[f64; 2]> = Vec::with_capacity(ring.len());
    for (edge, vertex) in ring.iter().enumerate() {
        whole.push(*vertex);
        while let Some((_, place)) = next.next_if(|(of, _)| *of == edge) {
            if whole.last() != Some(&place) {
                whole.push(place);
            }
        }
    }
    whole
}

/// Takes a closed line apart at the vertices to which it comes back, into lines that do not cross themselves or each
/// other and go the same way as the whole. What has no area is left out.
fn simple_pieces(line: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
    let count = line.len();
    let key = |visit: usize| line[visit].map(f64::to_bits);
    let mut visits: Vec<usize> = (0..count).collect();
    visits.sort_unstable_by_key(|visit| (key(*visit), *visit));
    // The visit by whose edge a line leaves, for the visit by whose edge it came.
    let mut leaves_by: Vec<usize> = (0..count).collect();
    for several in visits.chunk_by(|one, next| key(*one) == key(*next)).filter(|same| same.len() > 1) {
        for (came, left) in without_crossing(line, several) {
            leaves_by[came] = left;
        }
    }
    let mut is_done = vec![false; count];
    let mut pieces = Vec::new();
    for first in 0..count {
        let mut piece = Vec::new();
        let mut visit = first;
        while !std::mem::replace(&mut is_done[visit], true) {
            piece.push(line[visit]);
            visit = leaves_by[(visit + 1) % count];
        }
        if piece.len() > 2 && area(&piece) != 0.0 {
            pieces.push(piece);
        }
    }
    pieces
}

/// Pairs of an edge that comes to a vertex and one that leaves it, each by its visit, such that no pair crosses another.
fn without_crossing(line: &[[f64; 2]], visits: &[usize]) -> Vec<(usize, usize)> {
    let [x, y] = line[visits[0]];
    let angle = |other: usize| (line[other][1] - y).atan2(line[other][0] - x);
    let mut edges: Vec<(f64, bool, usize)> = Vec::with_capacity(2 * visits.len());
    for &visit in visits {
        edges.push((angle((visit + line.len() - 1) % line.len()), false, visit));
        edges.push((angle((visit + 1) % line.len()), true, visit));
    }
    edges.sort_by(|one, next| one.0.total_cmp(&next.0).then(one.1.cmp(&next.1)));
    // As brackets: neighbours of two kinds are a pair, and then those around them.
    let (mut open, mut pairs): (Vec<(bool, usize)>, _) = (Vec::new(), Vec::with_capacity(visits.len()));
    for (_, leaves, visit) in edges {
        match open.pop_if(|(other, _)| *other != leaves) {
            Some((true, left)) => pairs.push((visit, left)),
            Some((false, came)) => pairs.push((came, visit)),
            None => open.push((leaves, visit)),
        }
    }
    pairs
}

/// How often a closed line goes around a place, counterclockwise.
pub(super) fn winding(line: &[[f64; 2]], [x, y]: [f64; 2]) -> i32 {
    let edges = line.iter().zip(line.iter().cycle().skip(1));
    let crossed = edges.map(|(&[ax, ay], &[bx, by])| {
        if (ay <= y) == (by <= y) {
            return 0;
        }
        let is_right = ax + (y - ay) / (by - ay) * (bx - ax) > x;
        if !is_right {
            0
        } else if by > ay {
            1
        } else {
            -1
        }
    });
    crossed.sum()
}

/// A place inside a loop, away from its line.
fn place_inside(line: &[[f64; 2]]) -> Option<[f64; 2]> {
    let mut heights: Vec<f64> = line.iter().map(|[_, y]| *y).collect();
    heights.sort_unstable_by(f64::total_cmp);
    heights.dedup();
    let gap = |pair: &[f64]| pair[1] - pair[0];
    let widest = heights.windows(2).max_by(|one, next| gap(one).total_cmp(&gap(next)))?;
    let y = widest[0] + (widest[1] - widest[0]) / 2.0;
    let edges = line.iter().zip(line.iter().cycle().skip(1));
    let crossed = edges.filter(|(a, b)| (a[1] <= y) != (b[1] <= y));
    let mut xs: Vec<f64> = crossed.map(|(a, b)| a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])).collect();
    xs.sort_unstable_by(f64::total_cmp);
    // Between the first and the second crossing, the third and the fourth, a simple line has its inside.
    let (pairs, _) = xs.as_chunks::<2>();
    let [west, east] = pairs.iter().max_by(|one, next| gap(*one).total_cmp(&gap(*next)))?;
    Some([west + (east - west) / 2.0, y])
}
