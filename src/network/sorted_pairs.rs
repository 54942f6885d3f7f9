//! Sorted set of pairs of numbers, whose code is much smaller than that of the standard library's tree.
//!
//! Invariant: blocks are sorted, and so are the pairs in each; no block is empty, none has more than [`MOST`] pairs.

/// Most pairs of a block, and so the most that one insertion moves.
const MOST: usize = 256;

/// A pair of numbers; pairs are sorted by the first number, then by the second.
pub(super) type Pair = (u64, u64);

/// Sorted blocks of pairs.
#[derive(Debug, Default)]
pub(super) struct SortedPairs(Vec<Vec<Pair>>);

impl SortedPairs {
    /// The least pair.
    pub(super) fn first(&self) -> Option<Pair> {
        self.at(0, 0)
    }

    /// The least pair above `pair`.
    pub(super) fn after(&self, pair: Pair) -> Option<Pair> {
        let (block, place) = self.place((pair.0, pair.1.checked_add(1)?));
        self.at(block, place)
    }

    /// The greatest pair below `pair`.
    pub(super) fn before(&self, pair: Pair) -> Option<Pair> {
        let (block, place) = self.place(pair);
        match place.checked_sub(1) {
            Some(place) => self.at(block, place),
            None => self.0.get(block.checked_sub(1)?)?.last().copied(),
        }
    }

    /// Whether the set has no pair.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Inserts a pair, unless it is there already.
    pub(super) fn insert(&mut self, pair: Pair) {
        let (mut block, mut place) = self.place(pair);
        if self.at(block, place) == Some(pair) {
            return;
        }
        // A pair above all of them goes to the end of the last block.
        if block == self.0.len() {
            block = block.saturating_sub(1);
            place = self.0.get(block).map_or(0, Vec::len);
        }
        let Some(pairs) = self.0.get_mut(block) else { return self.0.push(vec![pair]) };
        pairs.insert(place, pair);
        if pairs.len() > MOST {
            // Most pairs are inserted in ascending order: a block that grows at its end stays nearly full.
            let upper = pairs.split_off(if place == MOST { MOST } else { MOST / 2 });
            self.0.insert(block + 1, upper);
        }
    }

    /// Removes a pair, if it is there.
    pub(super) fn remove(&mut self, pair: Pair) {
        let (block, place) = self.place(pair);
        if self.at(block, place) != Some(pair) {
            return;
        }
        self.0[block].remove(place);
        if self.0[block].is_empty() {
            self.0.remove(block);
        }
    }

    fn at(&self, block: usize, place: usize) -> Option<Pair> {
        self.0.get(block)?.get(place).copied()
    }

    /// Block and index of the least pair from `pair` on; the block after the last if there is none.
    fn place(&self, pair: Pair) -> (usize, usize) {
        let block = self.0.partition_point(|pairs| pairs[pairs.len() - 1] < pair);
        let place = self.0.get(block).map_or(0, |pairs| pairs.partition_point(|found| *found < pair));
        (block, place)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{MOST, SortedPairs};

    /// Every operation on few numbers and on many, in order and not, gives what the standard library's set gives.
    #[test]
    fn it_does_what_a_tree_does() {
        let mut random = fastrand::Rng::with_seed(7);
        for range in [3, 40, 5000] {
            let (mut pairs, mut tree) = (SortedPairs::default(), BTreeSet::new());
            for step in 0..20_000_u64 {
                let pair = (random.u64(0..range), random.u64(0..3));
                match random.u8(0..if step < 10_000 { 3 } else { 5 }) {
                    0 => {
                        tree.insert(pair);
                        pairs.insert(pair);
                    }
                    1 => {
                        tree.insert((step / 7, step));
                        pairs.insert((step / 7, step));
                    }
                    2 => {
                        tree.remove(&pair);
                        pairs.remove(pair);
                    }
                    _ => {
                        let first = tree.pop_first();
                        assert_eq!(pairs.first(), first);
                        first.into_iter().for_each(|first| pairs.remove(first));
                    }
                }
                assert_eq!(pairs.first(), tree.first().copied());
                assert_eq!(pairs.after(pair), tree.range((pair.0, pair.1 + 1)..).next().copied());
                assert_eq!(pairs.before(pair), tree.range(..pair).next_back().copied());
                assert_eq!(pairs.is_empty(), tree.is_empty());
                assert!(pairs.0.iter().all(|block| !block.is_empty() && block.len() <= MOST));
            }
        }
    }
}
