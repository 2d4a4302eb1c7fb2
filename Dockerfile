FROM node:24.21.0-bookworm-slim AS build
WORKDIR /annals
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY src src
COPY projections projections
COPY web web
COPY scripts/bundle-program.js scripts/build-page.js scripts/is-outdated.js scripts/
# Removes files that only compilers and debuggers read, the optional compiler itself, and SQLite for another C library.
RUN npm run build && npm prune --omit=dev \
  && find dist node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && rm -rf node_modules/typescript node_modules/@libsql/*-musl

FROM node:24.21.0-bookworm-slim
WORKDIR /annals
ENV NODE_ENV=production ANNALS_HOST=0.0.0.0 ANNALS_DATA_DIR=/data
COPY --from=build /annals/package.json ./
COPY --from=build /annals/node_modules node_modules
COPY --from=build /annals/dist/bundled dist/bundled
COPY --from=build /annals/dist/web dist/web
COPY published published
COPY bin/annals.js bin/check-node.js bin/verify.mjs bin/
RUN ln -s /annals/bin/annals.js /usr/local/bin/annals && mkdir --mode=0700 /data /data/outbox && chown node:node /data /data/outbox
USER node
VOLUME /data
EXPOSE 9991
# Asks only whether the process answers at all. /health/ready tells whether it can do its work, which a restart would not mend.
HEALTHCHECK --interval=10s --timeout=5s --start-period=1h \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:9991/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "/annals/bin/annals.js"]
CMD ["start"]
