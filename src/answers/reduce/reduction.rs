//! A reduction: boxes of items in any order become an answer, one turn after the other.
//!
//! Invariants: each column of the answer takes its boxes by their turns. A box that comes early waits, as its items or,
//! where these are many for the cells, as accumulators of its own; which of both depends on its size alone. So an
//! answer is the same to the bit whatever arrives first.

use std::collections::HashMap;

use super::accumulators::{Accumulators, Statistics};
use super::box_job::{ChunkBox, Recipe, mixed};
use super::cells::{Cells, Tile};
use super::column::AnswerColumn;
use super::fold::{BoxItems, ItemType, Labels, Walk, fold};
use crate::answers::picked::PickedItems;
use crate::answers::turns::{Bounds, InOrder, MOST_WAITING, Turn, Turns};
use crate::error::{Error, Result, Unpacker};
use crate::metadata::{DataType, Kind};
use crate::output::Numeric;

/// Number of items for each cell from which on a box becomes accumulators of its own.
const ITEMS_A_CELL: usize = 16;

/// Most bytes of accumulators and answers: 1 GiB.
const MOST_BYTES: u64 = 1 << 30;

/// Settings of a reduction: cells, statistics and their names.
#[derive(Debug, Clone)]
pub struct ReductionSettings {
    /// The cells of the answer.
    pub cells: Cells,
    /// Statistics of each cell.
    pub statistics: Statistics,
    /// Names of the statistics that [`Reduction::columns`] gives.
    pub names: Vec<String>,
    /// Quantiles of each cell, each from 0 to 1.
    pub quantiles: Vec<f64>,
    /// Number that a variance's count is reduced by.
    pub ddof: f64,
    /// Number of kept axes before the axis of the groups.
    pub axes_before_groups: usize,
}

/// A reduction in progress.
#[derive(Debug)]
pub struct Reduction {
    settings: ReductionSettings,
    item_type: ItemType,
    turns: Turns,
    /// Columns that have begun and are not complete.
    columns: HashMap<u64, Column>,
    /// The answer, of complete columns.
    answers: Vec<AnswerColumn>,
    waiting: usize,
}

/// A column of the answer: its part of the answer, and the boxes that wait for their turn.
#[derive(Debug)]
struct Column {
    tile: Tile,
    accumulators: Accumulators,
    order: InOrder<Waiting>,
}

/// A box that has come.
enum Arrived<'a> {
    Reduced(Box<Accumulators>),
    Items(Walk, BoxItems<'a>),
}

/// A box that waits.
#[derive(Debug)]
enum Waiting {
    Accumulated(Box<Accumulators>),
    Stored(Vec<u8>),
    Filled(Vec<u8>),
}

impl Reduction {
    /// Begins a reduction of picked items.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for items that are no numbers, or complex ones that are compared; [`Error::Selection`] for
    /// an answer that would take more than 1 GiB, and as in [`Cells::checked`] and [`Turns::new`].
    pub fn new(mut settings: ReductionSettings, items: PickedItems<'_>) -> Result<Self> {
        let PickedItems { data_type, converted, picks, chunks, stored, lengths } = items;
        let item_type = item_type(data_type, converted)?;
        let Statistics { least, greatest, edges, values, counting, .. } = &settings.statistics;
        if item_type.is_complex && (*least || *greatest || *values || !edges.is_empty() || counting.is_some())
        {
            return Err(Error::Unsupported {
                feature: format!("an order of {}", data_type.name()),
                reason: "complex numbers have a count, a sum, a mean and a variance only".to_owned(),
            });
        }
        let is_whole = counting.is_some();
        if item_type.is_time && settings.statistics.moments {
            return Err(Error::Unsupported {
                feature: format!("a variance of {}", data_type.name()),
                reason: "times have no squares: take the variance of their numbers, with the option as"
                    .to_owned(),
            });
        }
        settings.statistics.are_times = item_type.is_time;
        settings.statistics.are_complex = item_type.is_complex;
        settings.cells = settings.cells.checked()?;
        let turns = Turns::new(picks, [chunks, stored], lengths, &settings.cells.kept, is_whole)?;
        if item_type.is_complex {
            // The two parts are one more axis, which is kept.
            let Cells { lengths, kept, groups, weights } = &mut settings.cells;
            lengths.push(2);
            kept.push(true);
            groups.iter_mut().for_each(|groups| groups.strides.push(0));
            weights.iter_mut().for_each(|weights| weights.strides.push(0));
        }
        settings.check_size(item_type)?;
        let mut reduction =
            Self { settings, item_type, turns, columns: HashMap::new(), answers: Vec::new(), waiting: 0 };
        reduction.answers = reduction.settings.without_items(item_type)?;
        Ok(reduction)
    }

