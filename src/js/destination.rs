//! Where a read's result goes: its bands, each copied to JavaScript's arrays as soon as it is whole.
//!
//! Invariant: what is copied in one turn of the event loop is no more than a slice.

use std::borrow::Cow;

use wasm_bindgen::JsValue;

use super::JsResult;
use super::form::Form;
use super::region::data;
use super::timer::Breath;
use super::typed_array::{Items, class, has_64_bits};
use crate::codec::Decoded;
use crate::read::{BAND_BYTES, Band, Bands, Column, Plan, Task};

/// Bytes that are copied before others get a turn, if it is time for that: 4 MiB, which takes one or two milliseconds.
const SLICE: usize = 4 << 20;

/// The result of a read in the making.
pub(super) struct Destination<'a> {
    plan: &'a Plan<'a>,
    form: &'a Form,
    bands: Bands,
    columns: Vec<Data>,
    breath: Breath,
}

/// The data of a column.
enum Data {
    /// Items that are copied as they are.
    Items(Items),
    /// What is made of all of them at once.
    Made(JsValue),
}

impl<'a> Destination<'a> {
    pub(super) fn new(plan: &'a Plan<'a>, form: &'a Form) -> JsResult<Self> {
        let classes: Vec<_> = plan.columns().iter().map(|column| class_of(column, form)).collect();
        let bytes = if classes.iter().all(Option::is_some) { BAND_BYTES } else { u64::MAX };
        let bands = Bands::new(plan, bytes)?;
        let items: u64 = plan.shape().iter().product();
        let columns = plan.columns().iter().zip(classes).map(|(column, class)| match class {
            Some(class) => {
                let items = Items::new(class, items * column.data_type.item_size() as u64);
                items.map(Data::Items).map_err(|_| plan.too_large().into())
            }
            None => {
                let [bytes, heap] = [(); 2].map(|()| Cow::Borrowed([].as_slice()));
                data(&Decoded { bytes, strides: Vec::new(), heap }, column, form).map(Data::Made)
            }
        });
        let columns = columns.collect::<JsResult<_>>()?;
        Ok(Self { plan, form, bands, columns, breath: Breath::new() })
    }

    /// Puts a task's chunk in its place, or the fill value where there is none.
    pub(super) async fn put(&mut self, task: &Task, chunk: Option<&Decoded<'_>>) -> JsResult<()> {
        for nth in self.bands.of(&task.wanted) {
            if let Some(band) = self.bands.put(nth, &task.wanted, chunk)? {
                self.hand_over(band).await?;
            }
        }
        Ok(())
    }

    /// The data of every column, once all chunks are there.
    pub(super) fn finish(self) -> Vec<JsValue> {
        let data = |data| match data {
            Data::Items(items) => items.array,
            Data::Made(data) => data,
        };
        self.columns.into_iter().map(data).collect()
    }

    async fn hand_over(&mut self, band: Band) -> JsResult<()> {
        for (nth, items) in band.columns.into_iter().enumerate() {
            match &mut self.columns[nth] {
                Data::Items(to) => {
                    let (bytes, place) = items.placed();
                    for (slice, at) in bytes.chunks(SLICE).zip(place.step_by(SLICE)) {
                        to.set(slice, at)?;
                        self.breath.take().await;
                    }
                    self.bands.reuse(items);
                }
                Data::Made(made) => {
                    *made = data(&items.into_decoded(), &self.plan.columns()[nth], self.form)?;
                }
            }
        }
        Ok(())
    }
}

/// The class of the array that a column's items are copied to as they are.
fn class_of(column: &Column, form: &Form) -> Option<&'static str> {
    let is_converted = form.int64_as_number && has_64_bits(&column.data_type);
    if is_converted { None } else { class(&column.data_type) }
}
