//! The class `ChunkGrid`: the chunk edges of an array, as runs of equal edges.

use std::rc::Rc;

use js_sys::{Array, Object};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::value::{number, numbers, object, shown};
use crate::js::options::selection::coordinates;
use crate::{grid, read};

/// A view of an opened array's grid.
#[wasm_bindgen(js_name = ChunkGrid, skip_typescript)]
pub struct ChunkGridView {
    array: Rc<read::Array>,
    is_inner: bool,
}

#[wasm_bindgen(js_class = ChunkGrid)]
impl ChunkGridView {
    /// Number of chunks along each axis that overlap the array.
    #[wasm_bindgen(getter)]
    pub fn shape(&self) -> Array {
        numbers(self.grid().shape())
    }

    /// Whether all chunks have the same declared shape.
    #[wasm_bindgen(getter, js_name = isRegular)]
    pub fn is_regular(&self) -> bool {
        self.grid().is_regular()
    }

    /// Runs of equal chunk edges along an axis, as declared.
    pub fn runs(&self, axis: &JsValue) -> JsResult<Array> {
        let axes = self.grid().axes();
        let axis = coordinates(&Array::of1(axis), 1)
            .ok()
            .and_then(|axis| axes.get(usize::try_from(axis[0]).ok()?))
            .ok_or_else(|| Error::Selection {
                axis: None,
                reason: format!("there is no axis {}; the array has {} axes", shown(axis), axes.len()),
            })?;
        Ok(listed_runs(axis))
    }

    /// Coordinates of the chunk that holds an element, and the element's index within the chunk.
    #[wasm_bindgen(js_name = chunkAt)]
    pub fn chunk_at(&self, index: &JsValue) -> JsResult<Object> {
        let index = coordinates(index, self.grid().axes().len())?;
        let found =
            self.grid().chunk_at(&index).ok_or_else(|| outside(&index, &self.grid().array_shape()))?;
        Ok(object([("coords", numbers(found.coords).into()), ("within", numbers(found.within).into())]))
    }

    /// Bounds of a chunk in the array (`start` and `stop` of each axis), clipped to the array's shape.
    pub fn bounds(&self, coords: &JsValue) -> JsResult<Object> {
        let coords = coordinates(coords, self.grid().axes().len())?;
        let spans = self.grid().bounds(&coords).ok_or_else(|| outside(&coords, &self.grid().shape()))?;
        Ok(object([
            ("start", numbers(spans.iter().map(|span| span.start)).into()),
            ("stop", numbers(spans.iter().map(|span| span.stop)).into()),
        ]))
    }
}

impl ChunkGridView {
    /// The grid of stored chunks, or of innermost chunks where `is_inner`.
    pub(crate) fn new(array: Rc<read::Array>, is_inner: bool) -> Self {
        Self { array, is_inner }
    }

    fn grid(&self) -> &grid::ChunkGrid {
        if self.is_inner { self.array.read_grid() } else { &self.array.metadata.chunk_grid }
    }
}

/// The runs of an axis as JavaScript objects.
pub(crate) fn listed_runs(axis: &grid::Axis) -> Array {
    let entry = |run: &grid::Run| -> JsValue {
        let is_longer = run.encoded > run.edge;
        let encoded = if is_longer { number(run.encoded).into() } else { JsValue::UNDEFINED };
        let edge = number(run.edge).into();
        object([("edge", edge), ("count", number(run.count).into()), ("encoded", encoded)]).into()
    };
    axis.runs().iter().map(entry).collect()
}

/// The error for coordinates outside of a shape, at the first axis where they are.
fn outside(coordinates: &[u64], shape: &[u64]) -> Error {
    let axis = coordinates.iter().zip(shape).position(|(at, length)| at >= length);
    Error::Selection { axis, reason: format!("{coordinates:?} is outside of the shape {shape:?}") }
}
