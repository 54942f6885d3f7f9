//! Sweep: whether a ring keeps clear of itself, found by a line that passes over it from left to right.
//!
//! The edges that the line crosses are kept in their order along it, so that only neighbours can be the first to meet
//! (Shamos and Hoey). The time goes with the number of edges, whatever their boxes overlap.
//! Invariant: a ring that is found clear is. What rounding leaves open counts as a meeting.

use super::sorting::sorted;

/// Most edges of a block. What is moved for one edge that comes or goes is a block at most.
const BLOCK: usize = 512;

/// Whether a sweep has met what may be a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Swept {
    /// The line has not passed over all vertices.
    Partly,
    /// No edges meet but those that follow each other, at the vertex between them.
    Clear,
    /// Edges meet, or are too near to tell.
    MayMeet,
}

/// A sweep over a ring, as far as it has come.
#[derive(Debug, Clone)]
pub(super) struct Sweep {
    /// Vertices in the order in which the line meets them: by x, those of one x from below.
    order: Vec<u32>,
    passed: usize,
    crossed: Crossed,
}

/// The edges that the line crosses, from below, in blocks of which none is empty.
#[derive(Debug, Clone, Default)]
struct Crossed {
    blocks: Vec<Vec<u32>>,
}

/// Block, and place in it.
type At = (usize, usize);

impl Sweep {
    #[expect(clippy::cast_possible_truncation, reason = "at most 10^6 vertices")]
    pub(super) fn new(ring: &[[f64; 2]]) -> Self {
        let order = sorted(ring.iter().copied().zip(0..ring.len() as u32).collect());
        Self { order, passed: 0, crossed: Crossed::default() }
    }

    /// Passes over so many more vertices.
    pub(super) fn go_on(&mut self, ring: &[[f64; 2]], vertices: usize) -> Swept {
        let end = self.order.len().min(self.passed + vertices);
        while self.passed < end {
            let vertex = self.order[self.passed] as usize;
            self.passed += 1;
            // A place that the ring comes back to.
            let is_twice =
                self.order.get(self.passed).is_some_and(|next| ring[*next as usize] == ring[vertex]);
            if is_twice || self.crossed.pass(ring, vertex).is_none() {
                return Swept::MayMeet;
            }
        }
        if self.passed == self.order.len() { Swept::Clear } else { Swept::Partly }
    }
}

impl Crossed {
    /// Takes the edges of a vertex that end there away, and those that begin there in; `None` where edges may meet.
    #[expect(clippy::cast_possible_truncation, reason = "at most 10^6 vertices")]
    fn pass(&mut self, ring: &[[f64; 2]], vertex: usize) -> Option<()> {
        let (before, own) = ((vertex + ring.len() - 1) % ring.len(), vertex);
        let place = ring[vertex];
        let after = ring[(vertex + 1) % ring.len()];
        let (ends, begins) = match (is_left(ring[before], place), is_left(after, place)) {
            (true, true) => (2, None),
            (false, false) => {
                // Both begin here: which of them is below.
                let is_below = is_left_turn(place, ring[before], after)?;
                (0, Some(if is_below { [before, own] } else { [own, before] }))
            }
            (true, false) => (1, Some([own, own])),
            (false, true) => (1, Some([before, before])),
        };
        let at = self.first_from(ring, place, [before, own])?;
        if ends == 0 {
            let [low, high] = begins?;
            let at = self.insert(at, low as u32);
            self.check(ring, self.before(at), low)?;
            let at = self.insert((at.0, at.1 + 1), high as u32);
            return self.check(ring, self.after(at), high);
        }
        let found = self.edge(at).filter(|edge| [before, own].contains(edge))?;
        if let Some([edge, _]) = begins {
            self.blocks[at.0][at.1] = edge as u32;
            self.check(ring, self.before(at), edge)?;
            return self.check(ring, self.after(at), edge);
        }
        let other = if found == own { before } else { own };
        if self.after(at) != Some(other) {
            return None;
        }
        let at = self.remove(at);
        let at = self.remove(at);
        match self.edge(at) {
            Some(above) => self.check(ring, self.before(at), above),
            None => Some(()),
        }
    }

