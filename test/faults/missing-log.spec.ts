import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SqliteConnection } from '../../src/platform/sqlite/driver.js';
import { copyClosed } from '../support/engines/copy-closed.js';
import { EMBEDDED, embeddedEngines, type OwnEngines } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import { Annals } from '../support/servers/annals.js';
import { annals as command, run } from '../support/servers/command-line.js';

const QUIET = { ANNALS_LOG_LEVEL: 'fatal' };
const CHECKPOINTS = 'checkpoints';

/** The data directory of a server that has served and signed. No server runs on it. */
let served: OwnEngines;
/** A copy of it, for one test. */
let engines: OwnEngines;
let running: Annals | null = null;

beforeAll(async () => {
  served = await embeddedEngines();
  const annals = await Annals.on(served, QUIET);
  const { api, id } = await annals.owner();
  await api.post('/messages', { type: 'direct', to: [id], content: 'hello' });
  await eventually(async () =>
    expect((await readFile(join(served.dataDirectory, CHECKPOINTS))).length).toBeGreaterThan(0),
  );
  await annals.close();
});
afterAll(() => served.remove());
beforeEach(async () => {
  engines = await embeddedEngines();
  await copyClosed(served.dataDirectory, engines.dataDirectory);
});
afterEach(async () => {
  await running?.close();
  running = null;
  await engines.remove();
});

const at = (...names: readonly string[]): string => join(engines.dataDirectory, ...names);
const remove = async (...names: readonly string[]): Promise<void> => {
  for (const name of names)
    for (const suffix of ['', '-wal', '-shm']) await rm(at(name + suffix), { recursive: true, force: true });
};
const settings = (): Readonly<Record<string, string>> => ({ ...EMBEDDED, ANNALS_DATA_DIR: engines.dataDirectory });
const started = async (more = {}): Promise<Annals> => {
  running = await Annals.on(engines, { ...QUIET, ...more });
  return running;
};

/** What a refused start must not touch. */
async function kept(): Promise<unknown> {
  const names = (await readdir(engines.dataDirectory)).filter((name) =>
    /^(?:(?:log|keys)\.sqlite|checkpoints)$/.test(name),
  );
  const digest = async (name: string) =>
    createHash('sha256')
      .update(await readFile(at(name)))
      .digest('hex');
  return Promise.all(names.sort().map(async (name) => [name, await digest(name)]));
}

const MISSING = /^annals: log\.sqlite is missing in .*: restore log\.sqlite from its backup\..*\n$/;
const EMPTY =
  /^annals: The log .*log\.sqlite is damaged: the file is empty\. .* restore the log from a backup, then start again\.\n$/;

describe('a data directory without its log', () => {
  it.each<readonly [string, RegExp, string, () => Promise<void>]>([
    ['the log', MISSING, 'keys.sqlite, checkpoints and documents', () => remove('log.sqlite')],
    ['log and keys', MISSING, 'checkpoints and documents', () => remove('log.sqlite', 'keys.sqlite')],
    ['all but the checkpoints', MISSING, 'left checkpoints:', () => remove('log.sqlite', 'keys.sqlite', 'documents')],
    ['all but the documents', MISSING, 'left documents:', () => remove('log.sqlite', 'keys.sqlite', CHECKPOINTS)],
    [
      'all but a part of the log',
      MISSING,
      'left log.sqlite-wal:',
      async () => {
        await remove('log.sqlite', 'keys.sqlite', CHECKPOINTS, 'documents');
        await writeFile(at('log.sqlite-wal'), 'frames');
      },
    ],
    ['the bytes of the log', EMPTY, 'the file is empty', () => truncate(at('log.sqlite'))],
  ])('is refused, and nothing is created: it lacks %s', async (_, line, names, damage) => {
    await damage();
    const before = await kept();
    const words = [['rebuild'], ['verify'], ['backup', at('copy'), '--keys-to', at('keys')], ['log'], ['start']];
    for (const [name = '', ...more] of words) {
      const { code, stdout, stderr } = await run([name, ...more], settings());
      expect({ name, code, stdout, stderr }).toEqual({
        name,
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(line),
      });
      expect(stderr).toContain(names);
    }
    expect(await kept()).toEqual(before);
  });

  it('ends the program with 1 and one line', async () => {
    await remove('log.sqlite');
    expect(await command(['start'], { ...settings(), ANNALS_PORT: '0' })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(MISSING),
    });
  });

  it('is refused beside checkpoints that are elsewhere, until they are moved away', async () => {
    const elsewhere = { ANNALS_CHECKPOINTS_FILE: at('elsewhere', CHECKPOINTS) };
    await mkdir(at('elsewhere'));
    await rename(at(CHECKPOINTS), at('elsewhere', CHECKPOINTS));
    await remove('log.sqlite', 'keys.sqlite', 'documents', 'owner.zuliprc');
    await expect(started(elsewhere)).rejects.toThrow(/log\.sqlite is missing .*elsewhere\/checkpoints: restore/);
    await rename(at('elsewhere', CHECKPOINTS), at('elsewhere', 'earlier'));
    const annals = await started(elsewhere);
    expect((await annals.events()).filter(({ type }) => type === 'OrganizationCreated')).toHaveLength(1);
  });

  it('is refused if its log has no events, and there are checkpoints', async () => {
    await remove('keys.sqlite', 'documents');
    const log = new SqliteConnection(at('log.sqlite'));
    log.exec('DELETE FROM events; DELETE FROM streams; DELETE FROM kinds');
    log.close();
    await expect(started()).rejects.toThrow(/log\.sqlite is empty, and .*checkpoints has checkpoints of a log/);
  });

  it('begins an organization if nothing of another one is left', async () => {
    await remove('log.sqlite', 'keys.sqlite', 'documents', CHECKPOINTS, 'owner.zuliprc');
    const annals = await started();
    expect((await annals.events()).filter(({ type }) => type === 'OrganizationCreated')).toHaveLength(1);
  });
});
