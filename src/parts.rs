//! The parts of the main WebAssembly module that load later, and proofs that they are loaded.
//!
//! Split points are functions with the attribute `#[later]`. Each takes a [`Loaded`] as its first argument, so a call
//! without it does not compile, and only a part that is loaded gives one out. Work that finds a part missing ends with
//! [`PartMissing`]; the room `js` then loads the part and begins the work again, so nothing has to guess which parts
//! metadata will need.
//!
//! Only builds with the feature `parts` are cut. In all others every part is there.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, Ordering};

pub(crate) use rectilinear_zarr_later::later;

/// A part of the main module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModulePart {
    /// Groups, Zarr v2, and what few metadata documents have.
    Opening,
    /// Virtual stores and original files: finding them, and the bytes that their indexes refer to.
    Virtual,
    /// Compressors but zstd, and items of variable length.
    Codecs,
    /// Rectilinear grids, and shards.
    Grids,
    /// Calls that few pages begin with, conversions, workers, reads from a `Map` or a `Readable`, and templates of chunk
    /// keys.
    Calls,
    /// Statistics of the items that a read decodes.
    Answers,
    /// Statistics by polygons.
    Zones,
}

impl ModulePart {
    /// All parts, by their numbers.
    pub const ALL: [Self; 7] =
        [Self::Opening, Self::Virtual, Self::Codecs, Self::Grids, Self::Calls, Self::Answers, Self::Zones];

    /// Name of the part, which is in the name of its file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Virtual => "virtual",
            Self::Codecs => "codecs",
            Self::Grids => "grids",
            Self::Calls => "calls",
            Self::Answers => "answers",
            Self::Zones => "zones",
        }
    }

    /// Whether the part is there.
    #[must_use]
    pub fn is_loaded(self) -> bool {
        LOADED.load(Ordering::Relaxed) & self.bit() != 0
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A type that stands for a part in [`Loaded`].
pub trait LaterPart {
    /// The part.
    const PART: ModulePart;
}

macro_rules! later_parts {
    ($($name:ident),*) => {$(
        #[doc = concat!("[`ModulePart::", stringify!($name), "`] as a type.")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name;

        impl LaterPart for $name {
            const PART: ModulePart = ModulePart::$name;
        }
    )*};
}
later_parts!(Opening, Virtual, Codecs, Grids, Calls, Answers, Zones);

/// Bits of the parts that are loaded.
static LOADED: AtomicU8 =
    AtomicU8::new(if cfg!(all(target_arch = "wasm32", feature = "parts")) { 0 } else { u8::MAX });

/// Notes that a part is loaded: its functions can be called from now on.
#[cfg(all(target_arch = "wasm32", feature = "js"))]
pub(crate) fn joined(part: ModulePart) {
    LOADED.fetch_or(part.bit(), Ordering::Relaxed);
}

/// Proof that a part is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loaded<P>(PhantomData<P>);

impl<P: LaterPart> Loaded<P> {
    /// The proof, where the part is there.
    ///
    /// # Errors
    /// [`PartMissing`] where it is not loaded.
    pub fn get() -> Result<Self, PartMissing> {
        if P::PART.is_loaded() { Ok(Self(PhantomData)) } else { Err(PartMissing(P::PART)) }
    }
}

/// Work needs a part of the module that is not loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartMissing(pub ModulePart);
