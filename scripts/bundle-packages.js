// @ts-check
// Keeps the packages that the sources import in a few files, for tests. They are bundled again when package-lock.json changes.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { COPY, ROOT } from './transpile.js';

const FOLDER = join(COPY, 'packages');
const STAMP = 'made-from.json';

/** Packages with binaries, and files of JSON. */
const LEFT_ALONE = ['libsql', '@node-rs/argon2', 'sharp', 'tlds', 'unicode-emoji-json/data-by-emoji.json'];

/** Tells whether an import names a package that is bundled. @param {string} specifier */
export const isBundled = (specifier) => /^(?!node:)[^./\0]/.test(specifier) && !LEFT_ALONE.includes(specifier);

/** Gives the path of what a specifier names, in the bundled packages. @param {string} specifier */
export const packageFile = (specifier) => join(FOLDER, `${specifier}.mjs`);

/**
 * Brings the packages up to date.
 *
 * @param {ReadonlySet<string>} specifiers what the sources import
 */
export async function bundlePackages(specifiers) {
  const parts = await Promise.all(
    [join(ROOT, 'package-lock.json'), fileURLToPath(import.meta.url)].map((path) => readFile(path)),
  );
  const version = createHash('sha1').update(Buffer.concat(parts)).digest('hex');
  const made = JSON.parse(await readFile(join(FOLDER, STAMP), 'utf8').catch(() => '{}'));
  if (made.version === version && [...specifiers].every((specifier) => made.specifiers.includes(specifier))) return;

  const folder = `${FOLDER}.${process.pid}`;
  const entries = join(folder, 'entries');
  const names = await namesIn([...specifiers]);
  /** @type {Record<string, string>} */
  const input = {};
  for (const [index, [specifier, exported]] of Object.entries(names).entries()) {
    const path = join(entries, `${index}.mjs`);
    await mkdir(entries, { recursive: true });
    await writeFile(path, `export { ${exported.join(', ')} } from '${specifier}';\n`);
    input[specifier] = path;
  }
  const { build } = await import('rolldown');
  await build({
    cwd: ROOT,
    input,
    platform: 'node',
    external: LEFT_ALONE,
    logLevel: 'silent',
    output: {
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: 'chunks/[name]-[hash].mjs',
      // Decorators must find what reflect-metadata adds, whatever is loaded first.
      strictExecutionOrder: true,
      keepNames: true,
    },
  });
  await rm(entries, { recursive: true });
  await writeFile(join(folder, STAMP), JSON.stringify({ version, specifiers: [...specifiers] }));
  await rm(FOLDER, { recursive: true, force: true });
  // Another process may have been first.
  await rename(folder, FOLDER).catch(() => rm(folder, { recursive: true }));
}

/**
 * Lists what packages export, as Node sees it. Packages in CommonJS tell only when they run.
 *
 * @param {readonly string[]} specifiers
 * @returns {Promise<Record<string, readonly string[]>>}
 */
async function namesIn(specifiers) {
  const program = `
    const names = {};
    for (const specifier of ${JSON.stringify(specifiers)}) names[specifier] = Object.keys(await import(specifier));
    console.log(JSON.stringify(names));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  });
  const names = Object.entries(/** @type {Record<string, string[]>} */ (JSON.parse(stdout)));
  const isName = (/** @type {string} */ name) => name !== 'module.exports' && name !== '__esModule';
  return Object.fromEntries(names.map(([specifier, exported]) => [specifier, exported.filter(isName)]));
}
