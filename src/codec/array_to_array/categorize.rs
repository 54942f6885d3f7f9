//! `numcodecs.categorize`: strings stored as numbers of labels, counted from 1; any other number is the empty string.
//!
//! Decoded items are references to the labels. Strings of a fixed length hold the label itself, cut to that length.
//! Spec: <https://numcodecs.readthedocs.io/en/stable/filter/categorize.html>
//!
//! ```json
//! { "name": "numcodecs.categorize",
//!   "configuration": { "labels": ["calm", "storm"], "dtype": "|O", "astype": "|u1" } }
//! ```

use std::ops::Range;

use super::items::numpy::{number, optional};
use crate::codec::kinds::{ArrayToArrayCodec, ChunkShapes, CodecInput};
use crate::error::Result;
use crate::metadata::{DataType, Extension, Json, Kind, REFERENCE_BYTES, Value};
use crate::output::Decoded;
use crate::output::memory::{buffer, make_room};
use rectilinear_zarr_kernels::numeric::{BLOCK, Numeric};

/// The codec's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Categorize {
    /// The labels one after the other, encoded like the items' content.
    heap: Vec<u8>,
    labels: Vec<Range<usize>>,
    /// Number type of encoded items.
    code: Numeric,
    /// Bytes of a decoded item, and whether it is a reference.
    item_size: usize,
    is_reference: bool,
}

impl ArrayToArrayCodec for Categorize {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        settings.only_fields(&["labels", "dtype", "astype"])?;
        check_type(settings.required("dtype")?, &input.data_type)?;
        let (byte, pointer) = (Value::from("|u1"), settings.pointer());
        let astype = optional(&settings, "astype").unwrap_or(Json::at(&byte, &pointer));
        let (data_type, code) = number(astype)?;
        if code.is_float() {
            return Err(astype.expected("a data type of whole numbers"));
        }
        let item_size = input.data_type.item_size();
        let is_reference = *input.data_type.kind() == Kind::Text;
        let mut heap = Vec::new();
        let mut labels = Vec::new();
        for label in settings.required("labels")?.items()? {
            let start = heap.len();
            let text = label.string()?;
            if is_reference {
                heap.extend_from_slice(text.as_bytes());
            } else {
                let letters = text.chars().take(item_size / 4);
                heap.extend(letters.flat_map(|letter| u32::from(letter).to_le_bytes()));
            }
            labels.push(start..heap.len());
        }
        // Of equal labels, the encoder writes the number of the last one.
        let fill = labels.iter().rposition(|label| is_padded(&heap[label.clone()], &input.fill_value));
        let fill = i64::try_from(fill.map_or(0, |at| at + 1)).unwrap_or_default();
        let mut fill_value = vec![0; code.size()];
        code.put_integers(&[fill], Numeric::Int(64), &mut fill_value);
        let next = CodecInput { data_type, fill_value, rank: input.rank };
        Ok((Self { heap, labels, code, item_size, is_reference }, next))
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, _: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        let size = self.code.size();
        let count = encoded.bytes.len() / size;
        let mut items = buffer(count.saturating_mul(self.item_size))?;
        let mut block = [0; BLOCK];
        let targets = items.chunks_mut(BLOCK * self.item_size);
        for (codes, items) in encoded.bytes.chunks(BLOCK * size).zip(targets) {
            let numbers = &mut block[..codes.len() / size];
            self.code.integers(codes, numbers);
            for (&mut number, item) in numbers.iter_mut().zip(items.chunks_exact_mut(self.item_size)) {
                if let Some(label) = self.label(number) {
                    self.put(label, item);
                }
            }
        }
        let strides = encoded.strides.iter().map(|stride| stride / size * self.item_size).collect();
        let mut heap = Vec::new();
        if self.is_reference {
            make_room(&mut heap, self.heap.len())?;
            heap.extend_from_slice(&self.heap);
        }
        Ok(Decoded { bytes: items.into(), strides, heap: heap.into(), reversed: None })
    }
}

impl Categorize {
    fn label(&self, number: i64) -> Option<&Range<usize>> {
        let nth = usize::try_from(number).ok()?.checked_sub(1)?;
        self.labels.get(nth)
    }

    /// Writes a label, or a reference to it, to a zeroed item.
    fn put(&self, label: &Range<usize>, item: &mut [u8]) {
        if !self.is_reference {
            item[..label.len()].copy_from_slice(&self.heap[label.clone()]);
            return;
        }
        // Documents are shorter than 4 GiB, and so is the list of labels.
        let [start, length] =
            [label.start, label.len()].map(|part| u32::try_from(part).unwrap_or_default().to_le_bytes());
        item[..4].copy_from_slice(&start);
        item[4..REFERENCE_BYTES].copy_from_slice(&length);
    }
}

/// Checks that a field names the array's data type as numpy does.
fn check_type(field: Json<'_>, data_type: &DataType) -> Result<()> {
    let text = field.string()?;
    let letters = || text.trim_start_matches(['<', '>', '=', '|']).strip_prefix('U')?.parse::<usize>().ok();
    let fits = match data_type.kind() {
        Kind::Text => ["|O", "O", "object"].contains(&text),
        Kind::Utf32 => letters().is_some_and(|letters| letters.checked_mul(4) == Some(data_type.item_size())),
        _ => false,
    };
    if fits {
        return Ok(());
    }
    Err(field.expected(&format!("the data type of the codec's input, {}", data_type.name())))
}

/// Whether an item is this label, padded with zeros.
fn is_padded(label: &[u8], item: &[u8]) -> bool {
    item.strip_prefix(label).is_some_and(|rest| rest.iter().all(|&byte| byte == 0))
}
