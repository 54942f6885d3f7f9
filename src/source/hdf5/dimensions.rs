//! Names of dimensions: HDF5's dimension scales, as netCDF-4 uses them, and names for axes without a scale.
//!
//! A dataset's attribute `DIMENSION_LIST` refers to a scale for each axis. Axes without one have the dimension of their
//! group that is as long and as limited, or a new one, `phony_dim_0` and so on, as in netCDF-C.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::attribute::Attribute;
use super::by_address::ByAddress;
use super::datatype::{Class, Datatype};
use super::fault::{Read, all};
use super::fields::number;
use super::file::FileBytes;
use super::global_heap::{Collections, HeapReference};
use super::object::{Content, Dataset, Object};
use super::tree::{Tree, visible};
use crate::metadata::Value;

/// Start of the name of a scale that is a dimension without a variable.
const NO_VARIABLE: &str = "This is a netCDF dimension but not a netCDF variable";

/// Attributes that say how dimensions are stored, and nothing about the data.
const HIDDEN: [&str; 10] = [
    "CLASS",
    "NAME",
    "DIMENSION_LIST",
    "REFERENCE_LIST",
    "DIMENSION_LABELS",
    "_Netcdf4Dimid",
    "_Netcdf4Coordinates",
    "_nc3_strict",
    "_NCProperties",
    "_NCCOPY",
];

/// Dimension names of all datasets.
#[derive(Debug)]
pub(super) struct Dimensions {
    /// Dimensions of each node, by its number.
    nodes: Vec<NodeDimensions>,
}

/// Dimensions of a node.
#[derive(Debug, Clone, Default)]
struct NodeDimensions {
    /// `None` for an axis without a name.
    names: Vec<Option<String>>,
    /// Whether the node is a dimension only.
    is_hidden: bool,
    /// Lengths of the axes of a dataset that is shorter than netCDF's unlimited dimensions which it lies along.
    lengths: Option<Vec<u64>>,
}

/// Names of dimensions, those of a group that are as long and as limited together, in the order in which axes without a
/// name take them.
#[derive(Default)]
struct Named {
    numbers: HashMap<String, usize>,
    names: Vec<Vec<String>>,
}

impl Named {
    /// Names of the dimensions of a group of this length.
    fn of(&mut self, group: usize, length: u64, is_unlimited: bool) -> &mut Vec<String> {
        let key = format!("{group} {length} {}", if is_unlimited { "unlimited" } else { "" });
        let number = self.numbers.get(&key).copied().unwrap_or_else(|| {
            self.names.push(Vec::new());
            self.numbers.insert(key, self.names.len() - 1);
            self.names.len() - 1
        });
        &mut self.names[number]
    }
}

/// Attributes of a dataset that name its dimensions.
struct Told {
    /// Addresses of the scales of its axes.
    scales: Vec<Option<u64>>,
    labels: Vec<Option<String>>,
    is_scale: bool,
    has_variable: bool,
    id: Option<u64>,
    coordinates: Vec<u64>,
}

