import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { compiled } from '../../../scripts/transpile.js';
import { failureOf } from '../../../src/app/cli/failure.js';
import { prepareDataDirectory } from '../../../src/platform/engines/data-directory.js';
import { withScratch } from '../../support/scratch.js';

const run = promisify(execFile);
const module = (path: string): string => JSON.stringify(compiled(`src/${path}`));

/** Asks as another user if the tests run as root, because root may write everywhere. */
const ASK = `
  const { prepareDataDirectory } = await import(${module('platform/engines/data-directory.js')});
  const { failureOf } = await import(${module('app/cli/failure.js')});
  if (process.getuid() === 0) {
    process.setgid(65534);
    process.setuid(65534);
  }
  const refused = await prepareDataDirectory(process.argv[1]).catch((error) => error);
  process.stdout.write(refused === undefined ? 'taken' : failureOf(refused).message);
`;

const answerFor = async (path: string): Promise<string> =>
  (await run(process.execPath, ['--input-type=module', '-e', ASK, path], { env: { ...process.env, NODE_OPTIONS: '' } }))
    .stdout;

describe('a data directory', () => {
  it('is made with its parent folders, and is left empty', () =>
    withScratch(async (folder) => {
      const path = join(folder, 'a', 'b');
      await prepareDataDirectory(path);
      await prepareDataDirectory(path);
      expect(await readdir(path)).toEqual([]);
    }));

  it.each(['/proc/annals/data', '/proc'])('is refused if no files can be kept in it: %s', async (path) => {
    const refused = await prepareDataDirectory(path).catch((error: unknown) => error);
    expect(failureOf(refused).message).toBe(
      `no files can be kept in ${path}: choose another folder with --data-dir or ANNALS_DATA_DIR`,
    );
  });

  it('is refused if this user may not write in it, or may not write one of its files', () =>
    withScratch(async (folder) => {
      await chmod(folder, 0o777);
      const [closed, files, documents] = [join(folder, 'closed'), join(folder, 'files'), join(folder, 'documents')];
      await mkdir(closed);
      await mkdir(join(documents, 'documents'), { recursive: true });
      await mkdir(files);
      await writeFile(join(files, 'log.sqlite'), '');
      await writeFile(join(documents, 'documents', 'messages.v1.g1.sqlite'), '');
      for (const open of [files, documents, join(documents, 'documents')]) await chmod(open, 0o777);
      for (const path of [closed, join(files, 'log.sqlite')]) await chmod(path, 0o555);
      await chmod(join(documents, 'documents', 'messages.v1.g1.sqlite'), 0o444);
      const told = [await answerFor(closed), await answerFor(files), await answerFor(documents)];
      const advice = 'change its owner, or choose another folder with --data-dir or ANNALS_DATA_DIR';
      expect(told[0]).toBe(`this user may not write ${closed}: ${advice}`);
      expect(told[1]).toBe(`this user may not write ${join(files, 'log.sqlite')}: ${advice}`);
      expect(told[2]).toBe(`this user may not write ${documents}/documents/messages.v1.g1.sqlite: ${advice}`);
    }));

  it("may hold other users' folders", () =>
    withScratch(async (folder) => {
      await chmod(folder, 0o777);
      await mkdir(join(folder, 'lost+found'), { mode: 0o000 });
      expect(await answerFor(folder)).toBe('taken');
    }));
});
