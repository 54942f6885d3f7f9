//! Plan: the chunks that a selection meets, and for each chunk its location and the selection from it.
//!
//! Plans are data; the tasks are listed lazily, because a selection may meet 10^9 chunks.

use std::ops::Range;
use std::rc::Rc;

use super::array::{Array, Share};
use super::task::{ChunkLocation, Task};
use crate::error::{Error, Gather, Result};
use crate::grid::{
    Axis, AxisIndexer, AxisSelection, ChunkGrid, ChunkSelection, NormalizedAxis, PointSelection, normalise,
};
use crate::metadata::{ArrayMetadata, DataType, Kind};
use crate::output::{
    Cast, ColumnCasts, Decoded, DirectCopy, Numeric, OutputBox, OutputField, ResultLayout, StagedResult,
    Staging, part,
};
use crate::parts::{Calls, Loaded, later};

/// Most tasks that are sorted: 65,536.
///
/// All tasks must be listed before the first request; a read with more tasks is in grid order.
pub const MAX_ORDERED_TASKS: u64 = 1 << 16;

/// Maximum number of chunks in a row: 32, enough to make the work for each row small beside that for its chunks.
const MAX_ROW: usize = 32;

/// Maximum size of a row, stored and decoded: 64 KiB, so that both stay in the processor's cache.
pub const ROW_BYTES: u64 = 64 << 10;

/// Most bytes that one chunk may copy to a result: 4 MiB, which take a millisecond or two.
const MOST_COPIED: u64 = 4 << 20;

/// Plan of a read.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    array: &'a Array,
    selection: ChunkSelection,
    layout: ResultLayout,
}

impl Array {
    /// Plans the read of a selection.
    ///
    /// # Errors
    /// [`Error::Selection`] where the selection does not fit the array.
    pub fn plan(&self, selection: &[AxisSelection]) -> Result<Plan<'_>> {
        Ok(Plan::new(self, normalise(selection, &self.metadata.shape)?))
    }

    /// Plans the read of one stored chunk, clipped to the array.
    ///
    /// # Errors
    /// [`Error::Selection`] where the grid has no such chunk.
    pub fn plan_chunk(&self, coords: &[u64]) -> Result<Plan<'_>> {
        self.plan_chunk_of(&self.metadata.chunk_grid, coords)
    }

    /// Plans the read of one chunk of [`Array::read_grid`], clipped to the array.
    ///
    /// # Errors
    /// [`Error::Selection`] where the grid has no such chunk.
    pub fn plan_inner_chunk(&self, coords: &[u64]) -> Result<Plan<'_>> {
        self.plan_chunk_of(self.read_grid(), coords)
    }

    fn plan_chunk_of(&self, grid: &ChunkGrid, coords: &[u64]) -> Result<Plan<'_>> {
        let bounds = grid.bounds(coords).ok_or_else(|| {
            let reason =
                format!("there is no chunk {coords:?}; the chunk grid's shape is {:?}", grid.shape());
            Error::Selection { axis: None, reason }
        })?;
        let slices = bounds.iter().map(|span| AxisSelection::Slice {
            start: Some(span.start.cast_signed()),
            stop: Some(span.stop.cast_signed()),
            step: 1,
        });
        self.plan(&slices.collect::<Vec<_>>())
    }

    /// Plans the read of `count` points. `coordinates` has all axes of the first point, then of the second, and so on;
    /// the result has one item for each point.
    ///
    /// # Errors
    /// [`Error::Selection`] where a point is outside the array.
    pub fn plan_points(&self, count: usize, coordinates: &[i64]) -> Result<Plan<'_>> {
        Ok(Plan::of_points(self, PointSelection::new(count, coordinates, &self.metadata.shape)?))
    }
}

impl<'a> Plan<'a> {
    pub(super) fn new(array: &'a Array, picked: Vec<NormalizedAxis>) -> Self {
        let lengths = picked.iter().map(|axis| (!axis.dropped).then_some(axis.picks.count())).collect();
        let selection = ChunkSelection::Axes(picked.into_iter().map(|axis| axis.picks).collect());
        Self { array, selection, layout: ResultLayout::of_column(lengths, whole_items(array)) }
    }

