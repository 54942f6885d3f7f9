//! The directories of a TIFF file, put together: images with their levels, stacks of equal images, and the documents of
//! Zarr for them.
//!
//! The first images are at the root, as `0`, `1`, … from the finest level on; others are in groups, `image1` and so on.

use super::directory::{Directory, Header, TopDirectory, tag};
use super::geo::{GeoPlace, scaled};
use super::ome::OmeImage;
use super::raster::{Plane, Raster};
use super::series::{LeadingAxis, Level, Samples};
use super::texts::{described, missing_value, of_bands};
use crate::error::{Error, Result};
use crate::metadata::{Map, Value};
use crate::source::original::{DocumentBytes, float_value, group_document, unreadable};

/// All images of a file.
#[derive(Debug)]
pub(super) struct Assembled {
    is_big: bool,
    series: Vec<Series>,
    /// Images that are not read, by their paths.
    refused: Vec<(String, Error)>,
    /// Bytes of all attributes.
    bytes: DocumentBytes,
}

/// Most levels of an image; what follows is another image.
const MOST_LEVELS: usize = 64;

/// Images of one kind.
#[derive(Debug)]
struct Series {
    /// Path of their group.
    path: String,
    levels: Vec<Level>,
    attributes: Map,
}

/// An image: a directory, and those with fewer of its pixels.
struct Image {
    /// The levels, the finest first.
    levels: Vec<(Directory, Raster, Plane)>,
    place: Option<GeoPlace>,
}

/// An image that is read, or the error of the directory that it would be of.
type MaybeImage = std::result::Result<Image, (Error, Directory)>;

/// Puts the directories of a file together; `faults` are those of directories that are damaged.
pub(super) fn assembled(
    directories: Vec<TopDirectory>,
    faults: Vec<Error>,
    header: Header,
) -> Result<Assembled> {
    let description = directories.first().and_then(|top| top.own.text(tag::DESCRIPTION)).unwrap_or_default();
    let omes = OmeImage::all(&description);
    let mut images: Vec<MaybeImage> = Vec::new();
    // The image that each directory of the chain is, as OME counts them.
    let mut numbers = Vec::new();
    for TopDirectory { own, below, .. } in directories {
        let kind = own.integer(tag::SUBFILE_TYPE).unwrap_or(0);
        if kind & 4 != 0 {
            // A mask.
            numbers.push(None);
            continue;
        }
        let own = match Raster::of(&own) {
            Ok((raster, plane)) => (own, raster, plane),
            Err(error) => {
                numbers.push(Some(images.len()));
                images.push(Err((error, own)));
                continue;
            }
        };
        let own = match images.last_mut() {
            Some(Ok(image)) if kind & 1 != 0 => match image.add(own) {
                Some(own) => own,
                None => {
                    numbers.push(None);
                    continue;
                }
            },
            _ => own,
        };
        let mut image = Image { place: GeoPlace::of(&own.0), levels: vec![own] };
        for directory in below.into_iter().flatten() {
            if let Ok((raster, plane)) = Raster::of(&directory) {
                image.add((directory, raster, plane));
            }
        }
        numbers.push(Some(images.len()));
        images.push(Ok(image));
    }
    let mut found = Assembled {
        is_big: header.numbers.is_big,
        series: Vec::new(),
        refused: Vec::new(),
        bytes: DocumentBytes::default(),
    };
    if omes.is_empty() || !found.add_ome(&omes, &images, &numbers)? {
        found.add_plain(images)?;
    }
    for fault in faults {
        let path = found.next_path();
        found.refused.push((path, fault));
    }
    Ok(found)
}

impl Image {
    /// Adds a level of the image; returns it where it is of another one.
    fn add(&mut self, level: (Directory, Raster, Plane)) -> Option<(Directory, Raster, Plane)> {
        let (first, last) = (&self.levels[0].1, &self.levels[self.levels.len() - 1].1);
        if !level.1.is_level_of(first) || level.1.width > last.width || self.levels.len() == MOST_LEVELS {
            return Some(level);
        }
        self.levels.push(level);
        None
    }

    /// Whether another image can be a plane of a stack with this one.
    fn is_like(&self, other: &Self) -> bool {
        self.levels.iter().map(|(_, raster, _)| raster).eq(other.levels.iter().map(|(_, raster, _)| raster))
            && (other.place.is_none() || self.place == other.place)
    }
}

