//! Quads: exact shares of cells with four corners each, as curvilinear grids have them.
//!
//! Cells lie in a tree of boxes. A polygon is cut to the box of a node before it goes on to the node's halves, so that
//! few of its vertices meet each cell.

use super::features::is_place;
use super::loops::{Loop, area};
use super::partial::Partial;
use super::rings::TURN;
use super::spans::{Span, Spans};
use crate::error::{Error, Result};

/// Most cells, each of 64 bytes.
const MOST_CELLS: usize = 1 << 24;

/// Most vertices that are cut for one feature.
const MOST_STEPS: u64 = 1 << 32;

/// Cells of a node that is not halved again.
const FEW: usize = 4;

/// Cells by their corners.
#[derive(Debug, Clone)]
pub struct Quads {
    /// Corners in order around the cell, counterclockwise; the cell's number.
    cells: Vec<([[f64; 2]; 4], u32)>,
    nodes: Vec<Node>,
    /// Cells in a row of the grid.
    width: u32,
    is_degrees: bool,
    unwraps: bool,
}

/// A range of cells, and the box around them.
#[derive(Debug, Clone, Copy)]
struct Node {
    begin: usize,
    end: usize,
    least: [f64; 2],
    greatest: [f64; 2],
    /// The second half's node, where there are halves; that of the first half is the next one.
    second: Option<usize>,
}

impl Quads {
    /// Cells of a grid in C order, by their corners in order around the cell (either way round). A cell with a corner
    /// that is no place, without area, or with sides that cross has no share in anything. In degrees, corners are
    /// moved by whole turns to the side of the first.
    ///
    /// # Errors
    /// [`Error::Selection`] for more than 2^24 cells, or a number of cells that does not fill rows of `width`.
    pub fn checked(corners: &[[[f64; 2]; 4]], width: u32, is_degrees: bool, unwraps: bool) -> Result<Self> {
        if corners.len() > MOST_CELLS || width == 0 || !corners.len().is_multiple_of(width as usize) {
            let reason = format!(
                "{} cells do not fill rows of {width}, or are more than 2^24: select a smaller part of the grid",
                corners.len()
            );
            return Err(Error::Selection { axis: None, reason });
        }
        let mut cells = Vec::with_capacity(corners.len());
        for (number, quad) in (0u32..).zip(corners) {
            let mut quad = *quad;
            if is_degrees {
                let first = quad[0][0];
                quad.iter_mut().for_each(|corner| corner[0] -= TURN * ((corner[0] - first) / TURN).round());
            }
            let size = area(&quad);
            // Corners on one line leave an area of rounding, whose shares would be noise.
            let reach = |axis: usize| {
                let places = quad.iter().map(|corner| corner[axis]);
                places.clone().fold(f64::MIN, f64::max) - places.fold(f64::MAX, f64::min)
            };
            let least = 1e-12 * (reach(0).powi(2) + reach(1).powi(2));
            if quad.as_flattened().iter().all(|number| is_place(*number)) && size.abs() > least {
                if size < 0.0 {
                    quad.reverse();
                }
                cells.push((quad, number));
            }
        }
        let mut found = Self { nodes: Vec::new(), width, is_degrees, unwraps, cells };
        if !found.cells.is_empty() {
            found.grow(0, found.cells.len());
        }
        Ok(found)
    }

    /// Makes the nodes of a range of cells, which it sorts by place.
    fn grow(&mut self, begin: usize, end: usize) -> usize {
        let cells = &mut self.cells[begin..end];
        let (mut least, mut greatest) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for corner in cells.iter().flat_map(|(quad, _)| quad) {
            for axis in 0..2 {
                least[axis] = least[axis].min(corner[axis]);
                greatest[axis] = greatest[axis].max(corner[axis]);
            }
        }
        let own = self.nodes.len();
        self.nodes.push(Node { begin, end, least, greatest, second: None });
        if cells.len() > FEW {
            let axis = usize::from(greatest[1] - least[1] > greatest[0] - least[0]);
            let centre =
                |(quad, _): &([[f64; 2]; 4], u32)| quad.iter().map(|corner| corner[axis]).sum::<f64>();
            let half = cells.len() / 2;
            cells.select_nth_unstable_by(half, |one, next| {
                centre(one).total_cmp(&centre(next)).then(one.1.cmp(&next.1))
            });
            self.grow(begin, begin + half);
            self.nodes[own].second = Some(self.grow(begin + half, end));
        }
        own
    }

    /// Whether the cells are in degrees, and whether long steps go the short way.
    pub(super) fn rings_are(&self) -> (bool, bool) {
        (self.is_degrees, self.unwraps)
    }

    /// Longitudes over which loops are repeated; nothing without cells.
    pub(super) fn range(&self) -> (f64, f64) {
        self.nodes.first().map_or((0.0, -1.0), |root| (root.least[0], root.greatest[0]))
    }