    pub(super) fn of_points(array: &'a Array, points: PointSelection) -> Self {
        let lengths = vec![Some(points.count())];
        Self {
            array,
            selection: ChunkSelection::Points(points),
            layout: ResultLayout::of_column(lengths, whole_items(array)),
        }
    }

    /// Limits the plan to fields of a struct, each given as a name or a path of names separated by dots.
    ///
    /// # Errors
    /// [`Error::Selection`] where there is no such field, or `paths` is empty.
    pub fn with_fields(self, paths: &[String]) -> Result<Self> {
        with_fields(Loaded::get()?, self, paths)
    }

    /// Aligns the rows of the output, along its last axis, to multiples of `bytes` bytes.
    #[must_use]
    pub fn with_aligned_rows(mut self, bytes: usize) -> Self {
        self.layout.columns.iter_mut().for_each(|column| column.row_alignment = Some(bytes));
        self
    }

    /// Array to read.
    #[must_use]
    pub fn array(&self) -> &'a Array {
        self.array
    }

    /// Selection from the array.
    #[must_use]
    pub fn selection(&self) -> &ChunkSelection {
        &self.selection
    }

    /// Length of the output along each selected axis; `None` where an integer drops the axis.
    #[must_use]
    pub fn lengths(&self) -> &[Option<u64>] {
        &self.layout.lengths
    }

    /// Shape of the result: axes that an integer selects are dropped; points lie along one axis.
    #[must_use]
    pub fn shape(&self) -> Vec<u64> {
        self.layout.shape()
    }

    /// Columns of the output: whole items, or fields of a struct.
    #[must_use]
    pub fn columns(&self) -> &[OutputField] {
        &self.layout.columns
    }

    /// The first column, as items of one of the concatenated arrays are read.
    #[must_use]
    pub fn column_of(&self, array: usize) -> OutputField {
        OutputField { cast: self.layout.cast(array, 0), ..self.layout.columns[0].clone() }
    }

    /// Bytes of the result; saturates at `u64::MAX`.
    #[must_use]
    pub fn output_size(&self) -> u64 {
        self.layout.size()
    }

    /// Error for a result that is larger than this machine can hold.
    #[must_use]
    pub fn too_large(&self) -> Error {
        self.layout.too_large()
    }

    /// Limits the plan to a range of positions along the outermost axis of the result, where a run selects that axis.
    /// Items keep their positions in the whole result.
    #[must_use]
    pub fn within(&self, rows: &Range<u64>) -> Self {
        let axis = self.layout.outermost();
        let selection = axis.and_then(|axis| part(&self.selection, axis, rows));
        Self { selection: selection.unwrap_or_else(|| self.selection.clone()), ..self.clone() }
    }

    /// Whether chunks are stored uncompressed with the result's outermost axis outermost, so that each can be read in
    /// pieces along that axis.
    #[must_use]
    pub fn reads_along(&self) -> bool {
        let (ChunkSelection::Axes(picks), Some(axis)) = (&self.selection, self.layout.outermost()) else {
            return false;
        };
        let strides = self.array.plain_strides().filter(|_| self.array.inner_grid.is_none());
        matches!(picks[axis], AxisIndexer::Run { .. })
            && strides.is_some_and(|strides| strides.iter().all(|stride| *stride <= strides[axis]))
    }

    /// Staging buffers of about `bytes` bytes for the result.
    ///
    /// # Errors
    /// As [`Staging::new`].
    pub fn staging(&self, bytes: u64) -> Result<Staging> {
        Staging::new(self.staged(), bytes, false)
    }

    /// Like [`Plan::staging`], but also cuts chunks that have neighbours, for reads that fill one buffer after the other
    /// ([`Plan::within`]).
    ///
    /// # Errors
    /// As [`Staging::new`].
    pub fn staging_across_chunks(&self, bytes: u64) -> Result<Staging> {
        Staging::new(self.staged(), bytes, true)
    }

    /// Bytes of the result that staging buffers may hold at a time: those of a row of chunks; where chunks are shards, all,
    /// because many shards are open at a time, and their inner chunks arrive in any order. Saturates at `u64::MAX`.
    #[must_use]
    pub fn staged_bytes(&self) -> u64 {
        let all = self.output_size();
        let (Some(axis), ChunkSelection::Axes(picks), None) =
            (self.layout.outermost(), &self.selection, &self.array.inner_grid)
        else {
            return all;
        };
        let AxisIndexer::Run { step, count, .. } = picks[axis] else { return all };
        let runs = self.array.metadata.chunk_grid.axes()[axis].runs();
        let rows = runs.iter().map(|run| run.edge.div_ceil(step.max(1))).max().unwrap_or(1).min(count);
        (all / count.max(1)).saturating_mul(rows)
    }

    fn staged(&self) -> StagedResult<'_> {
        StagedResult {
            layout: &self.layout,
            selection: &self.selection,
            axes: self.array.read_grid().axes(),
            fill_fault: self.array.metadata.fill_fault.as_ref(),
        }
    }

    /// Boxes of a task's chunk: one, or more where a list picks coordinates that are not adjacent in the result.
    ///
    /// # Errors
    /// As [`OutputBox::of_chunk`].
    pub fn boxes(&self, task: &Task, chunk: Option<&Decoded<'_>>) -> Result<Vec<OutputBox>> {
        OutputBox::of_chunk(&self.layout, task.place(), chunk)
    }

    /// Direct copies to the result; `None` where items are converted or picked by a list, where a chunk copies more than
    /// 4 MiB, or where its rows are shorter than `least_row` bytes.
    #[must_use]
    pub fn direct_copy(&self, least_row: u64) -> Option<DirectCopy> {
        let ([column], ChunkSelection::Axes(axes)) = (self.columns(), &self.selection) else { return None };
        let is_run = |picks: &AxisIndexer| matches!(picks, AxisIndexer::Run { .. });
        let as_stored = column.cast.is_none() && column.offset == 0 && !column.data_type.is_variable();
        let item = column.data_type.item_size();
        // The bytes of a big-endian chunk are reversed in a copy of all of it.
        let largest = self.array.largest_chunk();
        let is_turned = self.array.leaves_big_endian();
        let brought = if is_turned { largest } else { largest.min(self.output_size()) };
        let is_whole = item == self.array.metadata.data_type.item_size();
        if !as_stored
            || !is_whole
            || !axes.iter().all(is_run)
            || brought > MOST_COPIED
            || self.has_rows_below(least_row)
        {
            return None;
        }
        DirectCopy::new(item, self.lengths())
    }

    /// Whether whole chunks are copied, in rows of fewer bytes than `least_row`.
    fn has_rows_below(&self, least_row: u64) -> bool {
        let ChunkSelection::Axes(axes) = &self.selection else { return false };
        let mut row = self.array.metadata.data_type.item_size() as u64;
        for (picks, axis) in axes.iter().zip(self.array.read_grid().axes()).rev() {
            let &AxisIndexer::Run { step, count, .. } = picks else { return false };
            let edge = axis.runs().iter().map(|run| run.edge).max().unwrap_or(1);
            if step > 1 || count < edge.min(axis.extent()) {
                return false;
            }
            row = row.saturating_mul(edge.min(count));
            if edge < count {
                break;
            }
        }
        row < least_row && row < self.output_size()
    }

    /// Number of chunks that the selection meets, inner ones where chunks are shards, without walking all of them.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        self.count(Array::read_grid)
    }

    /// Number of stored chunks, shards where there are any, that the selection meets, without walking them.
    #[must_use]
    pub fn stored_chunks(&self) -> u64 {
        self.count(|array| &array.metadata.chunk_grid)
    }

    /// Iterates over the tasks in grid order, array after array. A chunk above its array's size limit is requested with
    /// its first two bytes only: where it is stored, [`Array::check_answer`] gives the error.
    pub fn tasks(&self) -> impl Iterator<Item = Result<Task>> + use<'a> {
        self.rows(0)
    }

    /// Number of chunks that the selection meets, by one of the grids of each array.
    fn count(&self, grid: fn(&Array) -> &ChunkGrid) -> u64 {
        let shares = self.shares();
        let chunks = shares.iter().map(|share| share.selection.chunks(grid(share.array)));
        chunks.fold(0, u64::saturating_add)
    }

    /// Stored arrays that the selection meets.
    pub(super) fn shares(&self) -> Vec<Share<'a>> {
        let mut shares = Vec::new();
        self.array.share(0, self.selection.clone(), &mut shares);
        shares
    }

    /// The tasks in grid order. Neighbouring chunks share a task as long as they decode to at most `bytes` bytes, where
    /// no codec changes their items.
    ///
    /// As for [`Plan::tasks`], only the first bytes of a chunk larger than its array's limit are requested.
    pub fn rows(&self, bytes: u64) -> impl Iterator<Item = Result<Task>> + use<'a> {
        // Chunks that follow one another along the outermost axis may lie in different staging buffers.
        let lengths = self.lengths();
        let is_across = lengths.iter().position(Option::is_some) != lengths.len().checked_sub(1);
        let bytes = if is_across { bytes } else { 0 };
        let begun = move |Share { number, array, selection }: Share<'a>| {
            let largest = array.largest_chunk();
            let are_taken = bytes > 0 && largest <= array.max_chunk_bytes && array.decodes_rows();
            let most = if are_taken { bytes / largest.max(1) } else { 1 };
            let most = usize::try_from(most).map_or(MAX_ROW, |most| most.clamp(1, MAX_ROW));
            (number, array, selection.rows(&array.metadata.chunk_grid, most))
        };
        let mut shares = self.shares().into_iter();
        let mut here = shares.next().map(begun);
        std::iter::from_fn(move || {
            loop {
                let (number, array, rows) = here.as_mut()?;
                if let Some(part) = rows.next() {
                    let location = ChunkLocation::chunk(&array.keys, &part.coords);
                    return Some(array.limited(Task::new(*number, part, location)));
                }
                here = shares.next().map(begun);
            }
        })
    }

    /// Decoded bytes of all chunks that the selection meets; an upper bound that saturates at `u64::MAX`.
    #[must_use]
    pub fn met_bytes(&self) -> u64 {
        let met = |Share { array, selection, .. }: &Share<'_>| {
            let grid = array.read_grid();
            let chunks = selection.chunks(grid).saturating_mul(array.largest_chunk());
            met_items(selection, grid).map_or(chunks, |items| {
                chunks.min(items.saturating_mul(array.metadata.data_type.item_size() as u64))
            })
        };
        self.shares().iter().map(met).fold(0, u64::saturating_add)
    }

    /// Squared distance of a task's part from the middle of the result, as a sort key; 0 for points.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "an ordering needs no last digit")]
    pub fn distance(&self, task: &Task) -> f64 {
        let ChunkSelection::Axes(axes) = &task.selection else { return 0.0 };
        let middle = |length: &Option<u64>| length.unwrap_or(1) as f64 / 2.0;
        axes.iter().zip(self.lengths()).map(|(picks, length)| (picks.middle() - middle(length)).powi(2)).sum()
    }

    /// Adds casts to the plan; `cast` gives the cast of a column by the metadata of its array.
    ///
    /// # Errors
    /// The errors of `cast`; [`Error::Unsupported`] where items of two arrays would have different types.
    pub fn with_casts(
        mut self,
        cast: impl Fn(&ArrayMetadata, &OutputField) -> Result<Option<Cast>>,
    ) -> Result<Self> {
        let (mut usual, mut others) = (ColumnCasts::new(), Vec::new());
        // The concatenation has the first array's metadata, whose casts become the usual ones.
        let whole = std::iter::once((0, self.array()));
        let parts = self.shares().into_iter().map(|share| (share.number, share.array));
        for (nth, (number, array)) in whole.chain(parts).enumerate() {
            if nth > 0 && std::ptr::eq(array, self.array()) {
                continue;
            }
            let mut own = ColumnCasts::new();
            for column in &self.layout.columns {
                own.push(cast(&array.metadata, column)?.map(Rc::new));
            }
            if nth == 0 {
                usual = own;
                continue;
            }
            if let Some((own, usual)) =
                own.iter().zip(&usual).find(|(own, usual)| target(own) != target(usual))
            {
                return Err(of_two_types(number, [own, usual].map(named)));
            }
            if own != usual {
                others.push((number, own));
            }
        }
        self.layout.other_casts = Rc::new(others);
        self.layout.columns.iter_mut().zip(usual).for_each(|(column, cast)| column.cast = cast);
        Ok(self)
    }
}

