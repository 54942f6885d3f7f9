//! Items that lie one after the other in a file, cut into chunks that are one range of it each.

use std::ops::Range;

/// About the bytes of a chunk: 1 MiB, a request that is worth its round trip.
const CHUNK: u64 = 1 << 20;

/// Items in C order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Contiguous {
    shape: Vec<u64>,
    edges: Vec<u64>,
    /// Bytes of an item.
    item: u64,
}

impl Contiguous {
    /// Cuts items of a shape: one axis into edges of one length, which the last one may fall short of; those before it
    /// into single indices, and those after it not at all. `None` where a file cannot be that long.
    pub(crate) fn new(shape: Vec<u64>, item: u64) -> Option<Self> {
        let all = shape.iter().try_fold(item, |bytes, length| bytes.checked_mul(*length));
        // Lengths beside an axis of length 0 are bounded too.
        let bounded = shape.iter().try_fold(item.max(1), |bytes, length| bytes.checked_mul((*length).max(1)));
        all.and(bounded).filter(|bytes| *bytes < 1 << 53)?;
        let mut edges = vec![1; shape.len()];
        let mut row = item.max(1);
        for axis in (0..shape.len()).rev() {
            let length = shape[axis].max(1);
            let count = length.div_ceil((CHUNK / row).max(1));
            edges[axis] = length.div_ceil(count);
            if count > 1 {
                break;
            }
            row *= length;
        }
        Some(Self { shape, edges, item })
    }

    /// The edge of chunks along each axis.
    pub(crate) fn edges(&self) -> &[u64] {
        &self.edges
    }

    /// Bytes of a chunk from the start of the items; `None` where no such chunk is.
    pub(crate) fn span(&self, coords: &[u64]) -> Option<Range<u64>> {
        if coords.len() != self.shape.len() {
            return None;
        }
        let (mut start, mut length, mut stride) = (0, self.item, self.item);
        for axis in (0..coords.len()).rev() {
            let first =
                coords[axis].checked_mul(self.edges[axis]).filter(|first| *first < self.shape[axis])?;
            length *= self.edges[axis].min(self.shape[axis] - first);
            start += first * stride;
            stride *= self.shape[axis];
        }
        Some(start..start + length)
    }
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "a test fails by a panic")]
mod tests {
    use super::Contiguous;

    #[test]
    fn chunks_cover_all_bytes_once_and_in_order() {
        let cases: [(&[u64], u64); 9] = [
            (&[], 8),
            (&[5], 4),
            (&[3_000_000], 4),
            (&[7, 11, 13], 2),
            (&[40, 300, 500], 4),
            (&[2, 3, 1_000_001], 8),
            (&[1, 1, 5_000_000], 1),
            (&[3, 0, 5], 4),
            (&[1_048_577], 1),
        ];
        for (shape, item) in cases {
            let cut = Contiguous::new(shape.to_vec(), item).expect("a length");
            let counts: Vec<u64> =
                shape.iter().zip(cut.edges()).map(|(length, edge)| length.div_ceil(*edge)).collect();
            let (mut at, mut coords) = (0, vec![0; shape.len()]);
            for _ in 0..counts.iter().product() {
                let span = cut.span(&coords).expect("a chunk");
                assert_eq!(span.start, at, "{shape:?}");
                assert!(span.end - span.start <= 1 << 20, "{shape:?}");
                at = span.end;
                for axis in (0..coords.len()).rev() {
                    coords[axis] += 1;
                    if coords[axis] < counts[axis] {
                        break;
                    }
                    coords[axis] = 0;
                }
            }
            assert_eq!(at, shape.iter().product::<u64>() * item);
            assert_eq!(cut.span(&counts), if shape.is_empty() { Some(0..item) } else { None });
        }
        assert_eq!(Contiguous::new(vec![1 << 40, 1 << 40], 8), None);
        assert_eq!(Contiguous::new(vec![0, 1 << 40, 1 << 40], 8), None);
    }
}
