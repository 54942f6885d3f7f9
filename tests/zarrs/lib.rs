//! Writes arrays with zarrs, and says what zarrs itself reads of them.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fastrand::Rng;
use serde_json::Value;
use zarrs::array::{Array, ArrayBytes, ArrayBytesOffsets, ArraySubset};
use zarrs::filesystem::FilesystemStore;

/// An array that zarrs wrote.
pub struct Written {
    /// Where its `zarr.json` is.
    pub folder: PathBuf,
    array: Array<FilesystemStore>,
}

impl Written {
    /// Writes an array of these metadata with random values; some chunks at its end stay missing.
    ///
    /// # Panics
    /// Where zarrs refuses.
    #[must_use]
    pub fn new(folder: &Path, document: &Value) -> Self {
        let _ = std::fs::remove_dir_all(folder);
        let store = Arc::new(FilesystemStore::new(folder).expect("a folder"));
        let metadata = serde_json::from_value(document.clone()).expect("metadata");
        let array = Array::new_with_metadata(store, "/", metadata).expect("an array");
        array.store_metadata().expect("stored metadata");
        let part = part(array.shape());
        let items = usize::try_from(part.num_elements()).expect("few items");
        let values = values(&array, items, &mut Rng::with_seed(11));
        if items > 0 {
            array.store_array_subset(&part, values.clone()).expect("stored values");
        }
        Self { folder: folder.to_owned(), array }
    }

    /// The array's extents.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        self.array.shape()
    }

    /// Contents of a box as zarrs reads them: the items' bytes, or each item's length, a little-endian `u32`, and its content.
    ///
    /// # Panics
    /// Where zarrs cannot read what it wrote.
    #[must_use]
    pub fn read(&self, ranges: &[Range<u64>]) -> Vec<u8> {
        let subset = ArraySubset::new_with_ranges(ranges);
        match self.array.retrieve_array_subset(&subset).expect("zarrs reads") {
            ArrayBytes::Fixed(bytes) => bytes.into_owned(),
            ArrayBytes::Variable(items) => {
                let spans = items.offsets().windows(2);
                let item = |span: &[usize]| {
                    let length = u32::try_from(span[1] - span[0]).expect("short items");
                    [&length.to_le_bytes(), &items.bytes()[span[0]..span[1]]].concat()
                };
                spans.flat_map(item).collect()
            }
            ArrayBytes::Optional(_) => panic!("no optional type is tested"),
        }
    }

    /// Shrinks or grows the array, and leaves the chunks as they are.
    ///
    /// # Panics
    /// Where zarrs refuses.
    pub fn resize(&mut self, shape: &[u64]) {
        self.array.set_shape(shape.to_vec()).expect("a new shape");
        self.array.store_metadata().expect("stored metadata");
    }
}

/// All of an array but the last third of its first axis.
fn part(shape: &[u64]) -> ArraySubset {
    let mut ranges: Vec<Range<u64>> = shape.iter().map(|&extent| 0..extent).collect();
    if let Some(first) = ranges.first_mut() {
        first.end -= first.end / 3;
    }
    ArraySubset::new_with_ranges(&ranges)
}

/// Random values over the whole range of the array's data type.
fn values(array: &Array<FilesystemStore>, items: usize, rng: &mut Rng) -> ArrayBytes<'static> {
    let metadata = serde_json::to_value(array.metadata()).expect("metadata");
    let data_type = &metadata["data_type"];
    let name = data_type.as_str().or(data_type["name"].as_str()).expect("a name");
    let Some(size) = array.data_type().fixed_size() else {
        let contents: Vec<Vec<u8>> = (0..items).map(|_| content(name, rng)).collect();
        let ends = contents.iter().scan(0, |end, item| {
            *end += item.len();
            Some(*end)
        });
        let offsets = std::iter::once(0).chain(ends).collect::<Vec<_>>();
        let offsets = ArrayBytesOffsets::new(offsets).expect("rising offsets");
        return ArrayBytes::new_vlen(contents.concat(), offsets).expect("offsets that fit");
    };
    if name == "fixed_length_utf32" {
        let letters = (0..items * size / 4).flat_map(|_| u32::from(letter(rng)).to_le_bytes());
        return ArrayBytes::new_flen(letters.collect::<Vec<_>>());
    }
    // Types of fewer than eight bits are kept in a byte each.
    let (bits, signed) = match name {
        "bool" => (1, false),
        "int2" => (2, true),
        "uint2" => (2, false),
        "int4" => (4, true),
        "uint4" => (4, false),
        name if name.contains("float4_") => (4, false),
        name if name.contains("float6_") => (6, false),
        _ => (8, false),
    };
    let unused = 8 - bits;
    let narrow = |byte: u8| {
        if signed { ((byte << unused).cast_signed() >> unused).cast_unsigned() } else { byte >> unused }
    };
    ArrayBytes::new_flen((0..items * size).map(|_| narrow(rng.u8(..))).collect::<Vec<_>>())
}

fn content(name: &str, rng: &mut Rng) -> Vec<u8> {
    let length = rng.usize(0..9);
    if name == "string" {
        return (0..length).map(|_| letter(rng)).collect::<String>().into_bytes();
    }
    (0..length).map(|_| rng.u8(..)).collect()
}

/// A letter of one to four bytes of UTF-8.
fn letter(rng: &mut Rng) -> char {
    [
        rng.char('a'..='z'),
        rng.char('\u{c0}'..='\u{ff}'),
        rng.char('\u{4e00}'..='\u{4eff}'),
        rng.char('😀'..='😏'),
    ][rng.usize(0..4)]
}
