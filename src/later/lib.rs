//! The attribute `#[later]` marks a function whose code lies in a part of the main module that loads later.
//!
//! `wasm_split_cli_support` cuts the linked module at such functions: each is an import and an export by names that this
//! macro makes, and what only such functions reach moves to their part. The function's first parameter says which part
//! that is, and proves that it is loaded:
//!
//! ```ignore
//! #[later]
//! fn inflate(part: Loaded<Codecs>, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
//!     …
//! }
//! ```
//!
//! Builds without the feature `parts` compile the function as it is written.

use std::hash::{DefaultHasher, Hash, Hasher};

use proc_macro::TokenStream;
use proc_macro2::{Span, TokenStream as Tokens};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{
    Error, FnArg, GenericArgument, GenericParam, Ident, ItemFn, PathArguments, Result, Signature, Type,
};

/// Name of the imports that the cutter takes for split points.
const SPLIT_POINT: &str = "__wasm_split_placeholder__";

/// Moves a function to the part that its first parameter names: `Loaded<Part>`.
#[proc_macro_attribute]
pub fn later(options: TokenStream, function: TokenStream) -> TokenStream {
    let function = syn::parse_macro_input!(function as ItemFn);
    if !options.is_empty() {
        return Error::new(Span::call_site(), "expected no options").into_compile_error().into();
    }
    let file = proc_macro::Span::call_site().file();
    split(&function, &file).unwrap_or_else(Error::into_compile_error).into()
}

fn split(function: &ItemFn, file: &str) -> Result<Tokens> {
    let ItemFn { attrs, vis, sig, block } = function;
    let part = part_of(sig)?.to_string().to_lowercase();
    let (import, export) = (symbol("import", &part, sig, file), symbol("export", &part, sig, file));
    let Signature { ident: name, generics, output, .. } = sig;
    let parameters = typed(sig)?;
    let names: Vec<_> = (0..parameters.len()).map(|nth| format_ident!("argument_{nth}")).collect();
    let types: Vec<_> = parameters.iter().map(|(_, kind)| kind).collect();
    let patterns: Vec<_> = parameters.iter().map(|(pattern, _)| pattern).collect();
    Ok(quote! {
        #[cfg(not(all(target_arch = "wasm32", feature = "parts")))]
        #(#attrs)*
        #vis #sig #block

        #[cfg(all(target_arch = "wasm32", feature = "parts"))]
        #(#attrs)*
        #vis fn #name #generics (#(#names: #types),*) #output {
            #[link(wasm_import_module = #SPLIT_POINT)]
            #[allow(improper_ctypes)]
            unsafe extern "C" {
                #[link_name = #import]
                safe fn import #generics (#(#names: #types),*) #output;
            }

            #[allow(improper_ctypes_definitions)]
            #[unsafe(export_name = #export)]
            extern "C" fn export #generics (#(#patterns: #types),*) #output #block

            import(#(#names),*)
        }
    })
}

/// The part in the first parameter's type, `Loaded<Part>`.
fn part_of(sig: &Signature) -> Result<&Ident> {
    let expected = || Error::new(sig.ident.span(), "expected Loaded<…> as the type of the first parameter");
    let Some(FnArg::Typed(first)) = sig.inputs.first() else { return Err(expected()) };
    let Type::Path(path) = &*first.ty else { return Err(expected()) };
    let last = path.path.segments.last().filter(|last| last.ident == "Loaded").ok_or_else(expected)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return Err(expected()) };
    let Some(GenericArgument::Type(Type::Path(part))) = arguments.args.first() else {
        return Err(expected());
    };
    part.path.segments.last().map(|part| &part.ident).ok_or_else(expected)
}

/// Patterns and types of the parameters, of a function that can be imported and exported.
fn typed(sig: &Signature) -> Result<Vec<(&syn::Pat, &Type)>> {
    let is_lifetime = |parameter: &GenericParam| matches!(parameter, GenericParam::Lifetime(_));
    if sig.asyncness.is_some() {
        return Err(Error::new(sig.span(), "expected a function that is not async; return a boxed future"));
    }
    if !sig.generics.params.iter().all(is_lifetime) {
        return Err(Error::new(sig.generics.span(), "expected no parameters but lifetimes"));
    }
    let parameters = sig.inputs.iter().map(|input| match input {
        FnArg::Typed(typed) => Ok((&*typed.pat, &*typed.ty)),
        FnArg::Receiver(receiver) => Err(Error::new(receiver.span(), "expected a function without self")),
    });
    parameters.collect()
}

/// Name of the import or the export of a function: the part, 32 hexadecimal digits that are its own, and its name.
fn symbol(kind: &str, part: &str, sig: &Signature, file: &str) -> String {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, file, sig.ident.to_string()).hash(&mut hasher);
        hasher.finish()
    };
    format!("__wasm_split_00{part}00_{kind}_{:016x}{:016x}_{}", half(0), half(1), sig.ident)
}
