// `npm start` in a checkout: builds what is missing or older than its sources, then runs `annals start`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkNode } from './check-node.js';

checkNode();

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = ['node_modules/@nestjs/cli/bin/nest.js', 'build'];
const bundler = ['scripts/bundle-program.js'];
const entry = join(root, 'dist/bundled/src/main.js');
const sources = [
  'src',
  'projections',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
  'package.json',
  bundler[0],
];

/** Newest change of a file, or of anything in a folder; a removed file counts as a change of its folder. */
function changedAt(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

function build() {
  if (!existsSync(join(root, compiler[0]))) {
    console.error('The packages that Annals is built with are missing. Run: npm install');
    process.exit(1);
  }
  const startedAt = performance.now();
  console.log('Building Annals (the first time takes about half a minute) …');
  const stdio = ['ignore', 'inherit', 'inherit'];
  const failed = [compiler, bundler].find(
    (words) => spawnSync(process.execPath, words, { cwd: root, stdio }).status !== 0,
  );
  if (failed) {
    console.error('The build has failed; what is wrong stands above.');
    process.exit(1);
  }
  console.log(`Built in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
}

const newest = Math.max(...sources.map((name) => changedAt(join(root, name))));
if (!existsSync(entry) || statSync(entry).mtimeMs < newest) build();

process.argv = [process.argv[0], entry, 'start', ...process.argv.slice(2)];
await import('../dist/bundled/src/main.js');
