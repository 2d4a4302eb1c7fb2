// Packs the package, installs it in an empty folder and uses it there.
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadedFiles } from '../test/support/loaded-files.js';
import { withScratch } from '../test/support/scratch.js';
import { freePort } from './free-port.js';
import { mustSay, type ProgramOptions, run, startAnnals } from './processes.js';
import { ROOT } from './transpile.js';

const SOURCES = /^package\/(src|projections|test|bench|scripts)\/|\.spec\.|(^|[^d])\.ts$/;
const TOOLS = ['typescript', 'jest', '@nestjs/cli', '@swc/core', '@biomejs/biome'];

/** Checks that the chunks which a command loads have nothing of Nest. */
async function mustNotLoadNest(command: string, { cwd = '.', environment }: ProgramOptions): Promise<void> {
  const coverage = join(cwd, 'coverage');
  await run(command, { cwd, environment: { ...environment, NODE_V8_COVERAGE: coverage } });
  const chunks = [...new Set((await loadedFiles(coverage)).flat())].filter((url) => url.includes('/dist/bundled/'));
  if (chunks.length === 0) throw new Error(`${command} loads nothing of the bundle`);
  for (const url of chunks)
    if (/^\/\/#region .*@nestjs\//m.test(await readFile(new URL(url), 'utf8')))
      throw new Error(`${command} loads ${url}`);
}

await withScratch(async (folder) => {
  // What would be built first is built by now.
  const packed = await run(`npm pack --silent --ignore-scripts --pack-destination '${folder}'`, { cwd: ROOT });
  const file = join(folder, packed.trim().split('\n').at(-1) ?? '');
  const listed = (await run(`tar -tzf '${file}'`)).split('\n');
  const sources = listed.filter((path) => SOURCES.test(path));
  if (sources.length > 0) throw new Error(`the package holds sources or tests:\n${sources.join('\n')}`);

  const cwd = join(folder, 'empty');
  await mkdir(cwd);
  console.log(await run(`npm install --no-save '${file}'`, { cwd }));
  const brought = TOOLS.filter((tool) => existsSync(join(cwd, 'node_modules', tool)));
  if (brought.length > 0) throw new Error(`installing the package brought ${brought.join(', ')}`);
  const options = { cwd, environment: { ANNALS_PORT: String(await freePort()) } };
  const server = await startAnnals('npx annals start', options);
  await mustSay('"result":"success"', server.curlLines[0]);
  await mustSay('Hello from curl', server.curlLines[1]);
  const address = `http://127.0.0.1:${options.environment.ANNALS_PORT}`;
  await mustSay('/swagger-ui-bundle.', `curl -sS '${address}/api/docs'`);
  await mustSay('/assets/', `curl -sS '${address}/'`);
  await mustSay('MessageSent', 'npx annals log', options);
  await mustNotLoadNest('npx annals log', options);
  await server.stop('SIGTERM');
});
