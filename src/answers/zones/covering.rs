//! Coverings: the shares that features have in cells of any kind, made in steps between which a page has its turns.

use super::cover::CoverWalk;
use super::features::Features;
use super::grid::ZoneGrid;
use super::healpix::HealpixCells;
use super::loops::{Loop, Splitting};
use super::partial::Partial;
use super::quads::Quads;
use super::rings::begun;
use super::spans::Spans;
use crate::error::Result;

/// Cells that features have shares in.
#[derive(Debug, Clone)]
pub enum ZoneCells {
    /// Cells between edges along two axes.
    Grid(ZoneGrid),
    /// Cells with corners of their own.
    Quads(Quads),
    /// Cells of HEALPix.
    Healpix(HealpixCells),
}

/// A covering of cells by features, as far as it is made.
///
/// A cell's share is the part of its area that the feature's polygons cover: holes subtract whatever their winding,
/// polygons add, and a ring that crosses itself counts every place that it winds around once.
#[derive(Debug)]
pub struct Covering {
    cells: ZoneCells,
    features: Features,
    /// Number of the ring that comes next, and its loops as far as they are known.
    ring: usize,
    splitting: Option<Splitting>,
    /// Loops of the polygon's rings before it, and their walk through a grid.
    loops: Vec<Loop>,
    walk: Option<CoverWalk>,
    partial: Partial,
    spans: Spans,
}

impl Covering {
    /// Begins a covering.
    #[must_use]
    pub fn new(cells: ZoneCells, features: Features) -> Self {
        Self {
            cells,
            features,
            ring: 0,
            splitting: None,
            loops: Vec::new(),
            walk: None,
            partial: Partial::default(),
            spans: Spans::default(),
        }
    }

    /// Goes on for some milliseconds, or as long as one polygon takes in cells other than a grid's. At the end it gives spans
    /// of cells with their shares, for each feature.
    ///
    /// # Errors
    /// [`crate::error::Error::Selection`], naming the feature, where a ring crosses itself too often, where a coordinate
    /// is no degree in cells of degrees, or where the features cover too many cells.
    pub fn step(&mut self) -> Result<Option<Spans>> {
        let Some(ring) = self.features.ring(self.ring) else {
            return Ok(Some(std::mem::take(&mut self.spans)));
        };
        if let (Some(walk), ZoneCells::Grid(grid)) = (&mut self.walk, &self.cells) {
            if walk.step(ring.feature, grid, &mut self.spans)? {
                self.walk = None;
                self.go_on(ring.ends_feature, ring.feature)?;
            }
            return Ok(None);
        }
        let (is_degrees, unwraps, range) = match &self.cells {
            ZoneCells::Grid(grid) => (grid.is_degrees, grid.unwraps, grid.range()),
            ZoneCells::Quads(quads) => (quads.rings_are().0, quads.rings_are().1, quads.range()),
            // Middles are from 0 to 360 degrees, and a cell at a pole reaches 180 to both sides.
            ZoneCells::Healpix(cells) => (true, cells.unwraps(), (-180.0, 540.0)),
        };
        let splitting = match &mut self.splitting {
            Some(splitting) => splitting,
            None => self.splitting.insert(begun(ring.feature, ring.vertices, is_degrees, unwraps)?),
        };
        let Some(loops) = splitting.step()? else { return Ok(None) };
        self.splitting = None;
        for mut own in loops {
            own.sign *= if ring.is_outer { 1 } else { -1 };
            self.loops.extend(if is_degrees { own.repeated(range) } else { vec![own] });
        }
        if ring.ends_polygon {
            let loops = std::mem::take(&mut self.loops);
            match &self.cells {
                ZoneCells::Grid(_) => {
                    self.walk = Some(CoverWalk::new(loops));
                    return Ok(None);
                }
                ZoneCells::Quads(quads) => quads.add(ring.feature, loops, &mut self.partial)?,
                ZoneCells::Healpix(cells) => {
                    cells.add(ring.feature, &loops, &mut self.partial, &mut self.spans)?;
                }
            }
        }
        self.go_on(ring.ends_feature, ring.feature)?;
        Ok(None)
    }

    /// Goes on to the next ring.
    fn go_on(&mut self, ends_feature: bool, feature: usize) -> Result<()> {
        self.ring += 1;
        if ends_feature {
            let partial = std::mem::take(&mut self.partial);
            if let ZoneCells::Quads(quads) = &self.cells {
                quads.end(feature, partial, &mut self.spans)?;
            }
            self.spans.end_feature();
        }
        Ok(())
    }
}
