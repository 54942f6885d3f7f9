//! Numbers in a TIFF file: the types of fields, and both byte orders.

/// The byte order of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) is_big: bool,
}

impl Numbers {
    /// The unsigned integer of up to eight bytes.
    pub(super) fn unsigned(self, bytes: &[u8]) -> u64 {
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        if self.is_big { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }

    /// The number of an item of a field; `None` for text.
    pub(super) fn float(self, field: Field, item: &[u8]) -> Option<f64> {
        let bits = self.unsigned(item);
        #[expect(clippy::cast_precision_loss, reason = "numbers of metadata are floats")]
        let whole = |number: u64| number as f64;
        Some(match field {
            Field::Float => f32::from_bits(bits as u32).into(),
            Field::Double => f64::from_bits(bits),
            Field::SignedByte => f64::from(bits as i8),
            Field::SignedShort => f64::from(bits as i16),
            Field::SignedLong => f64::from(bits as i32),
            Field::Rational => {
                let (over, under) = item.split_at(4);
                whole(self.unsigned(over)) / whole(self.unsigned(under))
            }
            Field::Ascii => return None,
            _ => whole(bits),
        })
    }
}

/// The type of a field's items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Byte,
    Ascii,
    Short,
    Long,
    Rational,
    SignedByte,
    Undefined,
    SignedShort,
    SignedLong,
    Float,
    Double,
    Long8,
}

impl Field {
    /// The type of a number in the file; `None` where its size is not known.
    pub(super) fn of(number: u64) -> Option<Self> {
        Some(match number {
            1 => Self::Byte,
            2 => Self::Ascii,
            3 => Self::Short,
            // 13 and 18 are offsets of directories.
            4 | 13 => Self::Long,
            5 => Self::Rational,
            6 => Self::SignedByte,
            7 => Self::Undefined,
            8 => Self::SignedShort,
            9 => Self::SignedLong,
            11 => Self::Float,
            12 => Self::Double,
            16 | 18 => Self::Long8,
            _ => return None,
        })
    }

    /// Bytes of an item.
    pub(super) fn size(self) -> u64 {
        match self {
            Self::Byte | Self::Ascii | Self::SignedByte | Self::Undefined => 1,
            Self::Short | Self::SignedShort => 2,
            Self::Long | Self::SignedLong | Self::Float => 4,
            Self::Rational | Self::Double | Self::Long8 => 8,
        }
    }

    /// Whether items are unsigned integers.
    pub(super) fn is_unsigned(self) -> bool {
        matches!(self, Self::Byte | Self::Short | Self::Long | Self::Long8)
    }
}
