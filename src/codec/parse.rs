//! Parsing of a codec pipeline from its metadata.

use super::array_spec::Stage;
use super::array_to_array::{ArrayToArray, Step};
use super::bytes_to_bytes::BytesToBytes;
use super::layout::LayoutCache;
use super::names::names;
use super::pipeline::{ArrayToBytes, Pipeline};
use super::{external, left_out};
use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension};

/// A codec of one of the three kinds.
enum Codec {
    /// The codec, and the stage after it.
    ArrayToArray(ArrayToArray, Stage),
    ArrayToBytes(ArrayToBytes),
    BytesToBytes(BytesToBytes),
}

impl Codec {
    /// Parses one metadata entry; `None` where the codec is unknown and `must_understand` is false.
    fn parse(extension: &Extension, stage: &Stage) -> Result<Option<Self>> {
        if let Some((codec, next)) = ArrayToArray::parse(extension, stage)? {
            return Ok(Some(Self::ArrayToArray(codec, next)));
        }
        if let Some(codec) = ArrayToBytes::parse(extension, stage)? {
            return Ok(Some(Self::ArrayToBytes(codec)));
        }
        match BytesToBytes::parse(extension)? {
            Some(codec) => Ok(Some(Self::BytesToBytes(codec))),
            None if extension.must_understand || left_out::is_pickle(extension) => {
                Err(left_out::unsupported(extension, &names()))
            }
            None => Ok(None),
        }
    }
}

impl Pipeline {
    /// Parses a list of codecs; `pointer` is the JSON pointer of the list.
    ///
    /// # Errors
    /// [`Error::Unsupported`] names a codec that this build lacks; [`Error::InvalidMetadata`] says
    /// what is wrong with a configuration, or with the order of the codecs.
    pub fn parse(
        codecs: &[Extension],
        pointer: &str,
        data_type: &DataType,
        fill_value: &[u8],
        rank: usize,
    ) -> Result<Self> {
        if let Some(name) = external::found(codecs) {
            return Ok(Self {
                data_type: data_type.clone(),
                array_to_array: Vec::new(),
                array_to_bytes: ArrayToBytes::External(name),
                bytes_to_bytes: Vec::new(),
                known: LayoutCache::default(),
            });
        }
        let mut stage = Stage { data_type: data_type.clone(), fill_value: fill_value.to_vec(), rank };
        let mut array_to_array = Vec::new();
        let mut array_to_bytes = None;
        let mut bytes_to_bytes = Vec::new();
        let mut arrays = Vec::new();
        for extension in codecs {
            match Codec::parse(extension, &stage)? {
                None => {}
                Some(Codec::ArrayToArray(codec, next)) if array_to_bytes.is_none() => {
                    let encoded_type = next.data_type.clone();
                    array_to_array.push(Step { codec, encoded_type, is_turned: false });
                    arrays.push(extension);
                    stage = next;
                }
                Some(Codec::ArrayToBytes(codec)) if array_to_bytes.is_none() => array_to_bytes = Some(codec),
                Some(Codec::BytesToBytes(codec)) if array_to_bytes.is_some() => bytes_to_bytes.push(codec),
                Some(_) => {
                    let reason = format!(
                        "the codec {:?} is out of order: expected array-to-array codecs, then one array-to-bytes \
                         codec, then bytes-to-bytes codecs",
                        extension.name
                    );
                    return Err(Error::metadata(extension.pointer.as_str(), reason));
                }
            }
        }
        let Some(array_to_bytes) = array_to_bytes else {
            let reason = "expected an array-to-bytes codec, such as \"bytes\"; found none";
            return Err(Error::metadata(pointer, reason));
        };
        #[cfg(feature = "rare")]
        super::array_to_array::byte_orders::turn(&mut array_to_array, &arrays, array_to_bytes.name());
        let (data_type, known) = (data_type.clone(), LayoutCache::default());
        Ok(Self { data_type, array_to_array, array_to_bytes, bytes_to_bytes, known })
    }
}
