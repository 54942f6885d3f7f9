//! What may be at an address: plain Zarr, or a system that says of Zarr keys where their bytes are.

/// What is at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A hierarchy of Zarr, one key below the address for each of its things.
    Zarr,
    /// A JSON document of kerchunk's references.
    Kerchunk,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Zarr, Self::Kerchunk];

    /// The format of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The name that it is asked for by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Zarr => "zarr",
            Self::Kerchunk => "kerchunk",
        }
    }

    /// What may be at an address of this path beside plain Zarr, and is looked for there first.
    #[must_use]
    pub fn likely_at(path: &str) -> Option<Self> {
        path.ends_with(".json").then_some(Self::Kerchunk)
    }
}
