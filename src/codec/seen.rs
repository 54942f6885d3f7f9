//! What a cast came across on its way: the least and the greatest number, and the first that did not fit.

use super::scalar::Scalar;

/// What a cast came across.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    pub(super) least: f64,
    pub(super) greatest: f64,
    /// The first number that the target cannot hold.
    pub misfit: Option<Scalar>,
}

impl Default for Seen {
    fn default() -> Self {
        Self { least: f64::INFINITY, greatest: f64::NEG_INFINITY, misfit: None }
    }
}

impl Seen {
    pub(super) fn take_all(&mut self, floats: &[f64]) {
        // In lanes, as a processor has them. A comparison with NaN is false, so NaN is never taken.
        let (mut least, mut greatest) = ([self.least; 4], [self.greatest; 4]);
        let (fours, rest) = floats.as_chunks::<4>();
        for four in fours {
            for (lane, &float) in four.iter().enumerate() {
                least[lane] = if float < least[lane] { float } else { least[lane] };
                greatest[lane] = if float > greatest[lane] { float } else { greatest[lane] };
            }
        }
        self.least = least.into_iter().fold(self.least, f64::min);
        self.greatest = greatest.into_iter().fold(self.greatest, f64::max);
        rest.iter().for_each(|&float| self.take(float));
    }

    pub(super) fn take(&mut self, float: f64) {
        self.least = if float < self.least { float } else { self.least };
        self.greatest = if float > self.greatest { float } else { self.greatest };
    }
}
