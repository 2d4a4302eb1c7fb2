import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { compiled } from '../../scripts/transpile.js';
import { loadedFiles } from '../support/loaded-files.js';
import { withScratch } from '../support/scratch.js';
import { RunningServer } from '../support/servers/running-server.js';

const run = promisify(execFile);

/** Answers the files that each thread of a process has loaded by its end. */
async function loadedBy(words: readonly string[], folder: string): Promise<string[][]> {
  const coverage = join(folder, `coverage-${words.at(-1)?.length}`);
  await run(process.execPath, words, {
    env: { PATH: process.env.PATH, ANNALS_DATA_DIR: folder, NODE_V8_COVERAGE: coverage },
  });
  return loadedFiles(coverage);
}

const mainThreadOf = async (words: readonly string[], folder: string): Promise<string[]> =>
  (await loadedBy(words, folder)).find((files) => loads(files, /\/cli\/program\.js$/).length > 0) ?? [];

const NEST = /node_modules\/@nestjs\//;
const ANSWERS = /\/features\/.*\.(controller|handlers?|queries|client-events|register)\.js$/;

const loads = (files: readonly string[], pattern: RegExp): string[] => files.filter((file) => pattern.test(file));

describe('a process loads only what it needs:', () => {
  it('neither Nest nor controllers to read the log or to build documents', async () => {
    await withScratch(async (folder) => {
      const server = await RunningServer.start(folder);
      await server.stop();

      const reader = await mainThreadOf([compiled('src/main.ts'), 'log', '--limit', '1'], folder);
      expect(loads(reader, /\/platform\/log\/event-codec\.js$/)).toHaveLength(1);
      expect([...loads(reader, NEST), ...loads(reader, ANSWERS)]).toEqual([]);

      const auditor = await mainThreadOf([compiled('src/main.ts'), 'audit', '--limit', '10'], folder);
      expect(loads(auditor, /\/audit-search\.js$/)).toHaveLength(1);
      expect(loads(auditor, ANSWERS)).toEqual([]);

      const threads = await loadedBy([compiled('src/main.ts'), 'rebuild'], folder);
      const builders = threads.filter((files) => loads(files, /rebuild\.thread\.js$/).length > 0);
      expect(builders).not.toHaveLength(0);
      expect(builders.flatMap((files) => [...loads(files, NEST), ...loads(files, /\/src\/(features|app)\//)])).toEqual(
        [],
      );
    });
  });

  it('no controllers of features in a worker process', async () => {
    await withScratch(async (folder) => {
      const worker = pathToFileURL(compiled('src/app/roles/worker-process.ts')).href;
      const [files = []] = await loadedBy(['--input-type=module', '--eval', `await import('${worker}')`], folder);
      expect(loads(files, /\.feature\.js$/).length).toBeGreaterThan(5);
      expect(loads(files, ANSWERS)).toEqual([]);
    });
  });
});