    /// Place of the first edge that is not below a place, where the edges of a vertex may end; `None` where rounding
    /// leaves open on which side of another edge the place is.
    fn first_from(&self, ring: &[[f64; 2]], place: [f64; 2], ends: [usize; 2]) -> Option<At> {
        let mut is_open = false;
        let mut is_below = |edge: u32| {
            let edge = edge as usize;
            let (one, other) = (ring[edge], ring[(edge + 1) % ring.len()]);
            let (from, to) = if is_left(one, other) { (one, other) } else { (other, one) };
            !ends.contains(&edge)
                && is_left_turn(from, to, place).unwrap_or_else(|| {
                    is_open = true;
                    false
                })
        };
        let block = self.blocks.partition_point(|block| block.last().is_some_and(|edge| is_below(*edge)));
        let at = self.blocks.get(block).map_or(0, |edges| edges.partition_point(|edge| is_below(*edge)));
        (!is_open).then_some((block, at))
    }

    fn edge(&self, (block, at): At) -> Option<usize> {
        Some(*self.blocks.get(block)?.get(at)? as usize)
    }

    fn before(&self, (block, at): At) -> Option<usize> {
        match at.checked_sub(1) {
            Some(at) => self.edge((block, at)),
            None => Some(*self.blocks.get(block.checked_sub(1)?)?.last()? as usize),
        }
    }

    fn after(&self, (block, at): At) -> Option<usize> {
        self.edge((block, at + 1)).or_else(|| self.edge((block + 1, 0)))
    }

    /// Puts an edge before the one at a place, or at the end of a block or of all; returns where it is then.
    fn insert(&mut self, (block, at): At, edge: u32) -> At {
        let (block, at) = match (self.blocks.get(block), self.blocks.last()) {
            (None, Some(last)) => (self.blocks.len() - 1, last.len()),
            _ => (block, at),
        };
        let Some(edges) = self.blocks.get_mut(block) else {
            self.blocks.push(vec![edge]);
            return (0, 0);
        };
        edges.insert(at, edge);
        if edges.len() <= BLOCK {
            return (block, at);
        }
        let half = edges.len() / 2;
        let second = edges.split_off(half);
        self.blocks.insert(block + 1, second);
        if at < half { (block, at) } else { (block + 1, at - half) }
    }

    /// Takes an edge away; returns where the one after it is then.
    fn remove(&mut self, (block, at): At) -> At {
        self.blocks[block].remove(at);
        if self.blocks[block].is_empty() {
            self.blocks.remove(block);
            (block, 0)
        } else if at == self.blocks[block].len() {
            (block + 1, 0)
        } else {
            (block, at)
        }
    }

    /// `None` where an edge may meet its neighbour elsewhere than at a vertex between them.
    fn check(&self, ring: &[[f64; 2]], neighbour: Option<usize>, edge: usize) -> Option<()> {
        let Some(other) = neighbour else { return Some(()) };
        let next = |edge: usize| (edge + 1) % ring.len();
        let (a, b) = (ring[edge], ring[next(edge)]);
        let (c, d) = (ring[other], ring[next(other)]);
        let is_clear = if next(edge) == other {
            goes_on(a, b, d)
        } else if next(other) == edge {
            goes_on(c, d, b)
        } else {
            are_apart(a, b, c, d)
        };
        is_clear.then_some(())
    }
}

/// Whether a line meets a place before another: from left to right, and from below.
fn is_left(one: [f64; 2], other: [f64; 2]) -> bool {
    one[0] < other[0] || (one[0] == other[0] && one[1] < other[1])
}

/// Whether the way from `a` to `b` turns left to `c`; `None` where rounding leaves that open.
fn is_left_turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Option<bool> {
    let (one, other) = ((b[0] - a[0]) * (c[1] - a[1]), (b[1] - a[1]) * (c[0] - a[0]));
    // Shewchuk's bound, rounded up.
    let bound = 4e-16 * (one.abs() + other.abs()) + f64::MIN_POSITIVE;
    let area = one - other;
    (area.abs() > bound).then_some(area > 0.0)
}

