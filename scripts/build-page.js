// @ts-check
// Builds the page that people open in a browser: `web` becomes `dist/web`, each file beside its encodings. With `--if-outdated`
// it does nothing while the build is newer than its sources.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { isOutdated } from './is-outdated.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WEB = join(ROOT, 'web');
const BUILD = join(ROOT, 'dist/web');
const SOURCES = ['web', 'scripts/build-page.js', 'package.json'].map((path) => join(ROOT, path));

/** What a browser transfers at most: by gzip, because over plain HTTP it takes no brotli. */
const MOST_BYTES = 150_000;

const inGzip = promisify(gzip);
const inBrotli = promisify(brotliCompress);

/** Bundles the page. @param {string} folder */
async function bundle(folder) {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: WEB,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsDir: 'assets',
      // The page's policy has no scripts and styles but those of files.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: 'LICENSES.md' },
    },
  });
}

/** Writes the encodings of a file beside it. @param {string} path @returns bytes by gzip */
async function encode(path) {
  const content = await readFile(path);
  const [small, smallest] = await Promise.all([inGzip(content, { level: 9 }), inBrotli(content)]);
  await Promise.all([writeFile(`${path}.gz`, small), writeFile(`${path}.br`, smallest)]);
  return small.length;
}

/** Two processes may build at the same time: the build of the last one stays. @param {string} folder */
async function putInPlace(folder) {
  const before = `${folder}.before`;
  for (let isThere = false; !isThere; ) {
    await rename(BUILD, before).catch(unlessItIs('ENOENT'));
    await rm(before, { recursive: true, force: true });
    isThere = await rename(folder, BUILD).then(() => true, unlessItIs('ENOTEMPTY', 'EEXIST'));
  }
}

/** @param {readonly string[]} codes @returns {(error: NodeJS.ErrnoException) => false} what throws other errors */
const unlessItIs =
  (...codes) =>
  (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
    return false;
  };

if (!process.argv.includes('--if-outdated') || isOutdated(join(BUILD, 'index.html'), SOURCES)) {
  const folder = `${BUILD}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  try {
    await bundle(folder);
    const assets = (await readdir(join(folder, 'assets'))).map((name) => join(folder, 'assets', name));
    const sizes = await Promise.all([join(folder, 'index.html'), ...assets].map(encode));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (bytes > MOST_BYTES) throw new Error(`the page has ${bytes} bytes compressed, and may have ${MOST_BYTES}`);
    console.log(`The page has ${Math.ceil(bytes / 1000)} kB compressed.`);
    await putInPlace(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
