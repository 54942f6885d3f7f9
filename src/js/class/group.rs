//! The class `Group`: the properties and members of an opened group.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use js_sys::{Array, Promise, TypeError};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::array::member;
use super::chunk_grid::listed_runs;
use crate::js::JsResult;
use crate::js::chunks::open_settings::OpenSettings;
use crate::js::convert::value::{frozen, json, names, numbers, object, shown};
use crate::js::open::hierarchy::{Consolidation, Hierarchy, MissingPolicy};
use crate::js::options::open_options::MemberOptions;
use crate::js::stores::probe::Probe;
use crate::js::stores::store_driver::StoreDriver;
use crate::js::support::loading::load;
use crate::js::support::time::TimeSlice;
use crate::js::support::work::{Cancellation, promise};
use crate::metadata::{Consolidated, Entry, GroupMetadata, Map, STEP_BYTES, Value};
use crate::network::join;
use crate::parts::{Loaded, Opening, later};
use crate::source::{no_answer, normalise_path};

/// An opened group. Calls hold references to what they need, so `free()` does not break a call in progress.
#[wasm_bindgen(skip_typescript)]
pub struct Group {
    /// The part that opened it, and that has its methods.
    part: Loaded<Opening>,
    opened: Rc<Hierarchy>,
    attributes: Rc<Attributes>,
}

/// The user attributes: parsed, and as a JavaScript object once they are asked for, because there may be a million.
struct Attributes {
    parsed: Cell<Map>,
    shown: OnceCell<JsValue>,
}

#[wasm_bindgen]
impl Group {
    /// The path inside the source.
    #[wasm_bindgen(getter)]
    pub fn path(&self) -> String {
        self.opened.path.clone()
    }

    /// The user attributes.
    #[wasm_bindgen(getter)]
    pub fn attrs(&self) -> JsValue {
        let Attributes { parsed, shown } = &*self.attributes;
        shown.get_or_init(|| frozen(&Value::Object(parsed.take()))).clone()
    }

    /// The Zarr format: 2 or 3.
    #[wasm_bindgen(getter, js_name = zarrFormat)]
    pub fn zarr_format(&self) -> u8 {
        self.opened.zarr_format
    }

    /// Another handle to the group, which stays valid after `free()` of this one.
    #[must_use]
    pub fn hold(&self) -> Self {
        Self { part: self.part, opened: Rc::clone(&self.opened), attributes: Rc::clone(&self.attributes) }
    }

    /// Opens an array at a path below the group.
    pub fn array(&self, path: &JsValue, options: &JsValue) -> Promise {
        array(self.part, &self.opened, path, options)
    }

    /// Opens a group at a path below the group.
    pub fn group(&self, path: &JsValue, options: &JsValue) -> Promise {
        group(self.part, &self.opened, path, options)
    }

    /// History of snapshots, for sources that have one (Icechunk).
    pub fn snapshots(&self) -> Promise {
        self.answer("snapshots".to_owned())
    }

    /// Branches and tags, for sources that have them (Icechunk).
    pub fn refs(&self) -> Promise {
        self.answer("refs".to_owned())
    }

    /// Locations of the first of these keys of the source, one a line, for sources whose values are in other files.
    pub fn locate(&self, keys: &JsValue) -> Promise {
        self.answer(format!("locate\n{}", keys.as_string().unwrap_or_default()))
    }

    /// Entry of the tree for the node at a path below the group, which is requested, and entries below that node where its
    /// metadata are consolidated: a list of one or two; undefined where a document describes neither an array nor a group.
    pub fn entry(&self, path: &JsValue, options: &JsValue) -> Promise {
        entry(self.part, &self.opened, path, options)
    }

    /// List of all members below the group; undefined where there is no consolidated metadata.
    pub fn tree(&self) -> JsResult<Option<Array>> {
        tree(self.part, &self.opened)
    }
}

impl Group {
    /// A group at a path; `key` is the key of its metadata document, which may hold consolidated metadata.
    pub(crate) async fn new(
        part: Loaded<Opening>,
        driver: Rc<StoreDriver>,
        settings: OpenSettings,
        path: String,
        mut metadata: GroupMetadata,
        key: String,
    ) -> JsResult<Self> {
        let consolidation = match metadata.consolidated.take() {
            None => None,
            Some(documents) => Some(consolidated(part, &driver, path.clone(), key, documents).await?.into()),
        };
        Ok(Self::inside(part, driver, settings, path, metadata, consolidation))
    }

    /// Answer of a virtual store to a question; rejects for a plain Zarr source.
    fn answer(&self, question: String) -> Promise {
        answer(self.part, &self.opened, question)
    }

    fn inside(
        part: Loaded<Opening>,
        driver: Rc<StoreDriver>,
        settings: OpenSettings,
        path: String,
        metadata: GroupMetadata,
        consolidation: Option<Rc<Consolidation>>,
    ) -> Self {
        let attributes = Attributes { parsed: Cell::new(metadata.attributes), shown: OnceCell::new() };
        let zarr_format = metadata.zarr_format;
        Self {
            part,
            opened: Rc::new(Hierarchy { driver, settings, path, zarr_format, consolidation }),
            attributes: Rc::new(attributes),
        }
    }
}

/// Consolidated metadata of the group at a path, with the part that grids in its list need.
async fn consolidated(
    part: Loaded<Opening>,
    driver: &StoreDriver,
    path: String,
    key: String,
    documents: Consolidated,
) -> JsResult<Consolidation> {
    let (mut slice, mut grids) = (TimeSlice::default(), None);
    for may_need_grids in documents.may_need_grids() {
        if may_need_grids {
            grids = Some(load(driver.store().part_timeout()).await?);
            break;
        }
        slice.take_after(STEP_BYTES as u64).await;
    }
    Ok(Consolidation { path, key, documents, part, _grids: grids })
}