impl Raster {
    /// Whether an image of this size and type shows all of another one with fewer pixels.
    fn is_level_of(&self, other: &Self) -> bool {
        let is_type = self.data_type == other.data_type && self.samples == other.samples;
        // Each edge is a whole number of pixels, rounded up or down.
        let (one, two) = (self.width * other.height, self.height * other.width);
        is_type
            && self.width <= other.width
            && self.height <= other.height
            && one.abs_diff(two) <= other.width + other.height
    }
}

impl Assembled {
    /// The document at a path; `None` where nothing is.
    pub(super) fn document(&self, path: &str) -> Result<Option<Vec<u8>>> {
        let above = path.rsplit_once('/').map_or(path, |(group, _)| group);
        if let Some((_, error)) = self.refused.iter().find(|(refused, _)| refused == path || refused == above)
        {
            return Err(error.clone());
        }
        if let Some(level) = self.level(path) {
            return Ok(Some(level.node(self.is_big).document().to_string().into_bytes()));
        }
        let Some(group) = self.series.iter().find(|series| series.path == path) else {
            let root = || group_document(&Map::new(), self.documents(""));
            return Ok(path.is_empty().then(root));
        };
        Ok(Some(group_document(&group.attributes, self.documents(path))))
    }

    /// The level at a path.
    pub(super) fn level(&self, path: &str) -> Option<&Level> {
        let (group, name) = path.rsplit_once('/').unwrap_or(("", path));
        let number: usize = name.parse().ok()?;
        self.series.iter().find(|series| series.path == group)?.levels.get(number)
    }

    /// Paths and documents of what is in a group.
    fn documents(&self, path: &str) -> Vec<(String, Value)> {
        let mut found = Vec::new();
        if path.is_empty() {
            found.extend(self.refused.iter().map(|(path, error)| (path.clone(), unreadable(error))));
        }
        for series in &self.series {
            let inside = match series.path.strip_prefix(path) {
                Some(inside) if path.is_empty() || inside.is_empty() => inside,
                _ => continue,
            };
            if !inside.is_empty() {
                let fields = [
                    ("zarr_format", 3_u64.into()),
                    ("node_type", "group".into()),
                    ("attributes", Value::Object(series.attributes.clone())),
                ];
                found.push((inside.to_owned(), Value::object(fields)));
            }
            for (nth, level) in series.levels.iter().enumerate() {
                let path = if inside.is_empty() { nth.to_string() } else { format!("{inside}/{nth}") };
                found.push((path, level.node(self.is_big).document()));
            }
        }
        found
    }

    /// Path of the next series.
    fn next_path(&self) -> String {
        let count = self.series.len() + self.refused.len();
        if count == 0 { String::new() } else { format!("image{count}") }
    }

    /// Adds images without a description of OME: equal ones as a stack, where all are, and others by themselves.
    fn add_plain(&mut self, images: Vec<MaybeImage>) -> Result<()> {
        let count = images.len() as u64;
        let is_stack = match images.split_first() {
            Some((Ok(first), others)) if !others.is_empty() => {
                others.iter().all(|other| other.as_ref().is_ok_and(|other| first.is_like(other)))
            }
            _ => false,
        };
        if is_stack {
            let images: Vec<Image> = images.into_iter().flatten().collect();
            let planes: Vec<Option<&Image>> = images.iter().map(Some).collect();
            return self.add_series(&images[0], &planes, vec![LeadingAxis { name: "page", extent: count }]);
        }
        for image in images {
            match image {
                Ok(image) => self.add_series(&image, &[Some(&image)], Vec::new())?,
                Err((error, _)) => {
                    let group = self.next_path();
                    self.refused.push((if group.is_empty() { "0".to_owned() } else { group }, error));
                }
            }
        }
        Ok(())
    }

    fn add_series(&mut self, first: &Image, planes: &[Option<&Image>], axes: Vec<LeadingAxis>) -> Result<()> {
        let (directory, ..) = &first.levels[0];
        let mut attributes = described(directory, false);
        if let Some(place) = &first.place {
            place.describe(&mut attributes);
        }
        attributes.insert("multiscales".to_owned(), Value::object([("layout", layout(first))]));
        attributes.insert("spatial:dimensions".to_owned(), ["y", "x"].into_iter().collect());
        let levels = self.levels(first, planes, &axes, Samples::Band)?;
        self.push(levels, attributes)
    }

    /// Adds the levels of images of one kind, with the attributes of their group.
    fn push(&mut self, levels: Vec<Level>, attributes: Map) -> Result<()> {
        self.bytes.add(&attributes, 1)?;
        let path = self.next_path();
        self.series.push(Series { path, levels, attributes });
        Ok(())
    }

