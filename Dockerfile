FROM node:20-slim AS build
WORKDIR /annals
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:20-slim
WORKDIR /annals
ENV NODE_ENV=production ANNALS_HOST=0.0.0.0 ANNALS_DATA_DIR=/data
COPY --from=build /annals/package.json ./
COPY --from=build /annals/node_modules node_modules
COPY --from=build /annals/bin bin
COPY --from=build /annals/dist dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 9991
CMD ["node", "bin/annals.js", "start"]
