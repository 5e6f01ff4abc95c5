# Two commands are enough for a newcomer: `make run` and `make test`.
.DEFAULT_GOAL := help
.PHONY: help tools run test lint openapi bench-http clean

## run: build the service and serve http://127.0.0.1:8080 (stop with Ctrl-C)
run: tools
	cargo build --release --locked --bin discern
	exec target/release/discern serve --listen 127.0.0.1:8080

## test: run every test (the slower checks are in .ci/run)
test: tools
	@if command -v cargo-nextest >/dev/null 2>&1; then \
		cargo nextest run --locked --workspace --no-fail-fast; \
	else \
		cargo test --locked --workspace --no-fail-fast; \
	fi

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
