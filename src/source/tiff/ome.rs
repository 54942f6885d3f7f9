//! OME-TIFF: the description of five axes, and which directory has which plane.
//!
//! Spec: <https://docs.openmicroscopy.org/ome-model/latest/ome-tiff/specification.html>

use super::xml::Tag;
use crate::error::{Error, Result};
use crate::metadata::Value;
use crate::source::original::{float_value, number_value};

/// Most planes of an image for each directory of the file, and of a file of few: a file may lack some planes.
const MOST_PLANES: (u64, u64) = (16, 1024);

/// Most planes whose place a description says, beyond twice those of the image.
const MOST_TOLD: u64 = 1 << 20;

/// Most channels that are described, with their samples.
const MOST_CHANNELS: usize = 1 << 12;

/// An image of the description.
#[derive(Debug, Default)]
pub(super) struct OmeImage {
    name: Option<String>,
    pub(super) width: u64,
    pub(super) height: u64,
    /// Lengths of time, channels (each with its samples) and depth.
    pub(super) lengths: [u64; 3],
    /// The order of planes in the file, the axis that changes fastest first, by their numbers in `lengths`.
    order: [usize; 3],
    /// Size of a pixel: depth, rows, columns, each with its unit; and seconds between two times.
    sizes: [Option<(f64, String)>; 3],
    step: Option<(f64, String)>,
    /// Samples of a pixel of each channel.
    pub(super) samples: u64,
    channels: Vec<Channel>,
    blocks: Vec<Block>,
    files: Vec<String>,
}

/// A channel: its name and its colour, as red, green, blue and opacity.
#[derive(Debug)]
struct Channel {
    name: Option<String>,
    color: Option<i64>,
}

/// Planes that follow each other, in directories that do.
#[derive(Debug)]
struct Block {
    /// First time, channel and depth.
    first: [u64; 3],
    directory: Option<u64>,
    count: Option<u64>,
}

