# Verbs of the project; `make help` lists them. Each one installs the missing tools that it needs (.tools/setup).
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory
SETUP := @sh .tools/setup
WASM := sh .tools/wasm-env
BIN := tests/node_modules/.bin
PYTHON := .tools/local/venv/bin/python

.PHONY: help setup build site demo test stages lint test-native test-zarrs test-types test-oracle test-browser test-engines test-repeated test-packaging test-all quick walk fuzz bench size oracle names fmt clean

help: ## List the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install all missing tools, below .tools/local where possible (other verbs install what they need)
	$(SETUP)

build: pkg/package.json ## Build the npm package into pkg/

INPUTS := $(shell find src) Cargo.toml Cargo.lock wasm-pack.toml pkg.json README.md LICENSE-MIT LICENSE-APACHE www/docs/changes.md \
  .tools/package .tools/std.toml .tools/inline.mjs .tools/glue.mjs .tools/parts.mjs .tools/bundle.mjs .tools/notices.mjs \
  .tools/optimise .tools/wasm-sections.mjs .tools/cut/wasm-bindgen .tools/versions tests/package-lock.json

pkg/package.json: $(INPUTS)
	$(SETUP) wasm npm
	sh .tools/package
	@touch $@

www/dist/index.html: pkg/package.json $(shell find www/src www/public) $(wildcard www/*.html www/*.js www/*.json www/*.css www/*.md www/docs/*)
	$(SETUP) npm
	npm --prefix www run --silent build

site: www/dist/index.html ## Build the explorer and the documentation into www/dist, for any static host

demo: www/dist/index.html ## Serve the explorer with its embedded data, and print where
	npm --prefix www run --silent serve

test: setup ## Run every test, JOBS stages (3) at the same time; each prints what it found when it ends
	$(MAKE) --jobs=$(or $(JOBS),3) --output-sync=target stages

# The longest first: the package and the pages are built while the others compile and run natively.
stages: test-browser lint test-native test-zarrs test-oracle test-types test-packaging test-engines

test-all: ## Run every test, and read all of the oracle's arrays in Firefox and WebKit too
	ALL=1 $(MAKE) test

# Words that the glossary replaces, in sources, tests and pages.
PROSE := '../src/**/*.{rs,js,ts}' '*.rs' '{bench,browser,native,conformance,engines,fuzz,oracle,packaging,types,walk,zarrs}/**/*.{rs,js,mjs,ts,py}' \
  '../.tools/*.mjs' '../www/src/**/*.{js,ts}' '../www/docs/!(glossary).md' ../README.md

# Formats and linters for what is built by default; `lint` adds the other features and the crates beside the workspace.
define LINT
cargo fmt --all --check
rustfmt --edition 2024 --check $(CODECS)
cargo clippy --workspace --all-targets -- -D warnings
$(WASM) cargo clippy --workspace --target wasm32-unknown-unknown --config wasm-pack.toml -- -D warnings
$(BIN)/eslint --config tests/eslint.config.js src/web tests www .tools
$(BIN)/tsc --project tests/tsconfig.web.json
cd tests && node_modules/.bin/textlint --config prose/.textlintrc.json --rules-base-directory . $(PROSE)
endef

quick: ## Run the linters and the Rust tests of the default features: before each commit, under a minute once built
	$(SETUP) wasm npm
	$(LINT)
	sh .tools/cargo-test

lint: ## Check formats and run the linters, for the host and for wasm32
	$(SETUP) wasm npm
	$(LINT)
	cargo fmt --check --manifest-path tests/zarrs/Cargo.toml
	cargo fmt --check --manifest-path tests/fuzz/Cargo.toml
	cargo fmt --check --manifest-path tests/bench/codecs/Cargo.toml
	cargo clippy --workspace --all-targets --all-features -- -D warnings
	cargo clippy --no-default-features -- -D warnings
	$(WASM) cargo clippy --package rectilinear-zarr-module --target wasm32-unknown-unknown --config wasm-pack.toml -- -D warnings

test-native: ## Run the Rust tests, with each zstd decoder, and the documentation's examples
	sh .tools/cargo-test
	sh .tools/cargo-test --all-features
	cargo test --quiet --doc

test-zarrs: ## Read arrays written by zarrs, in a crate of its own
	$(SETUP) cxx
	cargo test --quiet --locked --manifest-path tests/zarrs/Cargo.toml --target-dir target/zarrs

test-types: build ## Check the types that the package ships, and the examples in them and in the README
	node tests/types/examples.mjs
	$(BIN)/tsc --noEmit --project tests/tsconfig.json
	$(BIN)/tsc --noEmit --project tests/types/es2022.json
	node --test --test-reporter=spec tests/types/*.test.mjs

test-oracle: ## Check that the committed fixtures equal what zarr-python and TensorStore write
	$(SETUP) oracle
	$(PYTHON) tests/oracle/check.py

test-browser: www/dist/index.html ## Read the fixtures with the built package and look at the explorer, in Chromium; FILES="tests/browser/…" picks some
	$(SETUP) chromium nginx oracle clouds
	CHROMIUM="$$(sh .tools/chromium)" NGINX_PROGRAM="$$(sh .tools/nginx)" PYTHON=$(PYTHON) node tests/browser/run.mjs $(FILES)

test-engines: www/dist/index.html ## Read arrays of each data type, codec and grid in Firefox and in WebKit (with ALL=1 all of the oracle's), and use the explorer in both
	$(SETUP) firefox webkit oracle
	FIREFOX="$$(sh .tools/firefox)" WEBKIT="$$(sh .tools/webkit)" node --test --test-concurrency=1 --test-reporter=spec tests/engines/*.test.mjs

test-repeated: www/dist/index.html ## Read the oracle's arrays RUNS times (20) in Chromium, Firefox and WebKit while other work keeps the processors busy
	$(SETUP) chromium firefox webkit
	CHROMIUM="$$(sh .tools/chromium)" FIREFOX="$$(sh .tools/firefox)" WEBKIT="$$(sh .tools/webkit)" node tests/engines/repeated.mjs $(or $(RUNS),20) $(ENGINES)

test-packaging: build ## Check the npm package, and read with it through bundlers, in Deno, from another origin and under a policy
	$(SETUP) chromium
	CHROMIUM="$$(sh .tools/chromium)" node --test --test-reporter=spec tests/packaging/*.test.mjs

walk: ## Print the source files whose functions run in one `get` of a zstd chunk by URL, and fail where they are more than 60
	$(SETUP) wasm npm
	sh tests/walk/build.sh
	node tests/walk/walk.mjs

fuzz: ## Feed the decoders broken input, 10 seconds each; change it with FUZZ_SECONDS=60 and TARGETS="zstd shard"
	$(SETUP) cxx
	sh .tools/fuzz $(or $(FUZZ_SECONDS),10) $(TARGETS)

bench: build ## Run the benchmarks, in Chromium and Firefox; BENCH="decode 512-zstd" picks some (adapters answers calls copy codecs decode explorer files firefox first healpix memory network panning sparse workers) and rows of them; BENCH_MS=1 shortens them; BEFORE=DIR compares decode and panning with the package in DIR
	$(SETUP) chromium firefox nginx oracle
	$(if $(BENCH),,cargo bench --bench axis)
	CHROMIUM="$$(sh .tools/chromium)" FIREFOX="$$(sh .tools/firefox)" NGINX_PROGRAM="$$(sh .tools/nginx)" PYTHON=$(PYTHON) node tests/bench/run.mjs $(BENCH)

size: build ## Print the sizes of the package and of what pages download, and fail where one is over its budget
	@node .tools/size.mjs

oracle: ## Write the fixtures again with zarr-python and TensorStore
	$(SETUP) oracle
	$(PYTHON) tests/oracle/write.py

# Files of codecs, which macros declare as modules, so that `cargo fmt` does not find them.
CODECS := $(wildcard src/codec/*_to_*/*.rs src/codec/*_to_*/*/mod.rs)

names: ## Write the names that www/docs/formats.md and src/web/codecs/built-in.js list from those in the code
	NAMES=write cargo test --quiet --test native names::

fmt: ## Format Rust, and apply eslint's fixes
	$(SETUP) npm
	cargo fmt --all
	rustfmt --edition 2024 $(CODECS)
	cargo fmt --manifest-path tests/zarrs/Cargo.toml
	cargo fmt --manifest-path tests/fuzz/Cargo.toml
	cargo fmt --manifest-path tests/bench/codecs/Cargo.toml
	$(BIN)/eslint --config tests/eslint.config.js --fix src/web tests www .tools

clean: ## Remove all build output; the tools in .tools/local stay
	rm -rf target pkg www/dist
