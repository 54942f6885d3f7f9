//! CCSDS 121.0-B lossless compression (adaptive entropy coding, "AEC"), as data template 42 of GRIB2 and HDF5's filter szip
//! use it.
//!
//! Numbers come in blocks, each coded in the way that its first bits name; blocks come in reference intervals, whose
//! first number is stored whole where a predictor is used: the number before it, with the difference folded to be
//! positive.
//! Spec: <https://public.ccsds.org/Pubs/121x0b3.pdf>

use super::bits::Bits;

const CUT_SHORT: &str = "the data are cut short";

/// Most bits of a number.
const MAX_BITS: u32 = 32;

/// Flags of data template 42 (libaec's names: signed, preprocess, restricted, pad RSI).
const SIGNED: u8 = 1;
/// The flag of numbers that are predicted.
pub const PREDICTED: u8 = 8;
const RESTRICTED: u8 = 16;
const PADDED: u8 = 32;

/// Blocks to which a run of zero blocks may reach at most: "remainder of segment".
const SEGMENT: u32 = 64;

/// The run of zero blocks that stands for the remainder of a segment.
const REMAINDER: u32 = 5;

/// The largest sum of two numbers that the second extension codes.
const MOST_SUM: u32 = 12;

/// Parameters of the numbers, as data template 42 has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Samples {
    /// Bits of a number.
    pub bits: u32,
    /// Numbers of a block.
    pub block: u32,
    /// Blocks of a reference interval.
    pub interval: u32,
    /// The flags.
    pub flags: u8,
}

/// Writer of numbers: undoes the prediction, then puts each into its slot.
struct Writer<I, P> {
    slots: I,
    put: P,
    /// The largest number; nothing where numbers are not predicted.
    predicted: Option<u32>,
    last: u32,
}

impl<I: ExactSizeIterator, P: Fn(I::Item, u32)> Writer<I, P> {
    /// Writes a number that is stored whole.
    fn whole(&mut self, number: u32) {
        self.last = number;
        if let Some(slot) = self.slots.next() {
            (self.put)(slot, number);
        }
    }

    /// Writes a number that is coded; those past the last slot are padding.
    #[inline]
    fn coded(&mut self, coded: u32) {
        let Some(most) = self.predicted else { return self.whole(coded) };
        let is_upper = self.last > most / 2;
        let nearest = if is_upper { most.wrapping_sub(self.last) } else { self.last };
        let half = coded / 2 + coded % 2;
        let number = if half <= nearest {
            if coded % 2 == 1 { self.last.wrapping_sub(half) } else { self.last.wrapping_add(half) }
        } else if is_upper {
            most.wrapping_sub(coded)
        } else {
            coded
        };
        self.whole(number);
    }
}

/// Decodes floats: `value` makes each of a number.
///
/// # Errors
/// The damage, in words.
#[cfg(feature = "grib2")]
pub(super) fn floats(
    data: &[u8],
    samples: &Samples,
    value: impl Fn(f64) -> f64,
    points: &mut [f64],
) -> Result<(), &'static str> {
    decode(data, samples, points.iter_mut(), |point, number| *point = value(f64::from(number)))
}

/// Decodes numbers of `size` bytes, at most four, in either byte order.
///
/// # Errors
/// The damage, in words.
#[inline(never)]
pub fn integers(
    data: &[u8],
    samples: &Samples,
    size: usize,
    is_big_endian: bool,
    items: &mut [u8],
) -> Result<(), &'static str> {
    match size {
        1 => decode(data, samples, items.iter_mut(), |item, number| *item = number as u8),
        2..=4 => decode(data, samples, items.chunks_exact_mut(size), |item, number| {
            if is_big_endian {
                item.copy_from_slice(&number.to_be_bytes()[4 - size..]);
            } else {
                item.copy_from_slice(&number.to_le_bytes()[..size]);
            }
        }),
        _ => Err("numbers of other sizes than one to four bytes"),
    }
}

