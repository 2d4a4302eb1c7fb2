// `npm start` in a checkout: builds what is missing or older than its sources, then runs `annals start`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOutdated } from '../scripts/is-outdated.js';
import { checkNode } from './check-node.js';

checkNode();

const root = fileURLToPath(new URL('..', import.meta.url));
const program = {
  what: 'Annals (the first time takes about half a minute)',
  made: 'dist/bundled/src/main.js',
  by: [['node_modules/@nestjs/cli/bin/nest.js', 'build'], ['scripts/bundle-program.js']],
  sources: [
    ...['src', 'projections', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package.json'],
    'scripts/bundle-program.js',
  ],
};
/** After the program, whose compiler empties `dist`. */
const page = {
  what: 'the page',
  made: 'dist/web/index.html',
  by: [['scripts/build-page.js']],
  sources: ['web', 'package.json', 'scripts/build-page.js'],
};

function build({ what, by }) {
  if (!existsSync(join(root, 'node_modules/@nestjs/cli')) || !existsSync(join(root, 'node_modules/vite'))) {
    console.error('The packages that Annals is built with are missing. Run: npm install');
    process.exit(1);
  }
  const startedAt = performance.now();
  console.log(`Building ${what} …`);
  const stdio = ['ignore', 'inherit', 'inherit'];
  const failed = by.find((words) => spawnSync(process.execPath, words, { cwd: root, stdio }).status !== 0);
  if (failed) {
    console.error('The build has failed; what is wrong stands above.');
    process.exit(1);
  }
  console.log(`Built in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
}

for (const part of [program, page]) {
  const sources = part.sources.map((path) => join(root, path));
  if (isOutdated(join(root, part.made), sources)) build(part);
}

process.argv = [process.argv[0], join(root, program.made), 'start', ...process.argv.slice(2)];
await import('../dist/bundled/src/main.js');
