//! Crossings: where the edges of a ring that may meet do so, found by buckets of near edges.

use super::sorting::sorted;

/// Most meetings of a ring.
const MOST_MEETINGS: usize = 1 << 20;

/// Most pairs of edges that are compared, beside 64 for each edge.
const MOST_PAIRS: usize = 1 << 27;

/// Most entries of all buckets for each edge.
const MOST_ENTRIES: usize = 16;

/// The places where a ring meets itself, as far as they were looked for.
#[derive(Debug, Clone)]
pub(super) struct Meetings {
    /// Buckets that come after the present one.
    buckets: Vec<Vec<u32>>,
    bucket: Bucket,
    /// Pairs that may be compared until there are too many.
    left: usize,
    found: Vec<Meeting>,
}

/// Edges that lie near each other, by their least places along the axis on which they are short.
#[derive(Debug, Clone, Default)]
struct Bucket {
    edges: Vec<u32>,
    axis: usize,
    /// Number of the edge that is compared next with those after it.
    at: usize,
}

/// Place where a ring meets itself, with the number of an edge on which it lies and which does not end there.
pub(super) type Meeting = (usize, [f64; 2]);

/// The end of an edge.
fn end(ring: &[[f64; 2]], edge: u32) -> [f64; 2] {
    ring[(edge as usize + 1) % ring.len()]
}

/// The least place of an edge along an axis.
fn least(ring: &[[f64; 2]], edge: u32, axis: usize) -> f64 {
    ring[edge as usize][axis].min(end(ring, edge)[axis])
}

impl Bucket {
    fn new(ring: &[[f64; 2]], edges: Vec<u32>) -> Self {
        let length = |axis: usize| {
            let lengths =
                edges.iter().map(|edge| (end(ring, *edge)[axis] - ring[*edge as usize][axis]).abs());
            lengths.sum::<f64>()
        };
        let axis = usize::from(length(1) < length(0));
        let edges = sorted(edges.into_iter().map(|edge| ([least(ring, edge, axis), 0.0], edge)).collect());
        Self { edges, axis, at: 0 }
    }
}

impl Meetings {
    pub(super) fn new(ring: &[[f64; 2]]) -> Self {
        let (bucket, left) = (Bucket::default(), MOST_PAIRS + 64 * ring.len());
        Self { buckets: buckets(ring), bucket, left, found: Vec::new() }
    }

    /// Compares about so many pairs of edges, or sorts more edges than that. All places, once all were compared.
    ///
    /// # Errors
    /// [`TooMany`] where they are not found in bounded time and memory.
    pub(super) fn go_on(
        &mut self,
        ring: &[[f64; 2]],
        pairs: usize,
    ) -> std::result::Result<Option<Vec<Meeting>>, TooMany> {
        let ends = |edge: u32| (ring[edge as usize], end(ring, edge));
        let until = self.left.saturating_sub(pairs);
        while self.left > until {
            let Bucket { edges, axis, at } = &mut self.bucket;
            let Some(&one) = edges.get(*at) else {
                match self.buckets.pop() {
                    Some(edges) => {
                        let is_large = edges.len() > pairs;
                        self.bucket = Bucket::new(ring, edges);
                        if is_large {
                            return Ok(None);
                        }
                    }
                    None => return Ok(Some(std::mem::take(&mut self.found))),
                }
                continue;
            };
            *at += 1;
            self.left -= 1;
            let greatest = ring[one as usize][*axis].max(end(ring, one)[*axis]);
            for &other in edges[*at..].iter().take_while(|other| least(ring, **other, *axis) <= greatest) {
                self.left = self.left.checked_sub(1).ok_or(TooMany)?;
                // A pair that several buckets have meets in one place, to the bit.
                let (first, second) = (one.min(other), one.max(other));
                meet((first as usize, ends(first)), (second as usize, ends(second)), &mut self.found);
            }
            if self.found.len() > MOST_MEETINGS {
                self.found.sort_by_key(|(edge, [x, y])| (*edge, x.to_bits(), y.to_bits()));
                self.found.dedup();
                if self.found.len() > MOST_MEETINGS / 2 {
                    return Err(TooMany);
                }
            }
        }
        if self.left == 0 { Err(TooMany) } else { Ok(None) }
    }
}