    /// Number type of the items; of complex ones, that of their parts.
    #[must_use]
    pub fn numeric(&self) -> Numeric {
        self.item_type.numeric
    }

    /// Whether the items are unsigned integers, as their sums are.
    #[must_use]
    pub fn is_unsigned(&self) -> bool {
        matches!(self.item_type.numeric, Numeric::UInt(_))
    }

    /// Whether so much waits for its turn that no further chunk should be begun.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.waiting > MOST_WAITING
    }

    /// Takes the items of a box of the result, which lies in one chunk, or any box that is not stored.
    pub fn put(&mut self, bounds: &[(u64, u64)], items: BoxItems<'_>) {
        for (turn, mut bounds) in self.turns.split(bounds) {
            if self.item_type.is_complex {
                bounds.push((0, 2));
            }
            self.put_in(turn, bounds, items);
        }
    }

    fn put_in(&mut self, turn: Turn, bounds: Bounds, items: BoxItems<'_>) {
        let tile = self.tile(&bounds);
        let Self { settings, item_type, .. } = &*self;
        let recipe = settings.recipe(*item_type, &tile);
        let walk = Walk::new(&settings.cells, &tile, &bounds);
        let arrived = if settings.reduces_apart(self.items(&bounds), recipe.cells) {
            Arrived::Reduced(Box::new(recipe.reduced(&walk, Labels::of(&settings.cells), items)))
        } else {
            Arrived::Items(walk, items)
        };
        self.enter(turn, tile, bounds, arrived);
    }

    /// The job by which a worker reduces a chunk, which comes back to [`Reduction::put_reduced`]; `None` where its items
    /// must come to this instance, or may as well.
    #[must_use]
    pub fn job(&self, place: ChunkBox<'_>) -> Option<Vec<u8>> {
        let (_, bounds) = self.one_turn(place.bounds)?;
        let tile = self.tile(&bounds);
        let Self { settings, item_type, .. } = self;
        let recipe = settings.recipe(*item_type, &tile);
        if !settings.reduces_apart(self.items(&bounds), recipe.cells) {
            return None;
        }
        let walk = Walk::new(&settings.cells, &tile, &bounds);
        recipe.job(place, &walk, Labels::of(&settings.cells))
    }

    /// Takes what a worker made of the box of a chunk by [`Reduction::job`].
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the bytes are another version's.
    pub fn put_reduced(&mut self, bounds: &[(u64, u64)], packed: &[u8]) -> Result<()> {
        let (turn, bounds) = self.one_turn(bounds).ok_or_else(mixed)?;
        let tile = self.tile(&bounds);
        let recipe = self.settings.recipe(self.item_type, &tile);
        let mut own = recipe.begun(self.settings.cells.weights.is_some());
        own.unpack(&mut Unpacker::new(packed)).ok_or_else(mixed)?;
        self.enter(turn, tile, bounds, Arrived::Reduced(Box::new(own)));
        Ok(())
    }

    /// The turn of a box that lies in one chunk, and its bounds with the parts of complex numbers.
    fn one_turn(&self, bounds: &[(u64, u64)]) -> Option<(Turn, Bounds)> {
        let mut turns = self.turns.split(bounds);
        let (turn, mut bounds) = turns.pop().filter(|_| turns.is_empty())?;
        bounds.extend(self.item_type.is_complex.then_some((0, 2)));
        Some((turn, bounds))
    }

    /// The tile that a box lies in.
    fn tile(&self, bounds: &[(u64, u64)]) -> Tile {
        let cells = &self.settings.cells;
        Tile { bounds: self.turns.column(bounds, &cells.lengths, &cells.kept) }
    }

    /// Number of items in a box.
    fn items(&self, bounds: &[(u64, u64)]) -> u64 {
        let parts = if self.item_type.is_complex { 2 } else { 1 };
        bounds.iter().map(|(start, stop)| stop - start).product::<u64>() / parts
    }

    /// Takes a box in its turn, or lets it wait.
    fn enter(&mut self, turn: Turn, tile: Tile, bounds: Bounds, arrived: Arrived<'_>) {
        let count = self.items(&bounds);
        let Self { settings, item_type, turns, columns, waiting, .. } = self;
        let cells = &settings.cells;
        let column = columns.entry(turn.column).or_insert_with(|| {
            let accumulators = settings.recipe(*item_type, &tile).begun(cells.weights.is_some());
            Column { tile, accumulators, order: InOrder::new() }
        });
        if column.order.pass(turn, count) {
            match arrived {
                Arrived::Reduced(own) => column.accumulators.merge(&own),
                Arrived::Items(walk, items) => {
                    fold(&mut column.accumulators, &walk, Labels::of(cells), items, *item_type);
                }
            }
        } else {
            let item = match arrived {
                Arrived::Reduced(own) => Waiting::Accumulated(own),
                Arrived::Items(_, items) => Waiting::of(items),
            };
            *waiting += item.size();
            column.order.wait(turn, count, bounds, item);
        }
        *waiting -= column.go_on(cells, *item_type);
        if column.order.turn() == turns.count()
            && let Some(done) = columns.remove(&turn.column)
        {
            self.settings.place(&done.tile, done.accumulators, &mut self.answers);
        }
    }

    /// The statistics of all cells by the order of their names, and after these the quantiles, of the items so far. They
    /// lie in C order: the kept axes, the groups where the settings say, the two parts of complex numbers, then
    /// what a statistic has for each cell.
    #[must_use]
    pub fn columns(&self) -> Vec<AnswerColumn> {
        let mut answers = self.answers.clone();
        for column in self.columns.values() {
            self.settings.place(&column.tile, column.accumulators.clone(), &mut answers);
        }
        answers
    }
}

