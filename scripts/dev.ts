// `npm run dev`: a server on scratch data that starts again whenever its sources change.
// Its data are in data/dev, made anew with a few users, channels and messages; ANNALS_PORT and the like are as ever.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { readCredentials } from '../src/app/config/owner-credentials.js';
import { emptyDataDirectory } from './dev-data.js';
import { seed } from './seed.js';
import transpile, { compiled, ROOT } from './transpile.js';

const DATA = join(ROOT, 'data/dev');
/** An editor writes several files at once. */
const QUIET_MS = 100;

const given = process.argv.slice(2);
let child: ChildProcess | undefined;
process.on('exit', () => child?.kill());

async function start() {
  const server = spawn(process.execPath, ['--enable-source-maps', compiled('src/main.ts'), 'start', ...given], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ANNALS_LOG_LEVEL: 'warn', ...process.env, ANNALS_DATA_DIR: DATA },
  });
  const ended = once(server, 'exit');
  child = server;
  const isUp = new Promise<boolean>((resolve) => {
    server.stdout.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk);
      if (chunk.includes('Annals is running at ')) resolve(true);
    });
    void ended.then(() => resolve(false));
  });
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  return { isUp: await isUp, stop };
}

async function changed(): Promise<void> {
  const stopWatching = new AbortController();
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    for (const folder of ['src', 'projections'])
      watch(join(ROOT, folder), { recursive: true, signal: stopWatching.signal }, () => {
        clearTimeout(timer);
        timer = setTimeout(resolve, QUIET_MS);
      });
  });
  stopWatching.abort();
}

try {
  await emptyDataDirectory(DATA);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
let server = await start();
const owner = await readCredentials(join(DATA, 'owner.zuliprc'));
if (!server.isUp || !owner) process.exit(1);
await seed(owner);
console.log(`Seeded in ${Math.round(performance.now())} ms since the start.`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server.stop().then(() => process.exit()));

for (;;) {
  await changed();
  console.log('The sources have changed.');
  await server.stop();
  try {
    await transpile();
    server = await start();
  } catch (error) {
    console.error(error);
  }
}
