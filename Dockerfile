# Builds static binaries for two CPU levels and ships them, with the launcher that picks one, in an image that holds
# nothing else: no shell, no libraries, no package manager.
FROM rust:1.95-slim-bookworm AS engine
WORKDIR /src
COPY . .
RUN scripts/board-engine /out/engine.wasm

FROM node:22-slim AS board
WORKDIR /src
COPY openapi ./openapi
COPY web ./web
COPY --from=engine /out/engine.wasm ./web/src/generated/engine.wasm
RUN npm --prefix web ci && npm --prefix web run build

FROM rust:1.95-slim-bookworm AS build
# Cargo features besides the usual ones: --build-arg FEATURES=otlp sends traces.
ARG FEATURES=""
# The C compiler for musl builds the allocator. Debian's stable releases keep its version.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends musl-tools && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
COPY --from=board /src/web/dist/site ./web/dist/site
RUN FEATURES="$FEATURES" docker/build-static /out

FROM scratch
LABEL org.opencontainers.image.title="Discern" \
      org.opencontainers.image.description="Othello and Gomoku analysis service" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
COPY --from=build /out/ /
COPY LICENSE LICENSE-MIT LICENSE-APACHE NOTICE /licences/
# A number, because the image has no user names; and the process never writes, so a read-only root is fine.
USER 10001:10001
# Inside a container only 0.0.0.0 can be reached from outside it. The admin listener stays on loopback: the health check
# below asks it from inside; set DISCERN_ADMIN_LISTEN=0.0.0.0:9090 where an orchestrator probes it over the network.
ENV DISCERN_LISTEN=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["/discern", "health"]
ENTRYPOINT ["/discern"]
CMD ["serve"]
