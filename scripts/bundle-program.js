// @ts-check
// Bundles what `nest build` has compiled: the program and the entries of its threads, with their packages. Loading a few files
// takes a fraction of the time that loading thousands takes. `bin/annals.js` and the package have the bundle alone.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const BUNDLE = join(DIST, 'bundled');

/** Packages with binaries, and large packages that are loaded only if a setting asks for them. */
const LEFT_ALONE =
  /^(libsql|sharp|@node-rs\/argon2|mongodb|@eventstore\/db-client|@parse\/node-apn|libsodium-wrappers)(\/|$)/;

/** A module that has the files which answer clients. They are loaded together, so they belong into one chunk. */
const API = '\0api';
const API_FILE = /\(\) => import\('(\.[^']+)'\)/g;

const compiled = (await readdir(DIST, { recursive: true })).filter((path) => path.endsWith('.js'));
const program = compiled.filter((path) => /^(src|projections)\//.test(path.replaceAll(sep, '/')));
const entries = program.filter((path) => /\.(thread|process)\.js$/.test(path));
const apiFiles = (await Promise.all(program.filter((path) => path.endsWith('.feature.js')).map(apiFilesOf))).flat();

/** Lists the files that a feature's declaration loads, with their paths. @param {string} declaration */
async function apiFilesOf(declaration) {
  const code = await readFile(join(DIST, declaration), 'utf8');
  return [...code.matchAll(API_FILE)].map(([, file = '']) => join(DIST, dirname(declaration), file));
}

/** @type {import('rolldown').Plugin} */
const sources = {
  name: 'sources',
  resolveId: (id) => (id === API ? id : null),
  async load(id) {
    if (id === API) return apiFiles.map((path, n) => `export * as api${n} from ${JSON.stringify(path)};`).join('\n');
    if (!id.startsWith(DIST)) return null;
    const code = (await readFile(id, 'utf8')).replaceAll(API_FILE, (whole, file) => {
      const n = apiFiles.indexOf(join(dirname(id), file));
      return n < 0 ? whole : `() => import(${JSON.stringify(API)}).then((api) => api.api${n})`;
    });
    return { code, map: await readFile(`${id}.map`, 'utf8') };
  },
};

/** @param {readonly string[]} inputs paths in `dist` @returns the bundled files of packages */
async function bundle(inputs) {
  const build = await rolldown({
    cwd: DIST,
    input: Object.fromEntries(inputs.map((path) => [path.replace(/\.js$/, ''), join(DIST, path)])),
    platform: 'node',
    external: LEFT_ALONE,
    preserveEntrySignatures: 'allow-extension',
    plugins: [sources],
    // Packages look for others that may be absent.
    onLog(level, log, report) {
      if (log.code !== 'UNRESOLVED_IMPORT' && log.code !== 'EVAL') report(level, log);
    },
  });
  const { output } = await build.write({
    dir: BUNDLE,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
    // Decorators must find what reflect-metadata adds, whatever is loaded first.
    strictExecutionOrder: true,
    // Names of classes are in OpenAPI schemas and in messages of Nest.
    keepNames: true,
  });
  await build.close();
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])).filter((id) => !id.startsWith(DIST));
}

/** Writes the licences of bundled packages beside their code. @param {Iterable<string>} files */
async function writeLicences(files) {
  const folders = [...files].flatMap((id) => /^[^\0].*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const licences = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).sort();
    const said = await Promise.all(licences.map((file) => readFile(join(folder, file), 'utf8')));
    return [`${name} ${version} (${license})`, ...said.map((text) => text.trim())].join('\n\n');
  });
  await writeFile(join(BUNDLE, 'LICENSES.txt'), `${(await Promise.all(texts)).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}

await rm(BUNDLE, { recursive: true, force: true });
// Threads have files of their own: they would load much of the program with what they share.
const files = [...(await bundle(['src/main.js'])), ...(await bundle([...entries, 'projections/index.js']))];
await writeLicences(files);