    /// Adds the shares of a polygon to those of its feature.
    pub(super) fn add(&self, feature: usize, loops: Vec<Loop>, partial: &mut Partial) -> Result<()> {
        if !self.nodes.is_empty() {
            self.descend(0, loops, &mut partial.shares, &mut partial.steps);
        }
        partial.check(feature, MOST_STEPS)
    }

    /// Adds the spans of a feature.
    pub(super) fn end(&self, feature: usize, partial: Partial, spans: &mut Spans) -> Result<()> {
        let Partial { mut shares, .. } = partial;
        shares.sort_by_key(|(cell, _)| *cell);
        for same in shares.chunk_by(|one, next| one.0 == next.0) {
            let (row, from) = (same[0].0 / self.width, same[0].0 % self.width);
            let share = same.iter().map(|(_, share)| share).sum();
            spans.add(feature, Span { row, from, to: from + 1, share })?;
        }
        Ok(())
    }

    fn descend(&self, node: usize, loops: Vec<Loop>, shares: &mut Vec<(u32, f64)>, steps: &mut u64) {
        let Node { begin, end, least, greatest, second } = self.nodes[node];
        let sides = [
            [least, [greatest[0], least[1]]],
            [[greatest[0], least[1]], greatest],
            [greatest, [least[0], greatest[1]]],
            [[least[0], greatest[1]], least],
        ];
        let loops: Vec<Loop> = loops.into_iter().filter_map(|own| cut(own, &sides, steps)).collect();
        if loops.is_empty() || *steps > MOST_STEPS {
            return;
        }
        let size = (greatest[0] - least[0]) * (greatest[1] - least[1]);
        if let [own] = loops.as_slice()
            && area(&own.vertices).abs() / 2.0 >= size * (1.0 - 1e-14)
        {
            let share = f64::from(own.sign) * area(&own.vertices).signum();
            shares.extend(self.cells[begin..end].iter().map(|(_, cell)| (*cell, share)));
        } else if let Some(second) = second {
            self.descend(node + 1, loops.clone(), shares, steps);
            self.descend(second, loops, shares, steps);
        } else {
            for (quad, cell) in &self.cells[begin..end] {
                let mut covered = 0.0;
                for part in convex_parts(*quad) {
                    let sides: Vec<_> =
                        part.iter().zip(part.iter().cycle().skip(1)).map(|(a, b)| [*a, *b]).collect();
                    let inside = loops.iter().filter_map(|own| cut(own.clone(), &sides, steps));
                    covered += inside.map(|own| f64::from(own.sign) * area(&own.vertices)).sum::<f64>();
                }
                shares.push((*cell, covered / area(quad)));
            }
        }
    }
}

/// The part of a loop on the left of all sides of a convex shape; `None` where it has no area.
pub(super) fn cut(mut own: Loop, sides: &[[[f64; 2]; 2]], steps: &mut u64) -> Option<Loop> {
    for [a, b] in sides {
        *steps += own.vertices.len() as u64;
        let left = |place: [f64; 2]| (b[0] - a[0]) * (place[1] - a[1]) - (b[1] - a[1]) * (place[0] - a[0]);
        let vertices = &own.vertices;
        if vertices.iter().all(|vertex| left(*vertex) >= 0.0) {
            continue;
        }
        let mut kept = Vec::with_capacity(vertices.len() + 4);
        for (one, next) in vertices.iter().zip(vertices.iter().cycle().skip(1)) {
            let (before, after) = (left(*one), left(*next));
            if before >= 0.0 {
                kept.push(*one);
            }
            if (before > 0.0 && after < 0.0) || (before < 0.0 && after > 0.0) {
                let part = before / (before - after);
                kept.push([one[0] + part * (next[0] - one[0]), one[1] + part * (next[1] - one[1])]);
            }
        }
        own.vertices = kept;
    }
    (own.vertices.len() > 2 && area(&own.vertices) != 0.0).then_some(own)
}

/// A counterclockwise quad as shapes that bulge everywhere: itself, or two triangles. Nothing where its sides cross.
fn convex_parts(quad: [[f64; 2]; 4]) -> Vec<Vec<[f64; 2]>> {
    let turn = |at: usize| area(&[quad[at], quad[(at + 1) % 4], quad[(at + 2) % 4]]);
    if (0..4).all(|at| turn(at) >= 0.0) {
        return vec![quad.to_vec()];
    }
    let halves = |at: usize| {
        [[at, at + 1, at + 2], [at + 2, at + 3, at]].map(|three| three.map(|corner| quad[corner % 4]))
    };
    let sound = (0..2).map(halves).find(|pair| pair.iter().all(|half| area(half) >= 0.0));
    sound.into_iter().flatten().map(|half| half.to_vec()).collect()
}
