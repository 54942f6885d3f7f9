//! Cover: exact shares of a grid's cells, by walking loops through the grid and adding up rows from left to right.
//!
//! Each piece of an edge within a cell leaves a mark: how high it rises, which all cells to its right have below or above
//! them, and the area between it and the cell's right end. Heights are integers, parts of the row's own, so that they
//! cancel exactly: cells outside have no share, and cells inside have a share of exactly 1.

use super::edges::CellEdges;
use super::features::wrong;
use super::grid::ZoneGrid;
use super::loops::Loop;
use super::spans::{Span, Spans};
use crate::error::Result;

/// Height of a row in marks. Windings of up to 2^19 fit an `i64` with it, and rounding is below 10^-13.
const HEIGHT: f64 = (1u64 << 44) as f64;

/// Number of marks at which those of one cell are joined.
const JOINED_AT: usize = 1 << 21;

/// Most marks of a polygon, after those of one cell are joined, of 32 bytes each.
const MOST_MARKS: usize = 1 << 22;

/// Most pieces of a polygon's edges within cells.
const MOST_PIECES: u64 = 1 << 30;

/// What the pieces of edges leave in one cell.
#[derive(Debug, Clone, Copy)]
struct Mark {
    row: u32,
    column: u32,
    rise: i64,
    area: f64,
}

/// Most cells of a grid for which the marks of long edges are added up in place, of 16 bytes each. Else they are sorted.
const MOST_IN_PLACE: usize = 1 << 21;

/// Pieces of edges that a step walks: some milliseconds.
const WALKED: u64 = 1 << 16;

/// A walk of a polygon's loops through a grid, as far as it has come.
#[derive(Debug)]
pub(super) struct CoverWalk {
    loops: Vec<Loop>,
    /// Loop and edge that come next.
    at: (usize, usize),
    marks: Marks,
}

impl CoverWalk {
    pub(super) fn new(loops: Vec<Loop>) -> Self {
        let marks = Marks { marks: Vec::new(), joined_at: JOINED_AT, pieces: 0, in_place: Vec::new() };
        Self { loops, at: (0, 0), marks }
    }

    /// Walks on for some milliseconds. At the end it adds the shares of the polygon to the spans of its feature, and
    /// gives true.
    ///
    /// # Errors
    /// [`crate::error::Error::Selection`] where the edges of the polygon pass too many cells.
    pub(super) fn step(&mut self, feature: usize, grid: &ZoneGrid, spans: &mut Spans) -> Result<bool> {
        let until = self.marks.pieces + WALKED;
        while let Some(Loop { vertices, sign }) = self.loops.get(self.at.0) {
            let next = vertices.len();
            while self.at.1 < next {
                let (one, other) = (vertices[self.at.1], vertices[(self.at.1 + 1) % next]);
                self.at.1 += 1;
                if !self.marks.add_edge(grid, one, other, i64::from(*sign)) {
                    return Err(wrong(
                        feature,
                        "the edges of a polygon pass too many cells (2^22 are the most): simplify it, or use a coarser level",
                    ));
                }
                if self.marks.pieces >= until {
                    return Ok(false);
                }
            }
            self.at = (self.at.0 + 1, 0);
        }
        self.marks.end(grid);
        self.marks.spans(grid, feature, spans)?;
        Ok(true)
    }
}

#[derive(Debug)]
struct Marks {
    marks: Vec<Mark>,
    joined_at: usize,
    pieces: u64,
    /// Rise and area of each cell in C order, once there were many marks.
    in_place: Vec<(i64, f64)>,
}

/// Place on an edge within a row: x, and the height.
type Place = (f64, i64);

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "heights are below 2^44, cells below 2^32"
)]
impl Marks {
    /// Walks an edge through the grid. Gives false where there are too many marks.
    fn add_edge(&mut self, grid: &ZoneGrid, one: [f64; 2], next: [f64; 2], sign: i64) -> bool {
        // An edge beside the grid is work too.
        self.pieces += 1;
        let ZoneGrid { rows, columns, .. } = grid;
        // Upwards always, so that an edge that two polygons share leaves the same marks in both.
        let is_up = one[1] < next[1];
        let (low, high, sign) = if is_up { (one, next, sign) } else { (next, one, -sign) };
        let (least, greatest) = rows.range();
        if low[1] >= greatest
            || high[1] <= least
            || low[1] == high[1]
            || low[0].min(high[0]) >= columns.range().1
        {
            return true;
        }
        let x_at = |y: f64| low[0] + (y - low[1]) / (high[1] - low[1]) * (high[0] - low[0]);
        let mut row = rows.cell_of(low[1]);
        let mut from = if low[1] < least { (x_at(least), least) } else { (low[0], low[1]) };
        loop {
            let (bottom, top) = (rows.rising()[row], rows.rising()[row + 1]);
            let to = if high[1] <= top { (high[0], high[1]) } else { (x_at(top), top) };
            let height = |y: f64| ((y - bottom) / (top - bottom) * HEIGHT).round() as i64;
            self.add_piece(columns, row as u32, (from.0, height(from.1)), (to.0, height(to.1)), sign);
            if self.marks.len() >= self.joined_at {
                self.join(grid);
                self.joined_at = JOINED_AT.max(2 * self.marks.len());
                if self.marks.len() > MOST_MARKS {
                    return false;
                }
            }
            row += 1;
            if high[1] <= top || row == rows.cells() {
                return self.pieces <= MOST_PIECES;
            }
            from = to;
        }
    }