/// Opens a group inside another group.
async fn group_in(
    part: Loaded<Opening>,
    hierarchy: &Hierarchy,
    path: &str,
    options: MemberOptions,
) -> JsResult<Group> {
    let (driver, settings) = (Rc::clone(&hierarchy.driver), hierarchy.settings.clone().overridden(&options));
    let path = join(&hierarchy.path, path);
    let cancellation = Cancellation::new(options.signal)?;
    let signal = cancellation.signal()?;
    let kept = hierarchy
        .consolidation(&path)
        .and_then(|(consolidation, inside)| Some((Rc::clone(consolidation), consolidation.group(inside)?)));
    if let Some((consolidation, metadata)) = kept {
        let metadata = cancellation.run(async { Ok(metadata?) }).await?;
        return Ok(Group::inside(part, driver, settings, path, metadata, Some(consolidation)));
    }
    let format = Some(hierarchy.zarr_format);
    let probe = Probe::new(hierarchy.driver.store(), &path, format, settings.attrs, &signal);
    let work = async {
        let (metadata, key) = probe.group(&hierarchy.members()).await?;
        Group::new(part, driver, settings, path.clone(), metadata, key).await
    };
    cancellation.run(work).await
}

#[later]
fn array(part: Loaded<Opening>, opened: &Rc<Hierarchy>, path: &JsValue, options: &JsValue) -> Promise {
    let (asked, opened) = (asked(path, options), Rc::clone(opened));
    promise(async move {
        let (path, options) = asked?;
        let path = join(&opened.path, &path);
        member(part, opened, Ok(path), options, MissingPolicy::Asked).await
    })
}

#[later]
fn group(part: Loaded<Opening>, opened: &Rc<Hierarchy>, path: &JsValue, options: &JsValue) -> Promise {
    let (asked, opened) = (asked(path, options), Rc::clone(opened));
    promise(async move {
        let (path, options) = asked?;
        Ok(group_in(part, &opened, &path, options).await?.into())
    })
}

#[later]
fn tree(_: Loaded<Opening>, opened: &Hierarchy) -> JsResult<Option<Array>> {
    let Some((consolidation, inside)) = opened.consolidation(&opened.path) else { return Ok(None) };
    Ok(Some(tree_of(consolidation, inside)?))
}

/// List of the members below a group with consolidated metadata, at a path in them.
fn tree_of(consolidation: &Consolidation, inside: &str) -> JsResult<Array> {
    let tree = consolidation.documents.tree(inside).map_err(|error| error.in_document(&consolidation.key))?;
    Ok(tree.map(listed).collect())
}

#[later]
fn entry(part: Loaded<Opening>, opened: &Rc<Hierarchy>, path: &JsValue, options: &JsValue) -> Promise {
    let (asked, opened) = (asked(path, options), Rc::clone(opened));
    promise(async move {
        let (name, options) = asked?;
        let path = join(&opened.path, &name);
        let cancellation = Cancellation::new(options.signal)?;
        let signal = cancellation.signal()?;
        let format = Some(opened.zarr_format);
        let probe = Probe::new(opened.driver.store(), &path, format, true, &signal);
        let work = async {
            let Some((entry, documents)) = probe.entry(&name).await? else { return Ok(JsValue::UNDEFINED) };
            let found = Array::of1(&listed(entry));
            if let Some(documents) = documents {
                let key = join(&path, "zarr.json");
                let consolidation = consolidated(part, &opened.driver, path.clone(), key, documents).await?;
                let below = tree_of(&consolidation, "")?;
                found.push(&below);
            }
            Ok(found.into())
        };
        cancellation.run(work).await
    })
}

#[later]
fn answer(_: Loaded<Opening>, opened: &Hierarchy, question: String) -> Promise {
    let driver = Rc::clone(&opened.driver);
    promise(async move {
        match driver.store().virtual_source() {
            Some(source) => source.answer(&question).await,
            None => Err(no_answer(&question).into()),
        }
    })
}

/// Parses the arguments of `array` and `group`.
fn asked(path: &JsValue, options: &JsValue) -> JsResult<(String, MemberOptions)> {
    let Some(text) = path.as_string() else {
        return Err(
            TypeError::new(&format!("expected a member's path, a string, got {}", shown(path))).into()
        );
    };
    Ok((normalise_path(&text)?, MemberOptions::parse(options)?))
}

/// An entry of the tree as a JavaScript object.
fn listed(entry: Entry) -> JsValue {
    let kind = if entry.array.is_some() { "array" } else { "group" };
    let known = entry.array.as_ref();
    let shape = known.and_then(|array| array.shape.as_ref());
    let grid = known.and_then(|array| array.chunk_grid.as_ref());
    let runs = grid.map(|grid| grid.axes().iter().map(listed_runs).collect::<Array>());
    object([
        ("path", entry.path.as_str().into()),
        ("kind", kind.into()),
        ("shape", shape.map_or(JsValue::UNDEFINED, |shape| numbers(shape.iter().copied()).into())),
        ("dtype", known.and_then(|array| array.data_type.as_deref()).into()),
        ("dimensionNames", known.and_then(|array| array.dimension_names.as_deref()).map(names).into()),
        ("chunkRuns", runs.into()),
        ("attrs", json(&Value::Object(entry.attributes))),
    ])
    .into()
}
