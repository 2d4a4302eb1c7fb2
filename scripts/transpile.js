// @ts-check
// Keeps a compiled copy of the sources for the threads and processes of tests and scripts. Compiles only changed files, and
// checks no types. The package is built by `npm run build` instead.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('..', import.meta.url));

/** The repository's root, seen from the sources or from their copy. */
export const ROOT = HERE.replace(/node_modules[\\/]\.cache[\\/].*$/, '');

const FOLDERS = ['src', 'projections', 'test', 'scripts'];
const CONCURRENCY = 16;

/**
 * Compiler options of the sources, for this copy and for Jest.
 *
 * @satisfies {import('@swc/core').Options}
 */
export const LANGUAGE = /** @type {const} */ ({
  jsc: {
    target: 'es2022',
    experimental: { keepImportAttributes: true },
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'es6' },
});

/** @type {import('@swc/core').Options} */
const OPTIONS = {
  configFile: false,
  swcrc: false,
  ...LANGUAGE,
  sourceMaps: 'inline',
  inlineSourcesContent: false,
};

/** The compiled copy's folder. */
export const COPY = join(
  ROOT,
  `node_modules/.cache/annals-${createHash('sha1').update(JSON.stringify(OPTIONS)).digest('hex').slice(0, 8)}`,
);

/**
 * Gives the path of a file in the compiled copy.
 *
 * @param {string} path of its source from the root, such as `src/main.ts`
 */
export const compiled = (path) => join(COPY, path.replace(/\.ts$/, '.js'));

/**
 * Brings the copy up to date. Processes may do so at the same time: each file is replaced as a whole.
 *
 * @returns what tells this copy from another
 */
export default async function transpile() {
  await mkdir(COPY, { recursive: true });
  const sources = ['package.json', 'package-lock.json', ...(await Promise.all(FOLDERS.map(sourcesIn))).flat()];
  const left = sources[Symbol.iterator]();
  /** @type {Map<string, number>} */
  const times = new Map();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const path of left) times.set(path, await update(path));
    }),
  );
  const wanted = new Set(sources.map(compiled));
  const copies = (await Promise.all(FOLDERS.map((folder) => filesIn(join(COPY, folder))))).flat();
  for (const path of copies) if (path.endsWith('.js') && !wanted.has(path)) await rm(path, { force: true });
  return createHash('sha1')
    .update(JSON.stringify([...times].sort()))
    .digest('hex');
}

/** @param {string} folder */
async function sourcesIn(folder) {
  const paths = await filesIn(join(ROOT, folder));
  return paths.filter((path) => /(?<!\.spec|\.d)\.[jt]s$/.test(path)).map((path) => relative(ROOT, path));
}

/** @param {string} folder */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** A copy has the time of the source that it was made from. @param {string} path @returns that time, milliseconds */
async function update(path) {
  const [source, copy] = [join(ROOT, path), compiled(path)];
  const { mtime } = await stat(source);
  const made = await stat(copy).catch(() => null);
  if (made && Math.abs(made.mtimeMs - mtime.getTime()) < 1) return mtime.getTime();
  const text = await readFile(source, 'utf8');
  await replaceFile(copy, path.endsWith('.ts') ? await compile(text, source) : text, mtime);
  return mtime.getTime();
}

/**
 * Replaces a file as a whole.
 *
 * @param {string} path
 * @param {string | Uint8Array} content
 * @param {Date} time
 */
export async function replaceFile(path, content, time = new Date()) {
  const temporary = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(temporary, content);
  await utimes(temporary, time, time);
  await rename(temporary, path);
}

/**
 * @param {string} text
 * @param {string} filename
 */
async function compile(text, filename) {
  const { transform } = await import('@swc/core');
  return (await transform(text, { ...OPTIONS, filename })).code;
}