impl Column {
    /// Takes the boxes whose turn it is; returns the bytes that wait no longer.
    fn go_on(&mut self, cells: &Cells, item_type: ItemType) -> usize {
        let mut freed = 0;
        while let Some(boxes) = self.order.next() {
            for (bounds, item) in boxes {
                freed += item.size();
                let items = match &item {
                    Waiting::Accumulated(own) => {
                        self.accumulators.merge(own);
                        continue;
                    }
                    Waiting::Stored(bytes) => BoxItems::Stored(bytes),
                    Waiting::Filled(item) => BoxItems::Filled(item),
                };
                let walk = Walk::new(cells, &self.tile, &bounds);
                fold(&mut self.accumulators, &walk, Labels::of(cells), items, item_type);
            }
        }
        freed
    }
}

impl ReductionSettings {
    /// Whether a box of so many items becomes accumulators of its own: not where these are as large as the box.
    fn reduces_apart(&self, items: u64, cells: usize) -> bool {
        let is_small = self.statistics.counting.is_none() && !self.statistics.values;
        is_small && items >= (cells * ITEMS_A_CELL) as u64
    }

    /// How boxes of a tile become accumulators.
    fn recipe(&self, item_type: ItemType, tile: &Tile) -> Recipe<'_> {
        Recipe { statistics: &self.statistics, item_type, cells: tile.cells(&self.cells) }
    }

    /// Checks that accumulators and answers of all cells fit into memory.
    fn check_size(&self, item_type: ItemType) -> Result<()> {
        if self.statistics.counting.is_some() {
            // The caller has chosen as many leading bits as it has memory for.
            return Ok(());
        }
        let one = Accumulators::new(&self.statistics, item_type.numeric, self.cells.weights.is_some(), 1);
        let numbers = self.names.len() + self.quantiles.len() + self.statistics.edges.len();
        let bytes = self.cells.count().saturating_mul((one.size() + 16 * numbers) as u64);
        if bytes > MOST_BYTES {
            let cells = self.cells.count();
            let reason = format!(
                "an answer of {cells} cells takes more than 1 GiB: reduce more axes, or select less at once"
            );
            return Err(Error::Selection { axis: None, reason });
        }
        Ok(())
    }

    /// The statistics of cells that no item has come to.
    fn without_items(&self, item_type: ItemType) -> Result<Vec<AnswerColumn>> {
        let nothing = Tile { bounds: self.cells.lengths.iter().map(|_| (0, 0)).collect() };
        let none = self.recipe(item_type, &nothing).begun(self.cells.weights.is_some());
        let one = Accumulators::new(&self.statistics, item_type.numeric, self.cells.weights.is_some(), 1);
        // Fits, because its size was checked.
        let cells = self.cells.count() as usize;
        let mut answers = Vec::new();
        for name in &self.names {
            let column = if self.statistics.counting.is_some() {
                none.column(name, self.ddof)
            } else {
                one.column(name, self.ddof)
            };
            answers.push(column?.repeated(cells));
        }
        if !self.quantiles.is_empty() {
            answers.push(AnswerColumn::Floats(vec![f64::NAN; cells * self.quantiles.len()]));
        }
        Ok(answers)
    }

    /// Writes the statistics of a tile to their places in the answer.
    fn place(&self, tile: &Tile, mut done: Accumulators, answers: &mut [AnswerColumn]) {
        let mut columns: Vec<AnswerColumn> =
            self.names.iter().filter_map(|name| done.column(name, self.ddof).ok()).collect();
        if !self.quantiles.is_empty() {
            columns.push(AnswerColumn::Floats(done.quantiles(&self.quantiles)));
        }
        let places = self.places(tile);
        for (column, answer) in columns.into_iter().zip(answers) {
            column.scatter(&places, answer);
        }
    }

    /// Place of each cell of a tile in the answer.
    fn places(&self, tile: &Tile) -> Vec<usize> {
        let cells = &self.cells;
        let kept: Vec<usize> = (0..cells.lengths.len()).filter(|axis| cells.kept[*axis]).collect();
        // Steps in the answer, whose axes are the kept ones with the groups among them.
        let (mut step, mut group_step) = (1, 1);
        let mut steps = vec![0; kept.len()];
        for nth in (0..=kept.len()).rev() {
            if nth < kept.len() {
                steps[nth] = step;
                step *= cells.lengths[kept[nth]] as usize;
            }
            if nth == self.axes_before_groups.min(kept.len()) {
                group_step = step;
                step *= cells.group_count();
            }
        }
        let mut places = vec![0];
        for (axis, step) in kept.iter().zip(steps) {
            let (start, stop) = tile.bounds[*axis];
            let along = (start as usize..stop as usize).map(|place| place * step);
            places = places.iter().flat_map(|base| along.clone().map(move |place| base + place)).collect();
        }
        let groups = 0..cells.group_count();
        places.iter().flat_map(|base| groups.clone().map(move |group| base + group * group_step)).collect()
    }
}

