//! Features: polygons as rings of vertices, checked and bounded.
//!
//! Invariant: every coordinate is a place, every ring has at least three vertices, every polygon a ring, and the last
//! vertex of a ring is not its first one again.

use std::fmt::Display;

use crate::error::{Error, Result};

/// Most vertices of all features.
pub const MOST_VERTICES: usize = 1_000_000;

/// Most features.
pub const MOST_FEATURES: usize = 10_000;

/// Whether a number is a coordinate: areas of what has such coordinates are numbers too.
pub(super) fn is_place(number: f64) -> bool {
    number.abs() < 1e100
}

/// Error of one feature, which is named by its number.
pub(super) fn wrong(feature: usize, reason: impl Display) -> Error {
    Error::Selection { axis: None, reason: format!("feature {feature}: {reason}") }
}

/// Polygons by feature. Each list of ends says where an item of the list before it ends.
#[derive(Debug, Clone, Default)]
pub struct Features {
    vertices: Vec<[f64; 2]>,
    rings: Vec<usize>,
    polygons: Vec<usize>,
    features: Vec<usize>,
}

impl Features {
    /// Checks features that were written down flat: vertices as x, y, x, y…; for each ring the number of vertices until
    /// its end, for each polygon the number of rings, for each feature the number of polygons.
    ///
    /// # Errors
    /// [`Error::Selection`], which names the feature, its polygon and the ring.
    pub fn checked(numbers: &[f64], rings: &[usize], polygons: &[usize], features: &[usize]) -> Result<Self> {
        let whole = |reason: String| Error::Selection { axis: None, reason };
        let pairs = numbers.len() / 2;
        if pairs > MOST_VERTICES {
            return Err(whole(format!(
                "the features have {pairs} vertices, and 10^6 are the most: simplify them, or pass fewer at once"
            )));
        }
        if features.len() > MOST_FEATURES {
            return Err(whole(format!(
                "there are {} features, and 10^4 are the most: pass fewer at once",
                features.len()
            )));
        }
        for (ends, below, what) in [
            (rings, pairs, "rings"),
            (polygons, rings.len(), "polygons"),
            (features, polygons.len(), "features"),
        ] {
            if !ends.is_sorted() || ends.last().copied().unwrap_or(0) != below {
                return Err(whole(format!("the ends of the {what} must rise to {below}")));
            }
        }
        let mut checked = Self { features: features.to_vec(), ..Self::default() };
        let mut ring = 0;
        for (polygon, &end) in polygons.iter().enumerate() {
            let feature = features.partition_point(|feature| *feature <= polygon);
            let nth = polygon - if feature == 0 { 0 } else { features[feature - 1] };
            if end == ring {
                return Err(wrong(feature, format_args!("polygon {nth} has no ring")));
            }
            for inner in ring..end {
                let from = if inner == 0 { 0 } else { rings[inner - 1] };
                let vertices = &numbers[2 * from..2 * rings[inner]];
                let at = format!("ring {} of polygon {nth}", inner - ring);
                checked.add_ring(vertices).map_err(|reason| wrong(feature, format_args!("{at} {reason}")))?;
            }
            ring = end;
            checked.polygons.push(ring);
        }
        let empty =
            (0..features.len()).find(|nth| features[*nth] == if *nth == 0 { 0 } else { features[nth - 1] });
        match empty {
            Some(feature) => Err(wrong(feature, "it has no polygon")),
            None => Ok(checked),
        }
    }

    fn add_ring(&mut self, numbers: &[f64]) -> std::result::Result<(), String> {
        let begin = self.vertices.len();
        let (pairs, _) = numbers.as_chunks::<2>();
        if let Some(at) = pairs.iter().position(|pair| !pair.iter().all(|number| is_place(*number))) {
            return Err(format!(
                "has the vertex {:?} at {at}, which is no place: coordinates must be finite, and less than 10^100",
                pairs[at]
            ));
        }
        for pair in pairs {
            // -0 and 0 are one place.
            let vertex = pair.map(|number| number + 0.0);
            if self.vertices[begin..].last() != Some(&vertex) {
                self.vertices.push(vertex);
            }
        }
        while self.vertices.len() > begin + 1 && self.vertices.last() == Some(&self.vertices[begin]) {
            self.vertices.pop();
        }
        let different = self.vertices.len() - begin;
        if different < 3 {
            return Err(format!("has {different} different vertices, and a ring needs 3"));
        }
        self.rings.push(self.vertices.len());
        Ok(())
    }

    /// Number of features.
    #[must_use]
    pub fn count(&self) -> usize {
        self.features.len()
    }

    /// A ring by its number among those of all features.
    pub(super) fn ring(&self, nth: usize) -> Option<RingOf<'_>> {
        let begin = |ends: &[usize], nth: usize| if nth == 0 { 0 } else { ends[nth - 1] };
        let end = *self.rings.get(nth)?;
        let polygon = self.polygons.partition_point(|end| *end <= nth);
        let feature = self.features.partition_point(|end| *end <= polygon);
        let ends_polygon = self.polygons[polygon] == nth + 1;
        Some(RingOf {
            feature,
            vertices: &self.vertices[begin(&self.rings, nth)..end],
            is_outer: begin(&self.polygons, polygon) == nth,
            ends_polygon,
            ends_feature: ends_polygon && self.features[feature] == polygon + 1,
        })
    }
}

/// A ring and where it is among the others.
pub(super) struct RingOf<'a> {
    pub(super) feature: usize,
    pub(super) vertices: &'a [[f64; 2]],
    /// Whether it is the first one of its polygon, whose others are holes.
    pub(super) is_outer: bool,
    pub(super) ends_polygon: bool,
    pub(super) ends_feature: bool,
}
