//! Conversion between decimal text and floats, exact, with big integers and without tables.

use std::cmp::Ordering;

/// The most digits that are read: no more decide between two floats, apart from whether any further digit is not 0.
const MOST_DIGITS: usize = 770;

/// An unsigned integer of any length: 32-bit parts, lowest first, without leading zeros.
#[derive(Clone)]
struct BigNumber(Vec<u32>);

impl BigNumber {
    fn new(value: u64) -> Self {
        let mut whole = Self(vec![value as u32, (value >> 32) as u32]);
        whole.trim();
        whole
    }

    fn times_plus(&mut self, by: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for part in &mut self.0 {
            carry += u64::from(*part) * u64::from(by);
            *part = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
        self.trim();
    }

    fn times_ten_to(&mut self, mut power: u32) {
        while power > 0 {
            let step = power.min(9);
            self.times_plus(10_u32.pow(step), 0);
            power -= step;
        }
    }

    fn times_two_to(&mut self, power: u32) {
        if self.0.is_empty() {
            return;
        }
        self.times_plus(1 << (power % 32), 0);
        self.0.splice(..0, std::iter::repeat_n(0, power as usize / 32));
    }

    fn bits(&self) -> u32 {
        self.0.last().map_or(0, |top| self.0.len() as u32 * 32 - top.leading_zeros())
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// Subtracts a number that is not larger.
    fn minus(&mut self, other: &Self) {
        let mut borrow = 0;
        for (nth, part) in self.0.iter_mut().enumerate() {
            let away = i64::from(other.0.get(nth).copied().unwrap_or(0)) + borrow;
            let left = i64::from(*part) - away;
            *part = left as u32;
            borrow = i64::from(left < 0);
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

/// The float nearest to a JSON number, ties to even; infinite if the number is out of range.
pub(super) fn nearest(text: &str) -> f64 {
    let (sign, text) = text.strip_prefix('-').map_or((1.0, text), |text| (-1.0, text));
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // An exponent of many digits makes the number infinite, or 0.
    let far = if exponent.starts_with('-') { -1_000_000_000 } else { 1_000_000_000 };
    let mut power: i64 =
        exponent.parse().map_or(far, |power: i64| power.clamp(-1_000_000_000, 1_000_000_000));
    power -= fraction.len() as i64;

    let mut number = BigNumber(Vec::new());
    let mut count = 0;
    let mut has_more = false;
    for digit in whole.bytes().chain(fraction.bytes()) {
        if count == MOST_DIGITS {
            has_more |= digit != b'0';
            power += 1;
        } else {
            count += usize::from(count > 0 || digit != b'0');
            number.times_plus(10, u32::from(digit - b'0'));
        }
    }
    if has_more {
        number.times_plus(10, 1);
        power -= 1;
    }
    if count <= 15 && power.unsigned_abs() <= 22 {
        // Both operands are exact floats, so the result is rounded once.
        let number = number.0.iter().rev().fold(0, |number, &part| number << 32 | u64::from(part)) as f64;
        let ten = (0..power.unsigned_abs()).fold(1.0, |ten, _| ten * 10.0);
        return sign * if power < 0 { number / ten } else { number * ten };
    }
    let magnitude = i64::try_from(count).unwrap_or(i64::MAX) + power;
    sign * if number.0.is_empty() || magnitude < -330 {
        0.0
    } else if magnitude > 310 {
        f64::INFINITY
    } else {
        let ten = u32::try_from(power.unsigned_abs()).unwrap_or(u32::MAX);
        let mut one = BigNumber::new(1);
        if power < 0 {
            one.times_ten_to(ten)
        } else {
            number.times_ten_to(ten)
        }
        ratio(number, one)
    }
}

/// The float nearest to the quotient of two integers.
fn ratio(mut above: BigNumber, mut below: BigNumber) -> f64 {
    // Both are shifted to the same number of bits, so the first or the second bit of the quotient is 1.
    let shift = i64::from(below.bits()) - i64::from(above.bits());
    let by = u32::try_from(shift.unsigned_abs()).unwrap_or(u32::MAX);
    if shift < 0 {
        below.times_two_to(by)
    } else {
        above.times_two_to(by)
    }
    // The 53 bits of a float, and at least two for rounding.
    let mut quotient = 0_u64;
    for _ in 0..56 {
        quotient *= 2;
        if above.compare(&below).is_ge() {
            above.minus(&below);
            quotient += 1;
        }
        above.times_two_to(1);
    }
    let power = -shift - 55;

    let bits = 64 - i64::from(quotient.leading_zeros());
    // The lowest bit of the smallest floats is 2^-1074.
    let drop = u32::try_from((bits - 53).max(-1074 - power)).unwrap_or(0).min(63);
    let kept = quotient >> drop;
    let (rest, half) = (quotient - (kept << drop), 1 << (drop - 1));
    let is_up = rest > half || rest == half && (!above.0.is_empty() || kept % 2 == 1);
    let kept = kept + u64::from(is_up);
    // Each step is exact, or overflows to infinity.
    if kept == 0 { 0.0 } else { kept as f64 * two_to(power + i64::from(drop)) }
}

/// A power of two from 2^-1074 to 2^1023.
fn two_to(power: i64) -> f64 {
    let (exponent, fraction) = if power < -1022 { (0, 1_u64 << (power + 1074)) } else { (power + 1023, 0) };
    f64::from_bits(u64::try_from(exponent).unwrap_or(0) << 52 | fraction)
}

/// A finite float as JSON, with the fewest digits that identify it.
#[must_use]
pub fn shortest(float: f64) -> String {
    let sign = if float.is_sign_negative() { "-" } else { "" };
    let bits = float.abs().to_bits();
    if bits == 0 {
        return format!("{sign}0.0");
    }
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as u32);
    let (mut above, power) = match exponent {
        0 => (BigNumber::new(fraction), -1074),
        exponent => (BigNumber::new(fraction | 1 << 52), exponent.cast_signed() - 1075),
    };
    let mut below = BigNumber::new(1);
    if power < 0 {
        below.times_two_to(power.unsigned_abs())
    } else {
        above.times_two_to(power.unsigned_abs())
    }

    // Scaled to one digit before the point; that digit counts 10^place.
    let mut place = (above.bits().cast_signed() - below.bits().cast_signed()) * 30_103 / 100_000;
    if place < 0 {
        above.times_ten_to(place.unsigned_abs())
    } else {
        below.times_ten_to(place.unsigned_abs())
    }
    while above.compare(&below).is_lt() {
        above.times_plus(10, 0);
        place -= 1;
    }
    let mut ten = below.clone();
    ten.times_plus(10, 0);
    while above.compare(&ten).is_ge() {
        below = ten.clone();
        ten.times_plus(10, 0);
        place += 1;
    }
    let digits = [(); 18].map(|()| {
        let mut digit = 0;
        while above.compare(&below).is_ge() {
            above.minus(&below);
            digit += 1;
        }
        above.times_plus(10, 0);
        digit
    });

    // 17 digits identify any float.
    let (mut number, mut count) = (0_u64, 0);
    for &digit in &digits[..17] {
        count += 1;
        number = number * 10 + digit;
        let rest = &digits[count as usize..];
        let is_half = rest[0] == 5 && rest[1..].iter().all(|&digit| digit == 0) && above.0.is_empty();
        let is_up = if is_half { number % 2 == 1 } else { rest[0] >= 5 };
        let text = format!("{}e{}", number + u64::from(is_up), place + 1 - count);
        if nearest(&text) == float.abs() {
            number += u64::from(is_up);
            break;
        }
    }
    let mut text = number.to_string();
    // Rounding may have added a digit.
    place += i32::try_from(text.len()).unwrap_or(count) - count;
    text.truncate(text.trim_end_matches('0').len());
    let zeros = |number: i32| "0".repeat(usize::try_from(number).unwrap_or(0));
    let written = i32::try_from(text.len()).unwrap_or(count);
    match place {
        ..-5 | 16.. => {
            if written > 1 {
                text.insert(1, '.');
            }
            let sign = if place < 0 { '-' } else { '+' };
            text = format!("{text}e{sign}{}", place.unsigned_abs());
        }
        ..0 => text = format!("0.{}{text}", zeros(-1 - place)),
        _ if written <= place + 1 => text = format!("{text}{}.0", zeros(place + 1 - written)),
        _ => text.insert(usize::try_from(place).unwrap_or(0) + 1, '.'),
    }
    sign.to_owned() + &text
}

#[cfg(test)]
mod tests;
