//! Keeps relocations in the linked module, by which the build cuts it in parts.

fn main() {
    println!("cargo::rustc-link-arg-cdylib=--emit-relocs");
}