impl OmeImage {
    /// The images of a description; none where the text is not one of OME.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let mut images: Vec<Self> = Vec::new();
        if !text.trim_start().starts_with("<?xml") && !text.trim_start().starts_with("<OME") {
            return images;
        }
        let (mut is_ome, mut named) = (false, None);
        for tag in Tag::all(text).filter(|tag| !tag.is_end) {
            match (tag.name, images.last_mut()) {
                ("OME", _) => is_ome = true,
                ("Image", _) => named = tag.get("Name"),
                ("Pixels", _) => images.push(Self::new(&tag, named.take())),
                ("Channel", Some(image)) => {
                    image.samples = image.samples.max(tag.number("SamplesPerPixel").unwrap_or(1));
                    let color = tag.get("Color").and_then(|color| color.trim().parse().ok());
                    image.channels.push(Channel { name: tag.get("Name"), color });
                }
                ("TiffData", Some(image)) => {
                    let first = ["FirstT", "FirstC", "FirstZ"].map(|name| tag.number(name).unwrap_or(0));
                    image.blocks.push(Block {
                        first,
                        directory: tag.number("IFD"),
                        count: tag.number("PlaneCount"),
                    });
                }
                ("UUID", Some(image)) => image.files.extend(tag.get("FileName")),
                _ => {}
            }
        }
        if is_ome { images } else { Vec::new() }
    }

    fn new(tag: &Tag<'_>, name: Option<String>) -> Self {
        let order = tag.get("DimensionOrder").unwrap_or_default();
        let place = |letter| order.find(letter).unwrap_or(usize::MAX);
        // Times, channels and depths, sorted by their places in the order.
        let mut axes = [(place('T'), 0), (place('C'), 1), (place('Z'), 2)];
        axes.sort_unstable();
        let size = |name: &str, unit: &str, default: &str| {
            let size = number_value(&tag.get(name)?).as_f64().filter(|size| *size > 0.0)?;
            Some((size, tag.get(unit).unwrap_or_else(|| default.to_owned())))
        };
        Self {
            name,
            width: tag.number("SizeX").unwrap_or(0),
            height: tag.number("SizeY").unwrap_or(0),
            lengths: ["SizeT", "SizeC", "SizeZ"].map(|name| tag.number(name).unwrap_or(1)),
            order: axes.map(|(_, axis)| axis),
            sizes: ["Z", "Y", "X"]
                .map(|axis| size(&format!("PhysicalSize{axis}"), &format!("PhysicalSize{axis}Unit"), "µm")),
            step: size("TimeIncrement", "TimeIncrementUnit", "s"),
            samples: 1,
            ..Self::default()
        }
    }

    /// Most planes that all images of a file of so many directories may have.
    pub(super) fn most_planes(directories: usize) -> u64 {
        MOST_PLANES.0 * directories as u64 + MOST_PLANES.1
    }

    /// Numbers of the directories of planes, in C order of time, channel and depth; `None` for planes that the file lacks.
    /// The file has so many directories, and so many planes are left of those that it may have.
    pub(super) fn planes(&self, directories: usize, left: &mut u64) -> Result<Vec<Option<u64>>> {
        let mut lengths = self.lengths;
        lengths[1] /= self.samples.max(1);
        let count = lengths.iter().try_fold(1_u64, |count, length| count.checked_mul(*length));
        let count = count.filter(|count| (1..=*left).contains(count)).ok_or_else(|| {
            let [times, channels, depths] = lengths;
            let stated = format!("{times} times, {channels} channels and {depths} depths");
            Error::metadata("", format!("OME's description has {stated}, and the file {directories} planes"))
        })?;
        if self.files.iter().any(|file| *file != self.files[0]) {
            let reason = format!("one of the files is {:?}; open each of them", self.files[0]);
            return Err(Error::Unsupported {
                feature: "an OME-TIFF image in several files".to_owned(),
                reason,
            });
        }
        *left -= count;
        let mut planes = vec![None; count as usize];
        let mut told = 0;
        let all = [Block { first: [0; 3], directory: None, count: None }];
        for block in if self.blocks.is_empty() { &all[..] } else { &self.blocks } {
            let start = self.order.iter().rev().fold(0, |nth: u64, axis| {
                nth.saturating_mul(lengths[*axis]).saturating_add(block.first[*axis])
            });
            // A directory alone is one plane; neither of both is all that follow.
            let run = block.count.unwrap_or(if block.directory.is_some() { 1 } else { count });
            let run = run.min(count.saturating_sub(start));
            told += run;
            if told > MOST_TOLD + 2 * count {
                return Err(Error::metadata("", "OME's description says again and again where planes are"));
            }
            for nth in 0..run {
                let (mut rest, mut at) = (start + nth, [0; 3]);
                for axis in self.order {
                    at[axis] = rest % lengths[axis];
                    rest /= lengths[axis];
                }
                let place = (at[0] * lengths[1] + at[1]) * lengths[2] + at[2];
                planes[place as usize] = block.directory.unwrap_or(0).checked_add(nth);
            }
        }
        Ok(planes)
    }

    /// OME-Zarr's attributes `multiscales` and `omero`, for levels of so many rows and columns at these paths.
    pub(super) fn attributes(&self, levels: &[(String, u64, u64)]) -> [(&'static str, Value); 2] {
        let unit = |of: &Option<(f64, String)>| of.as_ref().and_then(|(_, unit)| unit_name(unit));
        let axis = |name: &str, kind: &str, unit: Option<&str>| {
            let mut axis = vec![("name", Value::from(name)), ("type", kind.into())];
            axis.extend(unit.map(|unit| ("unit", unit.into())));
            object(axis)
        };
        let [depth, rows, columns] = &self.sizes;
        let axes = Value::list([
            axis("t", "time", unit(&self.step)),
            axis("c", "channel", None),
            axis("z", "space", unit(depth)),
            axis("y", "space", unit(rows)),
            axis("x", "space", unit(columns)),
        ]);
        let size = |of: &Option<(f64, String)>| of.as_ref().map_or(1.0, |(size, _)| *size);
        #[expect(clippy::cast_precision_loss, reason = "edges are below 2^31")]
        let datasets = levels.iter().map(|(path, height, width)| {
            let (down, across) = (self.height as f64 / *height as f64, self.width as f64 / *width as f64);
            let scale = [size(&self.step), 1.0, size(depth), size(rows) * down, size(columns) * across];
            let scale = object(vec![
                ("type", "scale".into()),
                ("scale", scale.into_iter().map(float_value).collect()),
            ]);
            object(vec![("path", path.as_str().into()), ("coordinateTransformations", Value::list([scale]))])
        });
        let mut image =
            vec![("version", Value::from("0.4")), ("axes", axes), ("datasets", datasets.collect())];
        image.extend(self.name.as_ref().map(|name| ("name", name.as_str().into())));
        let samples = 0..self.samples.max(1);
        let each =
            self.channels.iter().flat_map(|channel| samples.clone().map(move |sample| (channel, sample)));
        let each = each.take(usize::try_from(self.lengths[1]).unwrap_or(usize::MAX).min(MOST_CHANNELS));
        let channels = each.map(|(Channel { name, color }, sample)| {
            let mut channel = Vec::new();
            let label = |name: &String| match self.samples {
                0 | 1 => name.clone(),
                _ => format!("{name} {sample}"),
            };
            channel.extend(name.as_ref().map(|name| ("label", Value::from(label(name)))));
            // Samples of colour pixels are red, green and blue, whatever the colour of their channel.
            let color = match (self.samples, sample) {
                (0 | 1, _) => color.map(|color| (color >> 8) & 0xff_ffff),
                (3 | 4, 0..3) => Some(0xff_0000 >> (8 * sample)),
                _ => None,
            };
            channel.extend(color.map(|color| ("color", format!("{color:06X}").into())));
            object(channel)
        });
        [
            ("multiscales", Value::list([object(image)])),
            ("omero", object(vec![("channels", channels.collect())])),
        ]
    }
}

fn object(fields: Vec<(&str, Value)>) -> Value {
    let mut found = crate::metadata::Map::new();
    for (name, value) in fields {
        found.insert(name.to_owned(), value);
    }
    Value::Object(found)
}

/// The name of a unit in OME-Zarr; `None` where it has none.
fn unit_name(unit: &str) -> Option<&'static str> {
    Some(match unit {
        "µm" | "\u{3bc}m" | "um" => "micrometer",
        "nm" => "nanometer",
        "mm" => "millimeter",
        "cm" => "centimeter",
        "m" => "meter",
        "Å" => "angstrom",
        "s" => "second",
        "ms" => "millisecond",
        "min" => "minute",
        "h" => "hour",
        _ => return None,
    })
}
