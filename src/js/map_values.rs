//! The values of a `Map`, each looked up and copied in one call of JavaScript.

use js_sys::{JsString, Map};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::JsResult;
use super::value::number;

#[wasm_bindgen(raw_module = "./map-values.js")]
extern "C" {
    type Values;

    #[wasm_bindgen(constructor)]
    fn new(map: &Map, memory: &JsValue) -> Values;

    #[wasm_bindgen(method, setter)]
    fn set_head(this: &Values, head: &JsString);

    #[wasm_bindgen(method)]
    fn copy(this: &Values, tail: u32, at: usize, room: usize) -> i32;

    #[wasm_bindgen(method, js_name = copyRow)]
    fn copy_row(this: &Values, tail: u32, count: usize, at: usize, room: usize, lengths: usize) -> usize;
}

#[wasm_bindgen(raw_module = "./scatter.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = scatterValue)]
    fn scatter_value(
        map: &Map,
        head: &JsString,
        tail: u32,
        length: f64,
        target: &JsValue,
        walk: &[i32],
    ) -> JsResult<i32>;
}

/// What a call found.
pub(super) enum Found {
    Nothing,
    /// So many bytes, which are where they were wanted.
    Bytes(usize),
    /// What takes another way.
    Else,
}

/// A map, and the last key without the number at its end, which is all that neighbours differ in: as it is and, with a
/// slash before it, as JavaScript has it. To make a string there takes longer than to copy a small chunk.
pub(super) struct MapValues<'a> {
    map: &'a Map,
    values: Values,
    head: String,
    string: JsString,
}

impl<'a> MapValues<'a> {
    pub(super) fn new(map: &'a Map) -> Self {
        let (values, string) = (Values::new(map, &wasm_bindgen::memory()), JsString::from("/"));
        values.set_head(&string);
        Self { map, values, head: String::new(), string }
    }

    /// Copies a value to the start of the room.
    pub(super) fn copy(&mut self, key: &str, room: &mut [u8]) -> Found {
        let Some(tail) = self.tail(key) else { return Found::Else };
        found(self.values.copy(tail, room.as_mut_ptr() as usize, room.len()))
    }

    /// Copies the values of keys whose numbers at the end go up by one to the start of the room, one after the other,
    /// and notes their lengths. How many: as many as there are lengths, but for those from the first on that is missing,
    /// takes another way, or finds no room.
    pub(super) fn copy_row(&mut self, key: &str, room: &mut [u8], lengths: &mut [u32]) -> usize {
        let Some(tail) = self.tail(key) else { return 0 };
        let [at, noted] = [room.as_mut_ptr() as usize, lengths.as_mut_ptr() as usize];
        self.values.copy_row(tail, lengths.len(), at, room.len(), noted)
    }

    /// Copies words of a value of so many bytes to others.
    pub(super) fn scatter(
        &mut self,
        key: &str,
        length: u64,
        target: &JsValue,
        walk: &[i32],
    ) -> JsResult<Found> {
        let Some(tail) = self.tail(key) else { return Ok(Found::Else) };
        scatter_value(self.map, &self.string, tail, number(length), target, walk).map(found)
    }

    /// The number at the end of a key, whose head is the current one then.
    fn tail(&mut self, key: &str) -> Option<u32> {
        let end = key.bytes().rposition(|letter| !letter.is_ascii_digit()).map_or(0, |at| at + 1);
        let (head, digits) = key.split_at(end);
        // JavaScript writes no zeros before a number.
        let tail = digits.parse().ok().filter(|_| digits == "0" || !digits.starts_with('0'))?;
        if self.head != head {
            head.clone_into(&mut self.head);
            self.string = JsString::from(format!("/{head}"));
            self.values.set_head(&self.string);
        }
        Some(tail)
    }
}

/// What a function of JavaScript returned: a length, -1 for nothing, -2 for what takes another way.
fn found(length: i32) -> Found {
    match usize::try_from(length) {
        Ok(length) => Found::Bytes(length),
        Err(_) if length == -1 => Found::Nothing,
        Err(_) => Found::Else,
    }
}
