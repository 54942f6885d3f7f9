//! Tests of the shuffles, the byte order and the copies against slow reference implementations.

fn noise(length: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(length as u64);
    (0..length).map(|_| random.u8(..)).collect()
}

/// Item sizes and lengths: counts near multiples of 8 and 64, and some bytes after the last whole item.
fn sizes() -> impl Iterator<Item = (usize, usize)> {
    let item_sizes = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 24, 32, 255];
    let counts = [0, 1, 2, 7, 8, 9, 15, 16, 17, 56, 63, 64, 65, 72, 128, 136, 200];
    item_sizes.into_iter().flat_map(move |size| {
        counts
            .into_iter()
            .flat_map(move |count| [0, 1, size - 1].map(|rest| (size, count * size + rest % size)))
    })
}

#[test]
fn byte_shuffle_agrees_with_its_slow_twin() {
    for (item_size, length) in sizes() {
        let expected = noise(length);
        let count = length / item_size;
        let mut shuffled = expected.clone();
        for (item, byte) in (0..count).flat_map(|item| (0..item_size).map(move |byte| (item, byte))) {
            shuffled[byte * count + item] = expected[item * item_size + byte];
        }
        let mut items = vec![0; length];
        super::unshuffle::undo(item_size, &shuffled, &mut items);
        assert!(items == expected, "{length} bytes in items of {item_size}");
    }
}

#[test]
fn bit_shuffle_agrees_with_its_slow_twin() {
    for (item_size, length) in sizes() {
        let expected = noise(length);
        let count = length / item_size;
        let mut shuffled = expected.clone();
        if count % 8 == 0 {
            shuffled[..count * item_size].fill(0);
            for (item, bit) in (0..count).flat_map(|item| (0..8 * item_size).map(move |bit| (item, bit))) {
                let value = expected[item * item_size + bit / 8] >> (bit % 8) & 1;
                let to = bit * count + item;
                shuffled[to / 8] |= value << (to % 8);
            }
        }
        let mut items = vec![0; length];
        super::bitshuffle::undo(item_size, &shuffled, &mut vec![0xaa; length], &mut items);
        assert!(items == expected, "{length} bytes in items of {item_size}");
    }
}

#[test]
fn byte_order_agrees_with_its_slow_twin() {
    for (size, length) in sizes() {
        let stored = noise(length - length % size);
        let mut numbers = stored.clone();
        super::byte_order::reverse(size, &mut numbers);
        let expected: Vec<u8> =
            (0..stored.len()).map(|at| stored[at / size * size + size - 1 - at % size]).collect();
        assert!(numbers == expected, "{length} bytes in numbers of {size}");
    }
}

#[test]
fn rows_of_any_length_are_copied_as_one_item_after_the_other_is() {
    use super::copy::{Loop, Walk, copy};
    for (length, item) in (1..600).flat_map(|length| [(length, 1), (length, 3)]) {
        let (rows, apart, away) = (5, length * item + 7, length * item + 3);
        let source = noise(11 + rows * apart);
        let mut expected = noise(rows * away);
        let mut target = expected.clone();
        for row in 0..rows {
            // The last row of the source comes first in the target.
            let (from, to) = (11 + row * apart, (rows - 1 - row) * away);
            expected[to..to + length * item].copy_from_slice(&source[from..from + length * item]);
        }
        let outer = Loop::Run { count: rows, source: apart, target: -away.cast_signed() };
        let inner = Loop::Run { count: length, source: item, target: item.cast_signed() };
        let walk = Walk { source: 11, target: (rows - 1) * away, loops: vec![outer, inner] };
        copy(&source, &mut target, item, walk);
        assert!(target == expected, "rows of {length} items of {item}");
    }
}

#[test]
fn sums_agree_with_their_slow_twin() {
    for (size, run, step) in [(1, 7, 1), (1, 12, 3), (2, 5, 1), (2, 6, 2), (4, 9, 1), (8, 4, 1), (8, 6, 3)] {
        let mut numbers = noise(size * run * 3);
        let mut expected = numbers.clone();
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
        for at in (0..run * 3).filter(|at| at % run >= step) {
            let sum = number(&expected[(at - step) * size..][..size])
                .wrapping_add(number(&expected[at * size..][..size]));
            expected[at * size..][..size].copy_from_slice(&sum.to_le_bytes()[..size]);
        }
        super::sums::add_up(&mut numbers, size, run, step);
        assert!(numbers == expected, "numbers of {size} bytes, {run} in a run, {step} apart");
    }
}

#[cfg(feature = "inflate")]
#[test]
fn patterns_of_any_length_are_repeated() {
    let bytes: super::vector::ByteLanes = std::array::from_fn(|at| 3 * at as u8 + 1);
    for length in 1..=super::vector::LANES {
        let expected = std::array::from_fn(|at| bytes[at % length]);
        assert_eq!(super::vector::Vector::load(&bytes).repeated(length).bytes(), expected, "{length}");
    }
}