#[later]
fn with_fields<'a>(_: Loaded<Calls>, plan: Plan<'a>, paths: &[String]) -> Result<Plan<'a>> {
    let ArrayMetadata { data_type, fill_value, .. } = &plan.array.metadata;
    let column = |path: &String| match data_type.field(path) {
        Some((offset, field)) => Ok(OutputField {
            offset,
            data_type: field.clone(),
            fill_value: fill_value.get(offset..offset + field.item_size()).unwrap_or_default().to_vec(),
            cast: None,
            row_alignment: None,
        }),
        None => Err(no_field(path, data_type)),
    };
    let columns = paths.iter().map(column).gathered()?;
    if columns.is_empty() {
        let reason = "the list of fields is empty; omit it to read whole items".to_owned();
        return Err(Error::Selection { axis: None, reason });
    }
    Ok(Plan { layout: ResultLayout { columns, ..plan.layout }, ..plan })
}

fn whole_items(array: &Array) -> OutputField {
    let ArrayMetadata { data_type, fill_value, .. } = &array.metadata;
    OutputField::whole(data_type, fill_value)
}

fn no_field(path: &str, data_type: &DataType) -> Error {
    let reason = match data_type.kind() {
        Kind::Struct(fields) => {
            let names: Vec<_> = fields.iter().map(|field| format!("{:?}", field.name)).collect();
            format!("there is no field {path:?}; the fields are {}", names.join(", "))
        }
        _ => format!("there is no field {path:?}; items of type {} have no fields", data_type.name()),
    };
    Error::Selection { axis: None, reason }
}