impl Dimensions {
    /// Finds the names of a tree whose nodes are all known.
    pub(super) fn find(file: &FileBytes, tree: &Tree) -> Read<Self> {
        let datasets = tree.nodes.iter().enumerate().filter_map(|(number, node)| {
            let object = node.object.as_ref().ok()?;
            let Content::Dataset(dataset) = &object.content else { return None };
            Some((number, object, &**dataset))
        });
        let datasets: Vec<(usize, &Rc<Object>, &Dataset)> = datasets.collect();
        let told = all(datasets.iter().map(|(_, object, dataset)| Told::read(file, object, dataset)))?;

        let (mut by_address, mut by_id) = (ByAddress::default(), ByAddress::default());
        let mut of_groups = Named::default();
        let (mut nodes, mut count) = (vec![NodeDimensions::default(); tree.nodes.len()], 0);
        let mut scales: Vec<usize> = (0..told.len()).filter(|nth| told[*nth].is_scale).collect();
        scales.sort_by_key(|nth| (told[*nth].id, datasets[*nth].0));
        for nth in scales {
            let (number, object, dataset) = datasets[nth];
            let node = &tree.nodes[number];
            let name = visible(name_of(&node.path)).to_owned();
            nodes[number].is_hidden = !told[nth].has_variable;
            by_address.add(object.address, name.clone());
            if let Some(id) = told[nth].id {
                by_id.add(id, name.clone());
            }
            let length = dataset.space.shape.first().copied().unwrap_or(0);
            let is_unlimited = dataset.space.most.first().is_some_and(Option::is_none);
            of_groups.of(node.parent, length, is_unlimited).push(name);
            count += 1;
        }

        let places: HashMap<u64, u64> = told
            .iter()
            .zip(&datasets)
            .filter_map(|(told, (_, object, _))| Some((told.id?, object.address)))
            .collect();
        set_lengths(&mut nodes, &told, &datasets, &places);

        // Groups name their axes after the groups within them did.
        let mut order: Vec<usize> = (0..datasets.len()).collect();
        let group_of = |nth: usize| tree.nodes[tree.nodes[datasets[nth].0].parent].path.as_str();
        order.sort_by(|a, b| {
            after_members(group_of(*a), group_of(*b))
                .then_with(|| tree.nodes[datasets[*a].0].path.cmp(&tree.nodes[datasets[*b].0].path))
        });
        for nth in order {
            let (number, object, dataset) = datasets[nth];
            let told = &told[nth];
            let rank = dataset.space.shape.len();
            let mut own: Vec<Option<String>> = Vec::new();
            let has_none =
                !told.is_scale && told.scales.iter().all(Option::is_none) && told.coordinates.is_empty();
            for axis in 0..rank {
                let coordinate = told.coordinates.get(axis).and_then(|id| by_id.get(*id).cloned());
                let scale =
                    told.scales.get(axis).copied().flatten().and_then(|place| by_address.get(place).cloned());
                let self_named = || {
                    (told.is_scale && rank == 1).then(|| by_address.get(object.address).cloned()).flatten()
                };
                let label = told.labels.get(axis).cloned().flatten();
                let name = coordinate.or(scale).or_else(self_named).or(label);
                own.push(name.or_else(|| {
                    let length = dataset.space.shape[axis];
                    let is_unlimited = dataset.space.most[axis].is_none();
                    if !has_none {
                        return None;
                    }
                    let alike = of_groups.of(tree.nodes[number].parent, length, is_unlimited);
                    let is_free = |name: &&String| !own.iter().flatten().any(|used| used == *name);
                    if let Some(name) = alike.iter().find(is_free) {
                        return Some(name.clone());
                    }
                    let name = format!("phony_dim_{count}");
                    count += 1;
                    alike.push(name.clone());
                    Some(name)
                }));
            }
            let (_, axes) = dataset.datatype.element();
            own.extend(axes.iter().map(|_| None));
            nodes[number].names = own;
        }
        Ok(Self { nodes })
    }

    /// Lengths of a dataset's axes, where a dimension of netCDF is longer than its own.
    pub(super) fn lengths(&self, number: usize) -> Option<&[u64]> {
        self.nodes[number].lengths.as_deref()
    }

    /// Whether a node is a dimension only.
    pub(super) fn hides(&self, number: usize) -> bool {
        self.nodes[number].is_hidden
    }

    /// Dimension names of a node as JSON.
    pub(super) fn json(&self, number: usize) -> Value {
        let names = &self.nodes[number].names;
        let name = |name: &Option<String>| name.as_deref().map_or(Value::Null, Value::from);
        Value::Array(names.iter().map(name).collect())
    }
}

