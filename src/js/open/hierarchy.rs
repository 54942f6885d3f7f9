//! The hierarchy of a source: settings that its arrays and groups share, and consolidated metadata.

use std::rc::Rc;

use wasm_bindgen::JsValue;

use crate::error::{Error, Result};
use crate::js::JsResult;
use crate::js::chunks::open_settings::{DocumentPlace, OpenSettings};
use crate::js::chunks::sources::JoinedSources;
use crate::js::options::open_options::MemberOptions;
use crate::js::stores::probe::Probe;
use crate::js::stores::store_driver::StoreDriver;
use crate::js::support::loading::with_parts;
use crate::js::support::work::Cancellation;
use crate::metadata::{ArrayMetadata, Consolidated, GroupMetadata, Node};
use crate::network::join;
use crate::parts::{Grids, Loaded, Opening};
use crate::source::{normalise_path, path_above, path_from};

/// State that a group and its members share, or an array and its siblings.
pub(crate) struct Hierarchy {
    pub(crate) driver: Rc<StoreDriver>,
    pub(crate) settings: OpenSettings,
    pub(crate) path: String,
    pub(crate) zarr_format: u8,
    pub(crate) consolidation: Option<Rc<Consolidation>>,
}

/// Consolidated metadata of a group.
pub(crate) struct Consolidation {
    /// Path of the group that has the consolidated metadata.
    pub(crate) path: String,
    /// Key of the document that holds the consolidated metadata.
    pub(crate) key: String,
    pub(crate) documents: Consolidated,
    /// The part of groups, which made this.
    pub(crate) part: Loaded<Opening>,
    /// The part of all grids, where the list of members may show other grids than regular ones.
    pub(crate) _grids: Option<Loaded<Grids>>,
}

/// Policy for members that the consolidated metadata do not list.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum MissingPolicy {
    /// Request them, so that members that were added after consolidation are found.
    Asked,
    /// Treat them as missing.
    Missing,
}

impl Hierarchy {
    /// Hierarchy of an array that was opened on its own.
    pub(crate) fn around(driver: &Rc<StoreDriver>, settings: &OpenSettings, zarr_format: u8) -> Rc<Self> {
        let (driver, settings) = (Rc::clone(driver), settings.clone());
        Rc::new(Self { driver, settings, path: String::new(), zarr_format, consolidation: None })
    }

    /// Path of the member `name` in the group of the array at `path`, or in the group `up` levels above it.
    pub(crate) fn path_beside(&self, path: &str, name: &str, up: usize) -> JsResult<String> {
        let folder = path_above(path, up, self.driver.store().is_host());
        let folder = folder.ok_or_else(|| not_found(name))?;
        Ok(join(&folder, &normalise_path(name)?))
    }

    /// Names of the members of the group of the array at `path`, as far as consolidated metadata list them.
    pub(crate) fn names_beside(&self, path: &str) -> Vec<String> {
        let Some(folder) = path_above(path, 0, false) else { return Vec::new() };
        let found = self.consolidation(&folder);
        let names = found.map(|(consolidation, inside)| consolidation.documents.members(inside));
        names.into_iter().flatten().map(str::to_owned).collect()
    }

    /// Opens the array at a path of the hierarchy.
    pub(crate) async fn array(
        &self,
        path: &str,
        options: MemberOptions,
        policy: MissingPolicy,
    ) -> JsResult<Rc<JoinedSources>> {
        let settings = self.settings.clone().overridden(&options);
        let cancellation = Cancellation::new(options.signal)?;
        let signal = cancellation.signal()?;
        let work = async {
            if let Some((consolidation, inside)) = self.consolidation(path) {
                let timeout = self.driver.store().part_timeout();
                match with_parts(timeout, || consolidation.array(inside).transpose()).await? {
                    Some(metadata) => return Ok((metadata, consolidation.key.clone())),
                    None if policy == MissingPolicy::Missing => return Err(not_found(path)),
                    None => {}
                }
            }
            let format = Some(self.zarr_format);
            let probe = Probe::new(self.driver.store(), path, format, settings.attrs, &signal);
            probe.array(&self.members()).await
        };
        let (metadata, key) = cancellation.run(work).await?;
        JoinedSources::open(&self.driver, settings, metadata, DocumentPlace { path, key: &key }).await
    }

    /// The consolidated metadata that cover a path, and the path relative to their group.
    pub(crate) fn consolidation<'a>(&self, path: &'a str) -> Option<(&Rc<Consolidation>, &'a str)> {
        let consolidation = self.consolidation.as_ref()?;
        Some((consolidation, path_from(path, &consolidation.path)?))
    }

    /// Names of this group's members, as far as consolidated metadata list them.
    pub(crate) fn members(&self) -> Vec<&str> {
        let found = self.consolidation(&self.path);
        found.map(|(consolidation, inside)| consolidation.documents.members(inside)).unwrap_or_default()
    }
}

impl Consolidation {
    /// Metadata of the array at a path, if they are consolidated.
    fn array(&self, path: &str) -> Option<Result<ArrayMetadata>> {
        let node = self.documents.node(path)?;
        // The names are for the error of a group.
        let metadata = node.and_then(|node| match node {
            Node::Array(metadata) => Ok(*metadata),
            group @ Node::Group(_) => group.into_array(&self.documents.members(path)),
        });
        Some(metadata.map_err(|error| error.in_document(&self.key)))
    }

    /// Metadata of the group at a path, if the group or a member of it is consolidated.
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
