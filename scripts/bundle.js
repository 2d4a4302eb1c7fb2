// @ts-check
// Keeps a bundled copy of the server for the threads and processes of tests: they spend most of their start on loading two
// thousand files. Its source maps name the sources.
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundlePackages, isBundled, packageFile } from './bundle-packages.js';
import transpile, { COPY, compiled, replaceFile } from './transpile.js';

const BUNDLE = join(COPY, 'bundled');
const STAMP = join(BUNDLE, 'made-from');
/** A process may still load a chunk of an earlier bundle when it starts a thread. */
const KEPT_MS = 3_600_000;

/** What processes and threads of tests are started with. */
const ENTRIES = [
  'src/main',
  'src/platform/documents/sqlite/thread/documents.thread',
  'src/platform/log/sqlite/writer.thread',
  'src/platform/content-keys/sqlite/writer.thread',
  'src/app/verify/chunk.thread',
  'src/features/code-colours/colours.thread',
  'src/platform/pictures/picture.process',
  'projections/index',
  'projections/runner/rebuild.thread',
  'test/support/servers/faulty-server',
];

/** @param {string} path */
const inBundle = (path) => join(BUNDLE, path);

/**
 * Gives the path of an entry in the bundled copy.
 *
 * @param {string} path of its source from the root, such as `src/main.ts`, or of the module, such as `src/main.js`
 */
export function bundled(path) {
  const entry = path.replace(/\.[jt]s$/, '');
  if (!ENTRIES.includes(entry)) throw new Error(`${path} is no entry of the bundled copy`);
  return inBundle(`${entry}.js`);
}

/** Brings the compiled copy and the bundled one up to date. Processes may do so at the same time. */
export default async function bundle() {
  const version = await transpile();
  if (version === (await readFile(STAMP, 'utf8').catch(() => null))) return;
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    cwd: COPY,
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, compiled(`${entry}.ts`)])),
    platform: 'node',
    external: (id) => !/^[./\0]/.test(id),
    plugins: [{ name: 'sources', load }],
  });
  /** @type {Set<string>} */
  const packages = new Set();
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
    paths(id) {
      if (!isBundled(id)) return id;
      packages.add(id);
      return pathToFileURL(packageFile(id)).href;
    },
  });
  await build.close();
  await bundlePackages(packages);

  const files = new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]));
  // Entries come last: they name chunks.
  const chunksFirst = [...files].sort(([a], [b]) => Number(b.startsWith('chunks/')) - Number(a.startsWith('chunks/')));
  for (const [name, content] of chunksFirst) await replaceFile(inBundle(name), content);
  await replaceFile(inBundle('package.json'), await readFile(compiled('package.json')));
  for (const name of await readdir(inBundle('chunks'))) {
    if (files.has(`chunks/${name}`)) continue;
    const path = inBundle(`chunks/${name}`);
    // Another process may be putting it in its place.
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < Date.now() - KEPT_MS) await rm(path, { force: true });
  }
  await replaceFile(STAMP, version);
}

/**
 * Loads a compiled file with its map, as if it was in the bundled copy.
 *
 * @param {string} id
 */
async function load(id) {
  const text = await readFile(id, 'utf8');
  const [code = '', map = ''] = text.split(/^\/\/# sourceMappingURL=data:application\/json;base64,/m);
  const url = pathToFileURL(inBundle(relative(COPY, id))).href;
  return {
    code: code.replaceAll('import.meta.url', JSON.stringify(url)),
    map: Buffer.from(map, 'base64').toString(),
  };
}
