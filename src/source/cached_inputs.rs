//! Cache of inputs that a virtual store was provided, by the names that it has for them.

use std::collections::HashMap;
use std::hash::Hash;

/// Parsed inputs, of which the least recently used are dropped where they take too many bytes.
#[derive(Debug, Clone)]
pub(super) struct CachedInputs<Name, Input> {
    known: HashMap<Name, KnownInput<Input>>,
    /// Names by input number.
    names: Vec<Name>,
    /// The most bytes that are cached, or one input that is larger.
    most: usize,
    bytes: usize,
    uses: u64,
}

#[derive(Debug, Clone)]
struct KnownInput<Input> {
    number: u64,
    /// Counter value of the last use.
    used: u64,
    /// The input with its number of bytes, while it is cached.
    provided: Option<(Input, usize)>,
}

impl<Name: Clone + Eq + Hash, Input: Clone> CachedInputs<Name, Input> {
    pub(super) fn new(most: usize) -> Self {
        Self { known: HashMap::new(), names: Vec::new(), most, bytes: 0, uses: 0 }
    }

    /// Number of an input, and the input itself if it is cached.
    pub(super) fn get(&mut self, name: &Name) -> (u64, Option<Input>) {
        self.uses += 1;
        let number = self.names.len() as u64;
        if !self.known.contains_key(name) {
            self.names.push(name.clone());
        }
        let known = self.known.entry(name.clone());
        let known = known.or_insert(KnownInput { number, used: 0, provided: None });
        known.used = self.uses;
        (known.number, known.provided.as_ref().map(|(input, _)| input.clone()))
    }

    /// Name of an input by its number.
    #[cfg(feature = "systems")]
    pub(super) fn name(&self, number: u64) -> Option<&Name> {
        usize::try_from(number).ok().and_then(|number| self.names.get(number))
    }

    /// Caches an input that takes so many bytes.
    pub(super) fn put(&mut self, name: &Name, input: Input, bytes: usize) {
        self.bytes += bytes;
        while self.bytes > self.most {
            let provided = self.known.values_mut().filter(|known| known.provided.is_some());
            let oldest = provided.min_by_key(|known| known.used).and_then(|known| known.provided.take());
            let Some((_, bytes)) = oldest else { break };
            self.bytes -= bytes;
        }
        let replaced = self.known.get_mut(name).and_then(|known| known.provided.replace((input, bytes)));
        self.bytes -= replaced.map_or(0, |(_, bytes)| bytes);
    }
}
