//! Images of one kind as arrays: the planes of a stack, and for each level of a pyramid the same planes with fewer pixels.

use std::ops::Range;

use super::directory::Header;
use super::raster::{Plane, Raster};
use crate::error::Error;
use crate::metadata::{Map, Value};
use crate::source::original::{ArrayNode, AxisChunks, Contiguous, FilePages, Found, extension};

/// Where the samples of a pixel are in an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Samples {
    /// An axis after columns, or before rows where each sample has tiles of its own, where there are several.
    Band,
    /// A part of the second axis: channels of OME, which may have several samples each.
    Channels,
}

/// An axis before rows and columns.
#[derive(Debug, Clone)]
pub(super) struct LeadingAxis {
    pub(super) name: &'static str,
    pub(super) extent: u64,
}

/// One level of images of one kind: an array.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) raster: Raster,
    /// The planes, in C order of the leading axes; `None` for those that the file lacks.
    pub(super) planes: Vec<Option<Plane>>,
    pub(super) axes: Vec<LeadingAxis>,
    pub(super) samples: Samples,
    pub(super) fill_value: Value,
    pub(super) attributes: Map,
}

/// Place of a chunk in a level.
struct ChunkPlace {
    plane: usize,
    sample: u64,
    row: u64,
    column: u64,
    /// Number of the chunk along the axis of interleaved samples.
    band: u64,
}

impl Level {
    /// The array.
    pub(super) fn node(&self, is_big: bool) -> ArrayNode {
        let Raster { width, height, samples, tile, is_tiled, is_planar, .. } = &self.raster;
        let single = |extent| AxisChunks { extent, edge: 1, is_padded: false };
        let mut axes: Vec<AxisChunks> = self.axes.iter().map(|axis| single(axis.extent)).collect();
        let mut names: Vec<String> = self.axes.iter().map(|axis| axis.name.to_owned()).collect();
        let run = self.contiguous();
        let (rows, columns) = run.as_ref().map_or((tile.1, tile.0), |run| (run.edges()[0], run.edges()[1]));
        let mut transpose = None;
        match self.samples {
            Samples::Channels if *samples > 1 => {
                axes[1].extent *= samples;
                if !is_planar {
                    axes[1].edge = *samples;
                    // Stored are time, depth, rows, columns, samples.
                    transpose =
                        Some(extension("transpose", [("order", [0_u64, 2, 3, 4, 1].into_iter().collect())]));
                }
            }
            Samples::Band if *is_planar => {
                axes.push(single(*samples));
                names.push("band".to_owned());
            }
            _ => {}
        }
        axes.push(AxisChunks { extent: *height, edge: rows, is_padded: *is_tiled });
        axes.push(AxisChunks { extent: *width, edge: columns, is_padded: *is_tiled });
        names.extend(["y".to_owned(), "x".to_owned()]);
        if self.has_band() {
            let edge = run.as_ref().map_or(*samples, |run| run.edges()[2]);
            axes.push(AxisChunks { extent: *samples, edge, is_padded: false });
            names.push("band".to_owned());
        }
        // Before rows there are the leading axes, of which the channels are moved to the end where they are samples.
        let others = axes.len() as u64 - if self.has_band() { 3 } else { 2 } - u64::from(transpose.is_some());
        let mut codecs: Vec<Value> = transpose.into_iter().collect();
        codecs.extend(self.raster.codecs(others, is_big));
        ArrayNode {
            axes,
            dimensions: names,
            data_type: self.raster.data_type.into(),
            fill_value: self.fill_value.clone(),
            codecs,
            attributes: self.attributes.clone(),
            singles: Vec::new(),
            longest: self.raster.longest(),
        }
    }

    /// Whether the last axis is that of samples.
    fn has_band(&self) -> bool {
        self.samples == Samples::Band && self.raster.pixel_samples() > 1
    }

    /// How planes are cut whose pixels lie one after the other.
    fn contiguous(&self) -> Option<Contiguous> {
        let Raster { width, height, samples, item, .. } = &self.raster;
        let shape = if self.has_band() { vec![*height, *width, *samples] } else { vec![*height, *width] };
        let is_apart = self.has_band() || self.raster.pixel_samples() == 1;
        Contiguous::new(shape, *item).filter(|_| is_apart && self.raster.is_contiguous())
    }

    /// Bytes of a chunk in the file; `None` where no such chunk is stored.
    pub(super) fn span(
        &self,
        header: Header,
        pages: &FilePages,
        coords: &[u64],
    ) -> Found<Option<Range<u64>>> {
        let run = self.contiguous();
        let Some(place) = self.place(coords, run.is_some()) else { return Ok(None) };
        let Some(Some(plane)) = self.planes.get(place.plane) else { return Ok(None) };
        let (across, down) = self.raster.counts();
        let is_run = run.is_some();
        let (row, column) = if is_run { (0, 0) } else { (place.row, place.column) };
        let tile = if row < down && column < across {
            (place.sample * down + row) * across + column
        } else {
            return Ok(None);
        };
        let slices: Vec<Range<u64>> =
            [plane.offsets.around(tile), plane.counts.as_ref().and_then(|table| table.around(tile))]
                .into_iter()
                .flatten()
                .collect();
        pages.want(&slices)?;
        let offset = plane.offsets.get(header.numbers, pages, tile)?;
        let whole = self.raster.tile_bytes(row);
        let stored = match &plane.counts {
            // What some files say of the length of their only strip is too little.
            Some(counts) if !is_run => counts.get(header.numbers, pages, tile)?,
            _ => whole,
        };
        if offset == 0 || stored == 0 {
            return Ok(None);
        }
        let end = offset.checked_add(stored).filter(|end| *end < 1 << 52).ok_or_else(|| {
            Error::metadata(
                "",
                format!("the tile {tile} lies at byte {offset} with {stored} bytes; the file is damaged"),
            )
        })?;
        let Some(run) = run else {
            // What is not compressed may be followed by padding.
            let is_plain = self.raster.compression == super::raster::Compression::None;
            return Ok(Some(offset..if is_plain { end.min(offset + whole) } else { end }));
        };
        let own = [place.row, place.column, place.band];
        let span = run.span(if self.has_band() { &own } else { &own[..2] });
        Ok(span.map(|span| offset + span.start..offset + span.end))
    }

    /// Splits the coordinates of a chunk; `None` where they are not within the array.
    fn place(&self, coords: &[u64], is_run: bool) -> Option<ChunkPlace> {
        let Raster { samples, is_planar, .. } = self.raster;
        let (leading, rest) = coords.split_at_checked(self.axes.len())?;
        let per_channel = if self.samples == Samples::Channels && is_planar { samples } else { 1 };
        let (mut plane, mut sample) = (0, 0);
        for (nth, (axis, coordinate)) in self.axes.iter().zip(leading).enumerate() {
            let mut coordinate = *coordinate;
            if nth == 1 && per_channel > 1 {
                sample = coordinate % per_channel;
                coordinate /= per_channel;
            }
            if coordinate >= axis.extent {
                return None;
            }
            plane = plane * axis.extent + coordinate;
        }
        let (band, rest) =
            if self.samples == Samples::Band && is_planar { rest.split_first()? } else { (&sample, rest) };
        let (row, column, last) = match rest {
            [row, column] if !self.has_band() => (*row, *column, 0),
            [row, column, last] if self.has_band() && (is_run || *last == 0) => (*row, *column, *last),
            _ => return None,
        };
        let sample = Some(*band).filter(|sample| *sample < samples)?;
        Some(ChunkPlace { plane: usize::try_from(plane).ok()?, sample, row, column, band: last })
    }
}
