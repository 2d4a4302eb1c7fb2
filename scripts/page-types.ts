// Writes the types of the API for `web`, from the description that a server of these sources gives, if they are older than the
// sources. `npm run types` does so first.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../src/app/config/read-config.js';
import { startServer } from '../src/app/server.js';
import { withScratch } from '../test/support/scratch.js';
import { isOutdated } from './is-outdated.js';
import { ROOT } from './transpile.js';

const TYPES = join(ROOT, 'web/platform/api-types.d.ts');
const FEATURES = join(ROOT, 'src/features');
/** What the description is made of; the rest of `src` changes far more often. */
const SOURCES = [
  ...['published', 'src/app/description', 'src/platform/http', 'scripts/page-types.ts', 'package-lock.json'].map(
    (path) => join(ROOT, path),
  ),
  ...readdirSync(FEATURES)
    .map((feature) => join(FEATURES, feature, 'http'))
    .filter((folder) => existsSync(folder)),
];

if (isOutdated(TYPES, SOURCES))
  await withScratch(async (folder) => {
    const environment = { ANNALS_DATA_DIR: folder, ANNALS_PORT: '0', ANNALS_LOG_LEVEL: 'warn' };
    const server = await startServer(readConfig('start', {}, environment));
    const description = join(folder, 'openapi.json');
    try {
      const answer = await fetch(`${server.url}/api/v1/openapi.json`);
      await writeFile(description, await answer.text());
    } finally {
      await server.close();
    }
    const generator = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');
    const { status } = spawnSync(process.execPath, [generator, description, '-o', TYPES], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
  });