impl Waiting {
    fn of(items: BoxItems<'_>) -> Self {
        match items {
            BoxItems::Stored(bytes) => Self::Stored(bytes.to_vec()),
            BoxItems::Filled(item) => Self::Filled(item.to_vec()),
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Accumulated(accumulators) => accumulators.size(),
            Self::Stored(items) | Self::Filled(items) => items.len(),
        }
    }
}

/// The numbers that items of a data type are read as.
fn item_type(data_type: &DataType, converted: Option<Numeric>) -> Result<ItemType> {
    let of = |numeric| ItemType { numeric, is_complex: false, is_time: false };
    let found = match (converted, data_type.kind()) {
        (Some(numeric), Kind::Complex(_)) => Some(ItemType { is_complex: true, ..of(numeric) }),
        (Some(_), Kind::Subarray { .. }) => None,
        (Some(numeric), _) => Some(of(numeric)),
        (None, Kind::Complex(part)) => {
            part.numeric().map(|numeric| ItemType { is_complex: true, ..of(numeric) })
        }
        (None, Kind::Time { .. }) => Some(ItemType { is_time: true, ..of(Numeric::Int(64)) }),
        (None, Kind::Subarray { .. }) => None,
        (None, _) => data_type.numeric().map(of),
    };
    found.ok_or_else(|| Error::Unsupported {
        feature: format!("statistics of {}", data_type.name()),
        reason: "items must be numbers, booleans or times".to_owned(),
    })
}
