#!/bin/sh
# Builds what walk.mjs runs, in target/walk: the main crate without optimisation and in one part, in which each function
# says that it runs, and the package's JavaScript beside it, file by file.
set -eu
cd "$(dirname -- "$0")/../.."
walk=target/walk
find "$walk" -mindepth 1 -maxdepth 1 ! -name cargo -exec rm -rf {} + 2>/dev/null || true
mkdir -p "$walk"
sh .tools/wasm-env cargo rustc --quiet --lib --crate-type cdylib --target wasm32-unknown-unknown --target-dir "$walk/cargo" \
  --config 'target.wasm32-unknown-unknown.rustflags=["-Ctarget-feature=+bulk-memory"]' \
  --config 'profile.dev.debug=false' \
  --no-default-features --features blosc,external,gzip,js,lz4,zstd
node tests/walk/calls.mjs "$walk/cargo/wasm32-unknown-unknown/debug/rectilinear_zarr.wasm" "$walk/counted.wasm" "$walk/functions.json"
cp -r src/web/. "$walk/"
rm "$walk"/wasm/*.d.ts
sh .tools/wasm-env wasm-bindgen "$walk/counted.wasm" --target web --out-dir "$walk/wasm" --out-name rectilinear_zarr
# In the package, the module lies beside what loads it.
mv "$walk/wasm/rectilinear_zarr_bg.wasm" "$walk/load/"
cp tests/walk/ran.js "$walk/wasm/"
echo 'export const BUILD = "walk", SHARED = {};' >"$walk/wasm/build.js"
