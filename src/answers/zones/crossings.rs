//! Crossings: where the edges of a ring meet each other, found by buckets of near edges.

/// Most meetings of a ring.
const MOST_MEETINGS: usize = 1 << 20;

/// Most pairs of edges that are compared, beside 64 for each edge.
const MOST_PAIRS: usize = 1 << 27;

/// Most entries of all buckets for each edge.
const MOST_ENTRIES: usize = 16;

/// Places where a ring meets itself, each with the number of an edge on which it lies and which does not end there.
/// `None` where there are too many to be found in bounded time and memory.
pub(super) fn meetings(ring: &[[f64; 2]]) -> Option<Vec<(usize, [f64; 2])>> {
    let edges = ring.len();
    let ends = |edge: usize| (ring[edge], ring[(edge + 1) % edges]);
    let buckets = Buckets::new(ring);
    let mut found = Vec::new();
    let mut compared = 0;
    for bucket in &buckets.members {
        compared += bucket.len() * bucket.len() / 2;
        if compared > MOST_PAIRS + 64 * edges {
            return None;
        }
        for (nth, &one) in bucket.iter().enumerate() {
            for &other in &bucket[nth + 1..] {
                let (one, other) = (one as usize, other as usize);
                meet((one, ends(one)), (other, ends(other)), &mut found);
            }
        }
        if found.len() > MOST_MEETINGS {
            found.sort_by_key(|(edge, [x, y])| (*edge, x.to_bits(), y.to_bits()));
            found.dedup();
            if found.len() > MOST_MEETINGS / 2 {
                return None;
            }
        }
    }
    Some(found)
}

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
struct Buckets {
    members: Vec<Vec<u32>>,
}

impl Buckets {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "at most 10^6 edges"
    )]
    fn new(ring: &[[f64; 2]]) -> Self {
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
            return Self { members };
        }
    }
}
