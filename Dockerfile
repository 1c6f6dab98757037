# An image with the tools and the examples. It contains no shell and no libraries, because
# the tools are static.
#   docker build --build-arg COMMIT=$(git rev-parse HEAD) -t ptogo .
#   docker run --rm ptogo examples/tutorial/affine.pto \
#     --arg iota=64x64xf32 --arg zeros=64x64xf32 --arg 2.0 --arg 1.0 --print
#   docker run --rm -v "$PWD:/data" --entrypoint pto-opt ptogo kernel.pto
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETOS TARGETARCH COMMIT
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN mkdir /out /empty && CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false \
    -ldflags="-s -w -X ptogo/internal/version.commit=$COMMIT" \
    -o /out/ ./cmd/pto-run ./cmd/pto-opt ./cmd/pto-reduce ./cmd/pto-lsp-server ./cmd/pto-mcp

FROM scratch
COPY --from=build /out/ /usr/local/bin/
COPY --from=build --chmod=1777 /empty /tmp
COPY examples /data/examples
ENV PATH=/usr/local/bin
USER 65532:65532
WORKDIR /data
ENTRYPOINT ["pto-run"]