/// Items of the box of chunks around the selection; `None` for points.
fn met_items(selection: &ChunkSelection, grid: &ChunkGrid) -> Option<u64> {
    let ChunkSelection::Axes(picks) = selection else { return None };
    let along = |axis: &Axis, lowest: u64, reach: u64| {
        let (first, last) = (axis.span_at(lowest)?, axis.span_at(lowest.saturating_add(reach))?);
        Some((last.start - first.start).saturating_add(last.encoded))
    };
    picks.iter().zip(grid.axes()).try_fold(1u64, |items, (picks, axis)| {
        let met = match picks.lowest() {
            Some(lowest) => along(axis, lowest, picks.reach())?,
            None => 0,
        };
        Some(items.saturating_mul(met))
    })
}

fn target(cast: &Option<Rc<Cast>>) -> Option<Numeric> {
    cast.as_ref().map(|cast| cast.target())
}

fn named(cast: &Option<Rc<Cast>>) -> String {
    target(cast).map_or("the stored type".to_owned(), |target| target.to_string())
}

fn of_two_types(number: usize, [this, first]: [String; 2]) -> Error {
    Error::Unsupported {
        feature: "a concatenation of items that decode to different types".to_owned(),
        reason: format!(
            "by their attributes, items of array {number} decode to {this}, those of array 0 to {first}; pass the \
             option as to choose one type"
        ),
    }
}
