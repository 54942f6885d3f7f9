//! Zones: which share of each cell lies in each feature's polygons, and the statistics that follow from the shares.
//!
//! `features` holds the rings as they were given, `rings` unwraps them, `sweep` finds those that cross themselves, which
//! `loops` and `crossings` take apart. A `covering` lays them over cells in steps: `cover` walks them through a `grid` of
//! cell edges (`edges`); `quads` does so for cells with corners of their own, and `healpix` for those of HEALPix, which
//! are squares on the planes of `healpix_plane`. What comes out are spans of cells (`spans`), by which `statistics` and
//! `reduction` add items.

mod cover;
mod covering;
mod crossings;
mod edges;
mod features;
mod grid;
mod healpix;
mod healpix_plane;
mod loops;
mod partial;
mod quads;
mod reduction;
mod rings;
mod sorting;
mod spans;
mod statistics;
mod sweep;

pub use self::covering::{Covering, ZoneCells};
pub use self::edges::CellEdges;
pub use self::features::{Features, MOST_FEATURES, MOST_VERTICES};
pub use self::grid::ZoneGrid;
pub use self::healpix::HealpixCells;
pub use self::quads::Quads;
pub use self::reduction::{ZonePartial, ZonePlaces, ZoneReduction};
pub use self::spans::{MOST_PAIRS, Span, Spans};
pub use self::statistics::ZoneStatistics;