/// A ring has too many edges side by side, or meets itself too often.
#[derive(Debug, Clone, Copy)]
pub(super) struct TooMany;

type Edge = (usize, ([f64; 2], [f64; 2]));

/// Adds the places where two edges meet, except those where both end.
fn meet((one, (a, b)): Edge, (other, (c, d)): Edge, found: &mut Vec<(usize, [f64; 2])>) {
    let is_apart = |axis: usize| {
        a[axis].max(b[axis]) < c[axis].min(d[axis]) || c[axis].max(d[axis]) < a[axis].min(b[axis])
    };
    if is_apart(0) || is_apart(1) {
        return;
    }
    let side = |from: [f64; 2], to: [f64; 2], place: [f64; 2]| {
        (to[0] - from[0]) * (place[1] - from[1]) - (to[1] - from[1]) * (place[0] - from[0])
    };
    let (of_c, of_d, of_a, of_b) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    let is_within = |from: [f64; 2], to: [f64; 2], place: [f64; 2]| {
        let is_between =
            |axis: usize| (from[axis].min(to[axis])..=from[axis].max(to[axis])).contains(&place[axis]);
        place != from && place != to && is_between(0) && is_between(1)
    };
    let mut touches = false;
    for (edge, from, to, place, away) in
        [(one, a, b, c, of_c), (one, a, b, d, of_d), (other, c, d, a, of_a), (other, c, d, b, of_b)]
    {
        if away == 0.0 {
            touches = true;
            if is_within(from, to, place) {
                found.push((edge, place));
            }
        }
    }
    if !touches && (of_c > 0.0) != (of_d > 0.0) && (of_a > 0.0) != (of_b > 0.0) {
        let part = of_a / (of_a - of_b);
        // Zero is added because -0 and 0 are one place.
        let place = [a[0] + part * (b[0] - a[0]) + 0.0, a[1] + part * (b[1] - a[1]) + 0.0];
        found.extend([(one, place), (other, place)]);
    }
}

/// Edges by the boxes of a coarse grid that their own boxes touch.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "at most 10^6 edges"
)]
fn buckets(ring: &[[f64; 2]]) -> Vec<Vec<u32>> {
    let edges = ring.len();
    let end = |edge: usize| ring[(edge + 1) % edges];
    let mut counts = [1usize; 2];
    let mut range = [(0.0, 1.0); 2];
    for axis in 0..2 {
        let places = ring.iter().map(|vertex| vertex[axis]);
        let (least, most) =
            (places.clone().fold(f64::INFINITY, f64::min), places.fold(f64::NEG_INFINITY, f64::max));
        let length: f64 = (0..edges).map(|edge| (end(edge)[axis] - ring[edge][axis]).abs()).sum();
        range[axis] = (least, most - least);
        // As many as the edges are long on average, so that an edge is in few of them.
        // A ring without extent along the axis has no length there.
        if length > 0.0 {
            counts[axis] = ((most - least) / (length / edges as f64)).clamp(1.0, edges as f64) as usize;
        }
    }
    while counts[0] * counts[1] > 2 * edges {
        counts = counts.map(|count| count.div_ceil(2));
    }
    loop {
        let bucket = |axis: usize, place: f64| {
            let (least, length) = range[axis];
            let part = if length > 0.0 { (place - least) / length } else { 0.0 };
            ((part * counts[axis] as f64) as usize).min(counts[axis] - 1)
        };
        let touched = |axis: usize, edge: usize| {
            let (one, next) = (bucket(axis, ring[edge][axis]), bucket(axis, end(edge)[axis]));
            (one.min(next), one.max(next))
        };
        let size = |(from, to): (usize, usize)| to - from + 1;
        let entries: usize = (0..edges).map(|edge| size(touched(0, edge)) * size(touched(1, edge))).sum();
        if entries > MOST_ENTRIES * edges && counts != [1, 1] {
            counts = counts.map(|count| count.div_ceil(2));
            continue;
        }
        let mut members = vec![Vec::new(); counts[0] * counts[1]];
        for edge in 0..edges {
            let ((left, right), (low, high)) = (touched(0, edge), touched(1, edge));
            for row in low..=high {
                for column in left..=right {
                    members[row * counts[0] + column].push(edge as u32);
                }
            }
        }
        members.retain(|bucket| bucket.len() > 1);
        return members;
    }
}