    /// Walks a piece of an edge through the cells of one row.
    fn add_piece(&mut self, columns: &CellEdges, row: u32, from: Place, to: Place, sign: i64) {
        let (left, right, sign) = if from.0 <= to.0 { (from, to, sign) } else { (to, from, -sign) };
        if left.1 == right.1 {
            return;
        }
        let (least, greatest) = columns.range();
        let height_at =
            |x: f64| left.1 + ((x - left.0) / (right.0 - left.0) * (right.1 - left.1) as f64).round() as i64;
        let mut from = left;
        if left.0 < least {
            // What is left of the grid is as if it were on its left end.
            let height = if right.0 <= least { right.1 } else { height_at(least) };
            self.mark(row, 0, sign * (height - left.1), 1.0);
            if right.0 <= least {
                return;
            }
            from = (least, height);
        }
        if from.0 >= greatest {
            return;
        }
        for column in columns.cell_of(from.0)..columns.cells() {
            let (begin, end) = (columns.rising()[column], columns.rising()[column + 1]);
            let is_last = right.0 <= end;
            let to = if is_last { right } else { (end, height_at(end)) };
            let before = ((from.0 - begin) + (to.0 - begin)) / (2.0 * (end - begin));
            self.mark(row, column as u32, sign * (to.1 - from.1), 1.0 - before);
            if is_last {
                return;
            }
            from = to;
        }
    }

    fn mark(&mut self, row: u32, column: u32, rise: i64, part: f64) {
        self.pieces += 1;
        if rise == 0 {
            return;
        }
        let area = rise as f64 / HEIGHT * part;
        match self.marks.last_mut() {
            Some(last) if last.row == row && last.column == column => {
                last.rise = last.rise.wrapping_add(rise);
                last.area += area;
            }
            _ => self.marks.push(Mark { row, column, rise, area }),
        }
    }

    /// Makes one of the marks of each cell.
    fn join(&mut self, grid: &ZoneGrid) {
        let cells = grid.rows.cells().saturating_mul(grid.columns.cells());
        if cells > MOST_IN_PLACE {
            return self.sort();
        }
        self.in_place.resize(cells, (0, 0.0));
        for Mark { row, column, rise, area } in self.marks.drain(..) {
            let cell = &mut self.in_place[row as usize * grid.columns.cells() + column as usize];
            // Wrapping: only the whole sum must fit.
            *cell = (cell.0.wrapping_add(rise), cell.1 + area);
        }
    }

    /// Makes one of the marks of each cell, sorted.
    fn end(&mut self, grid: &ZoneGrid) {
        if self.in_place.is_empty() {
            return self.sort();
        }
        self.join(grid);
        let wide = grid.columns.cells();
        let marked = self.in_place.drain(..).enumerate().filter(|(_, cell)| *cell != (0, 0.0));
        self.marks.extend(marked.map(|(cell, (rise, area))| Mark {
            row: (cell / wide) as u32,
            column: (cell % wide) as u32,
            rise,
            area,
        }));
    }

    /// Sorts the marks, and makes one of those in the same cell.
    fn sort(&mut self) {
        self.marks.sort_by_key(|mark| (mark.row, mark.column));
        self.marks.dedup_by(|next, kept| {
            let is_same = (next.row, next.column) == (kept.row, kept.column);
            if is_same {
                // Wrapping: only the whole sum must fit.
                kept.rise = kept.rise.wrapping_add(next.rise);
                kept.area += next.area;
            }
            is_same
        });
    }

    /// Adds up each row from left to right.
    fn spans(&self, grid: &ZoneGrid, feature: usize, spans: &mut Spans) -> Result<()> {
        let ZoneGrid { rows, columns, .. } = grid;
        let width = columns.cells() as u32;
        for marks in self.marks.chunk_by(|one, next| one.row == next.row) {
            let mut rise = 0i64;
            let (row, _) = rows.own(marks[0].row as usize, marks[0].row as usize + 1);
            let mut add = |from: u32, to: u32, share: f64| {
                let (from, to) = columns.own(from as usize, to as usize);
                // A polygon winds counterclockwise where edges on its right rise: the sum from the left is negative.
                spans.add(feature, Span { row: row as u32, from: from as u32, to: to as u32, share: -share })
            };
            for (nth, mark) in marks.iter().enumerate() {
                add(mark.column, mark.column + 1, rise as f64 / HEIGHT + mark.area)?;
                rise = rise.wrapping_add(mark.rise);
                let end = marks.get(nth + 1).map_or(width, |next| next.column);
                if rise != 0 {
                    add(mark.column + 1, end, rise as f64 / HEIGHT)?;
                }
            }
        }
        Ok(())
    }
}
