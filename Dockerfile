# One image for all parts of a cluster (compose.yaml): the program and a Chromium. Nothing is fetched but npm's and Debian's packages.
FROM node:20-bookworm-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends g++ make python3
WORKDIR /source
COPY . .
RUN npm ci && npm pack --pack-destination /tmp && npm install --omit=optional --prefix /opt/daguerre /tmp/daguerre-*.tgz

FROM node:20-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates chromium-headless-shell fonts-dejavu-core fonts-noto-cjk \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /data && chown node /data
COPY --from=build /opt/daguerre /opt/daguerre
ENV PATH=/opt/daguerre/node_modules/.bin:$PATH DAGUERRE_ARCHIVE=/data
USER node
WORKDIR /data
ENTRYPOINT ["daguerre"]
