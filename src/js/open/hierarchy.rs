//! The hierarchy of a source: settings that its arrays and groups share, and metadata that one of the groups keeps of all.

use std::rc::Rc;

use wasm_bindgen::JsValue;

use crate::error::{Error, Result};
use crate::js::JsResult;
use crate::js::fetch::store_driver::StoreDriver;
use crate::js::options::open_options::MemberOptions;
use crate::js::sources::array_sources::ArraySources;
use crate::js::sources::open_settings::OpenSettings;
use crate::js::sources::probe::Probe;
use crate::js::support::abort::Cancellation;
use crate::metadata::{ArrayMetadata, Consolidated, GroupMetadata, Node};
use crate::source::{join, normalise_path, path_above, path_from};

/// State that a group and its members share, or an array and the arrays beside it.
pub(crate) struct Hierarchy {
    pub(crate) driver: Rc<StoreDriver>,
    pub(crate) settings: OpenSettings,
    pub(crate) path: String,
    pub(crate) zarr_format: u8,
    pub(crate) consolidation: Option<Rc<Consolidation>>,
}

/// Consolidated metadata, of this group or of one above it.
pub(crate) struct Consolidation {
    /// Path of the group that keeps it.
    pub(crate) path: String,
    /// Key of the document that it is in.
    pub(crate) key: String,
    pub(crate) documents: Consolidated,
}

/// Policy for members that consolidated metadata should list, and do not.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum MissingPolicy {
    /// They are asked for: what was added after consolidating is found all the same.
    Asked,
    /// They are not there.
    Missing,
}

impl Hierarchy {
    /// Hierarchy around an array that was opened by itself.
    pub(crate) fn around(driver: &Rc<StoreDriver>, settings: &OpenSettings, zarr_format: u8) -> Rc<Self> {
        let (driver, settings) = (Rc::clone(driver), settings.clone());
        Rc::new(Self { driver, settings, path: String::new(), zarr_format, consolidation: None })
    }

    /// The path of the member of a name in the group of the array at a path, or so many groups above it.
    pub(crate) fn path_beside(&self, path: &str, name: &str, up: usize) -> JsResult<String> {
        let folder = path_above(path, up, self.driver.store().is_host());
        let folder = folder.ok_or_else(|| not_found(name))?;
        Ok(join(&folder, &normalise_path(name)?))
    }

    /// The names of the members of the group of the array at a path, where it is consolidated.
    pub(crate) fn names_beside(&self, path: &str) -> Vec<String> {
        let Some(folder) = path_above(path, 0, false) else { return Vec::new() };
        let found = self.consolidation(&folder);
        let names = found.map(|(consolidation, inside)| consolidation.documents.members(inside));
        names.into_iter().flatten().map(str::to_owned).collect()
    }

    /// Sources of the array at a path of the hierarchy.
    pub(crate) async fn array(
        &self,
        path: &str,
        options: MemberOptions,
        policy: MissingPolicy,
    ) -> JsResult<Rc<ArraySources>> {
        let settings = self.settings.clone().overridden(&options);
        let cancellation = Cancellation::new(options.signal)?;
        let signal = cancellation.signal();
        let work = async {
            if let Some((consolidation, inside)) = self.consolidation(path) {
                match consolidation.array(inside) {
                    Some(metadata) => return Ok((metadata?, consolidation.key.clone())),
                    None if policy == MissingPolicy::Missing => return Err(not_found(path)),
                    None => {}
                }
            }
            let probe = Probe::new(self.driver.store(), path, Some(self.zarr_format), &signal);
            probe.array(&self.members()).await
        };
        let (metadata, key) = cancellation.run(work).await?;
        ArraySources::open(&self.driver, settings, metadata, (path, &key)).await
    }

    /// The consolidated metadata, and the path from there on.
    pub(crate) fn consolidation<'a>(&self, path: &'a str) -> Option<(&Rc<Consolidation>, &'a str)> {
        let consolidation = self.consolidation.as_ref()?;
        Some((consolidation, path_from(path, &consolidation.path)?))
    }

    /// The names of the members that this group is known to have.
    pub(crate) fn members(&self) -> Vec<&str> {
        let found = self.consolidation(&self.path);
        found.map(|(consolidation, inside)| consolidation.documents.members(inside)).unwrap_or_default()
    }
}

impl Consolidation {
    /// The array at a path, if it is consolidated.
    fn array(&self, path: &str) -> Option<Result<ArrayMetadata>> {
        let node = self.documents.node(path)?;
        let metadata = node.and_then(|node| node.into_array(&self.documents.members(path)));
        Some(metadata.map_err(|error| error.in_document(&self.key)))
    }

    /// The group at a path, if it or something in it is consolidated.
    pub(crate) fn group(&self, path: &str) -> Option<Result<GroupMetadata>> {
        let Some(node) = self.documents.node(path) else {
            let is_between = !self.documents.members(path).is_empty();
            return is_between.then(|| Ok(GroupMetadata::between(self.documents.zarr_format())));
        };
        Some(node.and_then(Node::into_group).map_err(|error| error.in_document(&self.key)))
    }
}

pub(crate) fn not_found(path: &str) -> JsValue {
    let hint = "the group has no member of that name".to_owned();
    Error::NotFound { wanted: "Zarr array".into(), path: path.to_owned(), tried: Vec::new(), hint }.into()
}
