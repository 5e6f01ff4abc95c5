# Two commands are enough for a newcomer: `make run` and `make test`.
.DEFAULT_GOAL := help
.PHONY: help tools web run test test-web lint openapi bench-http clean

## run: build the service and serve http://127.0.0.1:8080 (stop with Ctrl-C)
run: tools web
	cargo build --release --locked --bin discern
	exec target/release/discern serve --listen 127.0.0.1:8080

## test: run every test (the slower checks are in .ci/run)
test: tools web
	@if command -v cargo-nextest >/dev/null 2>&1; then \
		cargo nextest run --locked --workspace --no-fail-fast; \
	else \
		cargo test --locked --workspace --no-fail-fast; \
	fi
	$(MAKE) --no-print-directory test-web

## test-web: the board's logic, then the board itself in Chromium against the real binary
test-web: tools web
	@scripts/need chromium chromium "the browser that the board is tried in"
	npm --prefix web test
	cargo build --locked --bin discern
	npm --prefix web run --silent e2e

## web: build the analysis board, which the next cargo build puts into the binary
web: web/dist/site/index.html

WEB_SOURCES := $(shell find web/src web/public web/scripts -type f -not -path 'web/src/generated/*' 2>/dev/null) \
	web/index.html web/vite.config.ts web/tsconfig.json openapi/openapi.json

# What the engine for the browser is made of. It takes about a minute the first time; without the target for WebAssembly it
# is left out.
ENGINE := web/src/generated/engine.wasm
ENGINE_SOURCES := $(shell find crates/board-engine crates/othello/src crates/othello/data crates/gomoku/src crates/gomoku/data \
	crates/searchkit/src src/wire -type f 2>/dev/null) Cargo.toml Cargo.lock scripts/board-engine

$(ENGINE): $(ENGINE_SOURCES)
	scripts/board-engine $@

web/dist/site/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES) $(ENGINE)
	npm --prefix web run --silent build

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	@scripts/need npm npm "Node 20.19 or newer with npm, which builds the analysis board: https://nodejs.org"
	npm --prefix web ci
	@touch $@

## lint: formatting and clippy, as CI asks
lint:
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings

## openapi: write openapi/openapi.json anew from the routes
openapi:
	cargo run --locked --bin discern -- openapi > target/openapi.json
	mv target/openapi.json openapi/openapi.json

## bench-http: throughput of legal-moves beside a constant route (needs wrk)
bench-http:
	scripts/bench-http

# What a build needs besides Rust: a linker. Installed only where it is absent and where that is possible.
tools:
	@scripts/need cargo - "Rust 1.95 or newer: https://rustup.rs"
	@scripts/need cc gcc "a C compiler, which Rust links with"

clean:
	cargo clean

help:
	@sed -n 's/^## /  make /p' $(MAKEFILE_LIST)
