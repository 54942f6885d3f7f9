//! Formats of the data at an address: plain Zarr, or a virtual store that maps Zarr keys to byte ranges.

/// Signatures of formats: a file's key, its first bytes, and the format of the folder that has it.
pub const MARKS: [(&str, &[u8], Format); 3] = [
    (".zmetadata", b"{", Format::KerchunkFolder),
    ("repo", b"ICE\xf0\x9f\xa7\x8aCHUNK", Format::Icechunk),
    ("refs/branch.main/ref.json", b"{\"snapshot\"", Format::Icechunk),
];

/// First bytes of original files, and the format that each tells.
const SIGNATURES: [(&[u8], Format); 8] = [
    (b"CDF\x01", Format::NetCdf),
    (b"CDF\x02", Format::NetCdf),
    (b"CDF\x05", Format::NetCdf),
    (b"\x89HDF\r\n\x1a\n", Format::Hdf5),
    (b"II*\0", Format::Tiff),
    (b"MM\0*", Format::Tiff),
    (b"II+\0\x08\0\0\0", Format::Tiff),
    (b"MM\0+\0\x08\0\0", Format::Tiff),
];

/// Format of the data at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A plain Zarr hierarchy: one key below the address for each document and each chunk.
    Zarr,
    /// A JSON document of kerchunk references.
    Kerchunk,
    /// A folder of kerchunk references in Parquet.
    KerchunkFolder,
    /// An Icechunk repository: a folder, versions 1 and 2.
    Icechunk,
    /// A cfdb file.
    Cfdb,
    /// A NetCDF-3 file; a file of NetCDF-4 is one of HDF5.
    NetCdf,
    /// An HDF5 file.
    Hdf5,
    /// A TIFF or BigTIFF file.
    Tiff,
}

impl Format {
    /// Formats that callers name.
    pub const NAMED: [Self; 7] =
        [Self::Zarr, Self::Kerchunk, Self::Icechunk, Self::Cfdb, Self::NetCdf, Self::Hdf5, Self::Tiff];

    /// The format of a caller's name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|format| format.name() == name)
    }

    /// Formats that a format at an address's path may have, the likelier one first.
    #[must_use]
    pub fn forms(self, path: &str) -> Vec<Self> {
        match (self, Self::likely_at(path)) {
            (Self::Kerchunk, Some(Self::Kerchunk)) => vec![Self::Kerchunk],
            (Self::Kerchunk, None) if !path.ends_with('/') => vec![Self::Kerchunk, Self::KerchunkFolder],
            (Self::Kerchunk, _) => vec![Self::KerchunkFolder, Self::Kerchunk],
            _ => vec![self],
        }
    }

    /// Name of the format in options, and of its index in the module of virtual stores.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Zarr => "zarr",
            Self::Kerchunk => "kerchunk",
            Self::KerchunkFolder => "kerchunk-folder",
            Self::Icechunk => "icechunk",
            Self::Cfdb => "cfdb",
            Self::NetCdf => "netcdf",
            Self::Hdf5 => "hdf5",
            Self::Tiff => "tiff",
        }
    }

    /// The module of the package that looks up keys in the format.
    #[must_use]
    pub fn module(self) -> &'static str {
        match self {
            Self::NetCdf | Self::Tiff => "files",
            Self::Hdf5 => "hdf5",
            _ => "systems",
        }
    }

    /// Whether the format is that of an original file, whose first bytes tell which one it is.
    #[must_use]
    pub fn is_original(self) -> bool {
        matches!(self, Self::NetCdf | Self::Hdf5 | Self::Tiff)
    }

    /// The format of an original file with these first bytes; `None` where they tell none.
    #[must_use]
    pub fn of_first_bytes(bytes: &[u8]) -> Option<Self> {
        SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature)).map(|(_, format)| *format)
    }

    /// Says why a file with these first bytes is no original file, where that is plain: it is empty, or a page.
    #[must_use]
    pub fn no_original(bytes: &[u8]) -> Option<&'static str> {
        let start = bytes.trim_ascii_start().to_ascii_lowercase();
        if bytes.is_empty() {
            Some("the file is empty; it may still be on its way to its host")
        } else if [&b"<!doctype html"[..], b"<html", b"<?xml"].iter().any(|mark| start.starts_with(mark)) {
            Some("the address gives a page in place of the file; use the address of the download")
        } else {
            None
        }
    }

    /// The original file that an address's path leads into, and the end of its name in the path: `/a/t2m.nc/lat` is the
    /// array `lat` of the file `/a/t2m.nc`.
    #[must_use]
    pub fn file_in(path: &str) -> Option<(Self, usize)> {
        // A hierarchy of Zarr has members of any name, and some hosts give a file below its name.
        let is_inner = |end: &usize| {
            !path[..*end].split('/').any(|name| name.ends_with(".zarr"))
                && !["", "content", "download"].contains(&&path[end + 1..])
        };
        path.match_indices('/').map(|(end, _)| end).filter(is_inner).find_map(|end| {
            Self::likely_at(&path[..end]).filter(|format| format.is_original()).map(|format| (format, end))
        })
    }

    /// Format that the ending of an address's path suggests, to be looked for first; `None` for plain Zarr.
    #[must_use]
    pub fn likely_at(path: &str) -> Option<Self> {
        let name = path.trim_end_matches('/');
        let (stem, extension) = name.rsplit_once('.')?;
        match extension {
            "json" if name == path => Some(Self::Kerchunk),
            "zst" | "zstd" if name == path && stem.ends_with(".json") => Some(Self::Kerchunk),
            "parq" | "parquet" => Some(Self::KerchunkFolder),
            "icechunk" => Some(Self::Icechunk),
            "cfdb" if name == path => Some(Self::Cfdb),
            _ if name == path => match extension.to_ascii_lowercase().as_str() {
                "nc" | "nc3" | "cdf" => Some(Self::NetCdf),
                "h5" | "hdf5" | "he5" | "nc4" => Some(Self::Hdf5),
                "tif" | "tiff" => Some(Self::Tiff),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an address is that of a file that Icechunk repositories may do without: version 1 has no `repo`, and not
    /// every one has a configuration.
    #[must_use]
    pub fn may_lack(address: &str) -> bool {
        address
            .split('?')
            .next()
            .is_some_and(|path| path.ends_with("/repo") || path.ends_with("/config.yaml"))
    }

    /// Whether the format is one file, so that a new version of it outdates all that was read.
    #[must_use]
    pub fn is_one_file(self) -> bool {
        self == Self::Cfdb || self.is_original()
    }

    /// Whether programs write to such a file in place, as to a database, so that none of it may outlive the page.
    #[must_use]
    pub fn is_written_in_place(self) -> bool {
        self == Self::Cfdb
    }

    /// Whether the format is a folder, to which the addresses in it are relative.
    #[must_use]
    pub fn is_folder(self) -> bool {
        matches!(self, Self::Icechunk | Self::KerchunkFolder)
    }
}