    fn levels(
        &mut self,
        first: &Image,
        planes: &[Option<&Image>],
        axes: &[LeadingAxis],
        samples: Samples,
    ) -> Result<Vec<Level>> {
        let (directory, raster, _) = &first.levels[0];
        // Levels have as many samples of the same type.
        let mut attributes = of_bands(directory, raster.samples);
        let missing = missing_value(directory, raster.data_type);
        if let Some(missing) = &missing {
            attributes.insert("_FillValue".to_owned(), missing.clone());
        }
        self.bytes.add(&attributes, first.levels.len())?;
        let mut levels = Vec::with_capacity(first.levels.len());
        for (nth, (_, raster, _)) in first.levels.iter().enumerate() {
            let zero = || {
                if raster.data_type.starts_with("complex") {
                    Value::list([0_u64.into(), 0_u64.into()])
                } else {
                    0_u64.into()
                }
            };
            let plane = |image: &Option<&Image>| {
                image.and_then(|image| image.levels.get(nth)).map(|(_, _, plane)| plane.clone())
            };
            levels.push(Level {
                raster: raster.clone(),
                planes: planes.iter().map(plane).collect(),
                axes: axes.to_vec(),
                samples,
                fill_value: missing.clone().unwrap_or_else(zero),
                attributes: attributes.clone(),
            });
        }
        Ok(levels)
    }

    /// Adds the images of a description of OME; false where it does not fit the file, which is then read without it.
    fn add_ome(
        &mut self,
        omes: &[OmeImage],
        images: &[MaybeImage],
        numbers: &[Option<usize>],
    ) -> Result<bool> {
        let of = |directory: u64| -> Option<&Image> {
            let number = *numbers.get(usize::try_from(directory).ok()?)?;
            images[number?].as_ref().ok()
        };
        // A plane that is there and cannot be read is not one that is missing.
        let is_refused = |directory: u64| {
            let number = usize::try_from(directory).ok().and_then(|nth| *numbers.get(nth)?);
            number.is_some_and(|number| images[number].is_err())
        };
        let mut left = OmeImage::most_planes(numbers.len());
        for ome in omes {
            let wanted = ome.planes(numbers.len(), &mut left)?;
            let planes: Vec<Option<&Image>> = wanted.iter().map(|plane| of((*plane)?)).collect();
            let first = planes.iter().copied().flatten().next();
            let Some(first) = first.filter(|_| !wanted.iter().flatten().any(|plane| is_refused(*plane)))
            else {
                self.series.clear();
                return Ok(false);
            };
            let (_, raster, _) = &first.levels[0];
            let fits = (raster.width, raster.height, raster.samples) == (ome.width, ome.height, ome.samples);
            if !fits || !planes.iter().flatten().all(|plane| first.is_like(plane)) {
                self.series.clear();
                return Ok(false);
            }
            let [times, channels, depths] = ome.lengths;
            let axes = [("t", times), ("c", channels / ome.samples), ("z", depths)];
            let axes = axes.map(|(name, extent)| LeadingAxis { name, extent }).to_vec();
            let levels = self.levels(first, &planes, &axes, Samples::Channels)?;
            let sizes: Vec<(String, u64, u64)> = levels
                .iter()
                .enumerate()
                .map(|(nth, level)| (nth.to_string(), level.raster.height, level.raster.width))
                .collect();
            let mut attributes = described(&first.levels[0].0, true);
            for (name, value) in ome.attributes(&sizes) {
                attributes.insert(name.to_owned(), value);
            }
            self.push(levels, attributes)?;
        }
        Ok(true)
    }
}

/// The layout of levels as GeoZarr's convention has it: where each lies, or how many pixels of the first one a pixel is.
#[expect(clippy::cast_precision_loss, reason = "edges are below 2^31")]
fn layout(image: &Image) -> Value {
    let (_, finest, _) = &image.levels[0];
    let entries = image.levels.iter().enumerate().map(|(nth, (_, raster, _))| {
        let across = finest.width as f64 / raster.width as f64;
        let down = finest.height as f64 / raster.height as f64;
        let mut entry = Map::new();
        entry.insert("asset".to_owned(), nth.to_string().into());
        entry.insert("spatial:shape".to_owned(), [raster.height, raster.width].into_iter().collect());
        match image.place.as_ref().and_then(|place| place.transform) {
            Some(transform) => entry.insert("spatial:transform".to_owned(), scaled(transform, across, down)),
            None if nth > 0 => {
                entry.insert("derived_from".to_owned(), "0".into());
                let scale = [down, across].into_iter().map(float_value).collect();
                entry.insert("transform".to_owned(), Value::object([("scale", scale)]));
            }
            None => {}
        }
        Value::Object(entry)
    });
    entries.collect()
}