/// Decodes as many numbers as there are slots.
fn decode<I: ExactSizeIterator>(
    data: &[u8],
    samples: &Samples,
    slots: I,
    put: impl Fn(I::Item, u32),
) -> Result<(), &'static str> {
    let Samples { bits: width, block, interval, flags } = *samples;
    if width == 0 || width > MAX_BITS || block == 0 || interval == 0 {
        return Err("parameters that CCSDS does not have");
    }
    if flags & SIGNED != 0 {
        return Err("signed numbers, which neither GRIB2 nor HDF5 has");
    }
    let id_bits = match width {
        1..=2 if flags & RESTRICTED != 0 => 1,
        1..=4 if flags & RESTRICTED != 0 => 2,
        1..=8 => 3,
        9..=16 => 4,
        _ => 5,
    };
    let most = ((1_u64 << width) - 1) as u32;
    let predicted = (flags & PREDICTED != 0).then_some(most);
    let mut bits = Bits::new(data);
    let mut sink = Writer { slots, put, predicted, last: 0 };
    let mut done = 0;
    while sink.slots.len() > 0 {
        if done == interval {
            done = 0;
            if flags & PADDED != 0 {
                bits.align();
            }
        }
        let has_reference = done == 0 && predicted.is_some();
        done += run(&mut bits, &mut sink, samples, id_bits, has_reference, done).ok_or(CUT_SHORT)??;
    }
    Ok(())
}

/// Decodes one block, or a run of zero blocks; returns how many blocks it was.
fn run<I: ExactSizeIterator>(
    bits: &mut Bits<'_>,
    sink: &mut Writer<I, impl Fn(I::Item, u32)>,
    samples: &Samples,
    id_bits: u32,
    has_reference: bool,
    done: u32,
) -> Option<Result<u32, &'static str>> {
    let Samples { bits: width, block, interval, .. } = *samples;
    let id = bits.number(id_bits)?;
    if id == (1 << id_bits) - 1 {
        let whole = u32::from(has_reference);
        for nth in 0..block {
            let number = bits.number(width)?;
            if nth < whole { sink.whole(number) } else { sink.coded(number) }
        }
        return Some(Ok(1));
    }
    // Blocks of little entropy are of two kinds, which one bit tells apart.
    let is_extension = id == 0 && bits.number(1)? == 1;
    if has_reference {
        sink.whole(bits.number(width)?);
    }
    let coded = block - u32::from(has_reference);
    if id > 0 {
        return split(bits, sink, coded, id - 1);
    }
    if is_extension {
        return extension(bits, sink, block, u32::from(has_reference));
    }
    let run = bits.zeros()?.saturating_add(1);
    let blocks = match run {
        REMAINDER => (interval - done).min(SEGMENT - done % SEGMENT),
        ..REMAINDER => run,
        _ => run - 1,
    };
    if blocks > interval - done {
        return Some(Err("a run of blocks past the end of its interval"));
    }
    let numbers = u64::from(blocks) * u64::from(block) - u64::from(has_reference);
    let numbers = numbers.min(sink.slots.len() as u64);
    (0..numbers).for_each(|_| sink.coded(0));
    Some(Ok(blocks))
}

/// Numbers split into an upper part, stored as so many zeros and a one, and `low` bits.
fn split<I: ExactSizeIterator>(
    bits: &mut Bits<'_>,
    sink: &mut Writer<I, impl Fn(I::Item, u32)>,
    coded: u32,
    low: u32,
) -> Option<Result<u32, &'static str>> {
    // The upper parts of a block come first: a second reader goes over them while the first one is at the low bits.
    let mut upper = bits.clone();
    for _ in 0..coded {
        bits.zeros()?;
    }
    for _ in 0..coded {
        let number = u64::from(upper.zeros()?) << low | u64::from(bits.number(low)?);
        sink.coded(number as u32);
    }
    Some(Ok(1))
}

/// Numbers in pairs, each pair one number: the second extension.
fn extension<I: ExactSizeIterator>(
    bits: &mut Bits<'_>,
    sink: &mut Writer<I, impl Fn(I::Item, u32)>,
    block: u32,
    first: u32,
) -> Option<Result<u32, &'static str>> {
    let mut nth = first;
    while nth < block {
        let pair = bits.zeros()?;
        let Some(sum) = (0..=MOST_SUM).find(|sum| pair < (sum + 1) * (sum + 2) / 2) else {
            return Some(Err("a pair of numbers that no code stands for"));
        };
        let second = pair - sum * (sum + 1) / 2;
        // The other number of the first pair is the reference, which is stored whole.
        if nth.is_multiple_of(2) {
            sink.coded(sum - second);
            nth += 1;
        }
        sink.coded(second);
        nth += 1;
    }
    Some(Ok(1))
}