/// Whether two edges that follow each other meet nowhere else than at `b`, the vertex between them.
fn goes_on(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    is_left_turn(a, b, c).is_some() || (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) < 0.0
}

/// Whether two edges certainly meet nowhere.
fn are_apart(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    let is_beside = |axis: usize| {
        a[axis].max(b[axis]) < c[axis].min(d[axis]) || c[axis].max(d[axis]) < a[axis].min(b[axis])
    };
    let on_one_side = |from: [f64; 2], to: [f64; 2], one: [f64; 2], other: [f64; 2]| {
        let side = is_left_turn(from, to, one);
        side.is_some() && side == is_left_turn(from, to, other)
    };
    is_beside(0) || is_beside(1) || on_one_side(a, b, c, d) || on_one_side(c, d, a, b)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]

    use fastrand::Rng;

    use super::*;
    use crate::answers::zones::crossings::Meetings;

    fn swept(ring: &[[f64; 2]]) -> Swept {
        let mut sweep = Sweep::new(ring);
        loop {
            match sweep.go_on(ring, 5) {
                Swept::Partly => {}
                found => return found,
            }
        }
    }

    /// Whether a ring meets itself, or comes back to a vertex.
    fn meets(ring: &[[f64; 2]]) -> bool {
        let mut sorted: Vec<_> = ring.iter().map(|vertex| vertex.map(f64::to_bits)).collect();
        sorted.sort_unstable();
        let is_twice = sorted.windows(2).any(|pair| pair[0] == pair[1]);
        is_twice || !Meetings::new(ring).go_on(ring, usize::MAX).unwrap().unwrap().is_empty()
    }

    #[test]
    fn rings_are_clear_where_no_two_edges_meet() {
        let mut rng = Rng::with_seed(40);
        let mut clear = [0; 2];
        for _ in 0..20_000 {
            let count = rng.usize(3..12);
            // On a coarse grid, vertices lie on edges, and edges on edges; around a middle, rings are mostly clear.
            let ring: Vec<[f64; 2]> = match rng.u8(0..3) {
                0 => (0..count).map(|_| [0, 1].map(|_| f64::from(rng.u8(0..6)))).collect(),
                1 => (0..count).map(|_| [0, 1].map(|_| rng.f64())).collect(),
                _ => (0..count)
                    .map(|nth| {
                        let angle = (nth as f64 + 0.9 * rng.f64()) * std::f64::consts::TAU / count as f64;
                        let away = 0.05 + rng.f64();
                        [away * angle.cos(), away * angle.sin()]
                    })
                    .collect(),
            };
            let doubled = ring.iter().zip(ring.iter().cycle().skip(1)).any(|(one, next)| one == next);
            if doubled {
                continue;
            }
            let is_clear = swept(&ring) == Swept::Clear;
            assert!(!(is_clear && meets(&ring)), "{ring:?}");
            // Nothing is too near to tell here.
            assert!(is_clear || meets(&ring), "{ring:?}");
            clear[usize::from(is_clear)] += 1;
        }
        assert!(clear[0] > 4000 && clear[1] > 4000, "{clear:?}");
    }

    #[test]
    fn long_edges_side_by_side_are_kept_in_blocks() {
        let tooth = |nth: usize| [if nth.is_multiple_of(2) { 0.0 } else { 100.0 }, nth as f64];
        let mut comb: Vec<[f64; 2]> = (0..10_000).map(tooth).collect();
        comb.push([-1.0, 5000.5]);
        assert_eq!(swept(&comb), Swept::MayMeet);
        *comb.last_mut().unwrap() = [-1.0, 9999.5];
        comb.push([-1.0, -1.0]);
        assert_eq!(swept(&comb), Swept::Clear);
        let turned: Vec<[f64; 2]> = comb.iter().map(|[x, y]| [*y, *x]).collect();
        assert_eq!(swept(&turned), Swept::Clear);
    }
}