/// Notes the lengths of the datasets that are shorter than an unlimited dimension of theirs, which is as long as the longest dataset
/// along it: what was not written of the others is their fill value. `places` has the addresses of netCDF's dimensions by
/// their ids; files that no netCDF library wrote have none.
fn set_lengths(
    nodes: &mut [NodeDimensions],
    told: &[Told],
    datasets: &[(usize, &Rc<Object>, &Dataset)],
    places: &HashMap<u64, u64>,
) {
    let dimensions: HashSet<u64> = places.values().copied().collect();
    let along = |nth: usize, axis: usize| -> Option<u64> {
        let (told, (_, object, dataset)) = (&told[nth], datasets[nth]);
        let is_unlimited = dataset.space.most.get(axis)?.is_none();
        let coordinate = told.coordinates.get(axis).and_then(|id| places.get(id).copied());
        let itself = (told.is_scale && dataset.space.shape.len() == 1).then_some(object.address);
        let place = coordinate.or_else(|| told.scales.get(axis).copied().flatten()).or(itself)?;
        (is_unlimited && dimensions.contains(&place)).then_some(place)
    };
    let mut longest: HashMap<u64, u64> = HashMap::new();
    for (nth, (_, _, dataset)) in datasets.iter().enumerate() {
        for (axis, length) in dataset.space.shape.iter().enumerate() {
            if let Some(place) = along(nth, axis) {
                let most = longest.entry(place).or_default();
                *most = (*most).max(*length);
            }
        }
    }
    for (nth, (number, _, dataset)) in datasets.iter().enumerate() {
        let own = dataset.space.shape.iter().enumerate();
        let lengths: Vec<u64> =
            own.map(|(axis, length)| along(nth, axis).map_or(*length, |place| longest[&place])).collect();
        nodes[*number].lengths = Some(lengths).filter(|lengths| *lengths != dataset.space.shape);
    }
}

/// Whether an attribute says how the data are stored, and nothing about them.
pub(super) fn is_hidden(name: &str) -> bool {
    HIDDEN.contains(&name)
}

/// Last name of a path.
fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Names of a path.
fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty())
}

/// Order of groups by the names of their paths, in which those within a group come before it.
fn after_members(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (names(a), names(b));
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (Some(_), None) => return Ordering::Less,
            (None, Some(_)) => return Ordering::Greater,
            (Some(one), Some(other)) if one != other => return one.cmp(other),
            _ => {}
        }
    }
}

impl Told {
    fn read(file: &FileBytes, object: &Object, dataset: &Dataset) -> Read<Self> {
        let text = |name: &str| object.attribute(name).map(|attribute| attribute.text(file)).transpose();
        let class = text("CLASS")?.flatten();
        let is_scale = class.as_deref() == Some("DIMENSION_SCALE");
        let name = text("NAME")?.flatten().unwrap_or_default();
        let rank = dataset.space.shape.len();
        let numbers = |name: &str| {
            let attribute = object.attribute(name)?;
            let Class::Integer { .. } = attribute.datatype.class else { return None };
            let items = attribute.items.chunks_exact(attribute.datatype.size as usize);
            Some(
                items
                    .map(|item| attribute.datatype.integer(false, item).as_u64().unwrap_or(0))
                    .collect::<Vec<_>>(),
            )
        };
        let labels = match object.attribute("DIMENSION_LABELS") {
            None => Vec::new(),
            Some(labels) => match labels.value(file)? {
                Some(Value::Array(labels)) => labels.iter().map(label).collect(),
                Some(value) => vec![label(&value)],
                None => Vec::new(),
            },
        };
        Ok(Self {
            scales: scales(file, object.attribute("DIMENSION_LIST"), rank)?,
            labels,
            is_scale,
            has_variable: !name.starts_with(NO_VARIABLE),
            id: numbers("_Netcdf4Dimid").and_then(|ids| ids.first().copied()),
            coordinates: numbers("_Netcdf4Coordinates").filter(|ids| ids.len() == rank).unwrap_or_default(),
        })
    }
}

fn label(value: &Value) -> Option<String> {
    value.as_str().filter(|label| !label.is_empty()).map(str::to_owned)
}

/// Address of the first scale of each axis.
fn scales(file: &FileBytes, list: Option<&Attribute>, rank: usize) -> Read<Vec<Option<u64>>> {
    let Some(list) = list else { return Ok(Vec::new()) };
    let is_of_references =
        |base: &Datatype| base.class == Class::ObjectReference && base.size == file.widths.address as u64;
    if !matches!(&list.datatype.class, Class::VariableList(base) if is_of_references(base)) {
        return Ok(Vec::new());
    }
    let mut references = Vec::new();
    for item in list.items.chunks_exact(HeapReference::length(file)).take(rank) {
        let reference = HeapReference::parse(file.fields(item));
        references.push(reference.map_err(|fault| fault.at(0, "a list of dimensions"))?);
    }
    let mut heaps = Collections::default();
    heaps.load(file, &references)?;
    let mut scales = Vec::new();
    for reference in references {
        let object = heaps.object(file, reference)?;
        scales.push(object.get(..file.widths.address).map(number));
    }
    Ok(scales)
}
