//! Any selection of any small array, against a walk over its items.
#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::read::{Array, Output};
use rectilinear_zarr_fuzz::{MAX_CHUNK_BYTES, document_on};
use serde_json::json;

/// An array, and what is asked of it.
#[derive(Debug)]
struct Asked {
    shape: Vec<u64>,
    edges: Vec<Vec<u64>>,
    selection: Vec<AxisSelection>,
}

impl<'a> Arbitrary<'a> for Asked {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let rank = input.int_in_range(0..=3)?;
        let mut asked = Self { shape: Vec::new(), edges: Vec::new(), selection: Vec::new() };
        for _ in 0..rank {
            let edges = (0..input.int_in_range(1..=4)?).map(|_| input.int_in_range(1..=5));
            let edges = edges.collect::<Result<Vec<u64>>>()?;
            asked.shape.push(input.int_in_range(0..=edges.iter().sum())?);
            asked.edges.push(edges);
        }
        for axis in 0..input.int_in_range(0..=rank)? {
            let near = |input: &mut Unstructured<'a>| -> Result<i64> {
                if input.ratio(1, 10)? { input.arbitrary() } else { input.int_in_range(-25..=25) }
            };
            let bound = |input: &mut Unstructured<'a>| -> Result<Option<i64>> {
                if input.arbitrary()? { near(input).map(Some) } else { Ok(None) }
            };
            let some = input.int_in_range(0..=9)?;
            asked.selection.push(match input.int_in_range(0..=4)? {
                0 => AxisSelection::All,
                1 => AxisSelection::Index(near(input)?),
                2 => AxisSelection::Slice { start: bound(input)?, stop: bound(input)?, step: near(input)? },
                3 => AxisSelection::List((0..some).map(|_| near(input)).collect::<Result<_>>()?),
                _ => {
                    let length = if input.ratio(1, 10)? { some } else { asked.shape[axis] };
                    AxisSelection::Mask((0..length).map(|_| input.arbitrary()).collect::<Result<_>>()?)
                }
            });
        }
        Ok(asked)
    }
}

libfuzzer_sys::fuzz_target!(|asked: Asked| {
    let Asked { shape, edges, selection } = &asked;
    let array = Array::parse(&document_on(shape, &json!(edges)), "", MAX_CHUNK_BYTES).expect("an array");
    let wanted = selection.iter().zip(shape).map(|(asked, &extent)| picked(asked, extent));
    let wanted: Option<Vec<Vec<u64>>> = wanted.collect();
    let plan = array.plan(selection);
    assert_eq!(plan.is_ok(), wanted.is_some());
    let (Ok(plan), Some(mut wanted)) = (plan, wanted) else { return };
    wanted.extend(shape[wanted.len()..].iter().map(|&extent| (0..extent).collect()));

    let mut output = Output::new(&plan).expect("little memory");
    let mut tasks = 0;
    for task in plan.tasks().map(|task| task.expect("a small chunk")) {
        let coords: Vec<usize> =
            task.coords.iter().map(|&at| usize::try_from(at).expect("few chunks")).collect();
        let axes = coords.iter().zip(edges).map(|(&at, edges)| {
            let start: u64 = edges[..at].iter().sum();
            (start..start + edges[at]).collect()
        });
        let chunk = items(&axes.collect::<Vec<_>>());
        let decoded = array.decode(&task, Some(chunk.into())).expect("a chunk");
        output.put(&task, decoded.as_ref()).expect("its place");
        tasks += 1;
    }
    assert_eq!(tasks, plan.chunks());
    assert_eq!(output.finish().bytes, items(&wanted));
});

/// The coordinates that are picked of an axis, as Python counts them; nothing where that is refused.
fn picked(asked: &AxisSelection, extent: u64) -> Option<Vec<u64>> {
    let inside = |index: i64| {
        let index = if index < 0 { i128::from(index) + i128::from(extent) } else { index.into() };
        u64::try_from(index).ok().filter(|&index| index < extent)
    };
    match asked {
        AxisSelection::All => Some((0..extent).collect()),
        AxisSelection::Index(index) => inside(*index).map(|index| vec![index]),
        AxisSelection::List(indices) => indices.iter().map(|&index| inside(index)).collect(),
        AxisSelection::Mask(mask) if mask.len() as u64 == extent => {
            Some((0..extent).zip(mask).filter(|(_, is_picked)| **is_picked).map(|(at, _)| at).collect())
        }
        AxisSelection::Mask(_) | AxisSelection::Slice { step: 0, .. } => None,
        AxisSelection::Slice { start, stop, step } => {
            let length = i128::from(extent);
            let (low, high) = if *step > 0 { (0, length) } else { (-1, length - 1) };
            let at = |bound: &Option<i64>, otherwise: i128| match bound.map(i128::from) {
                None => otherwise,
                Some(bound) => (if bound < 0 { bound + length } else { bound }).clamp(low, high),
            };
            let ends = if *step > 0 { (low, high) } else { (high, low) };
            let (mut at, stop) = (at(start, ends.0), at(stop, ends.1));
            let mut found = Vec::new();
            while if *step > 0 { at < stop } else { at > stop } {
                found.push(u64::try_from(at).expect("inside"));
                at += i128::from(*step);
            }
            Some(found)
        }
    }
}

/// The items at all combinations of coordinates, each of two bytes that tell its own.
fn items(axes: &[Vec<u64>]) -> Vec<u8> {
    let places = axes.iter().fold(vec![7_u64], |heads, axis| {
        heads.iter().flat_map(|head| axis.iter().map(move |at| head * 31 + at)).collect()
    });
    places.iter().flat_map(|place| [place.to_le_bytes()[0], place.to_le_bytes()[1]]).collect()
}
