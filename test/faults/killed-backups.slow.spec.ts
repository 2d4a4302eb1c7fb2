import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { embeddedEngines, type OwnEngines } from '../support/engines/own-engines.js';
import { uploaded } from '../support/requests/uploads.js';
import { Annals } from '../support/servers/annals.js';
import { run, spawnAnnals } from '../support/servers/command-line.js';

/** Kills that are spread over the time that the command takes. */
const KILLS = 4;

let engines: OwnEngines;
let scratch: string;

beforeEach(async () => {
  engines = await embeddedEngines();
  scratch = await mkdtemp(join(tmpdir(), 'annals-'));
});
afterEach(async () => {
  await engines.remove();
  await rm(scratch, { recursive: true, force: true });
});

const at = (...path: string[]): string => join(scratch, ...path);

async function fill(messages: number, files: number): Promise<void> {
  const annals = await Annals.on(engines);
  const owner = await annals.owner();
  const message = { type: 'channel', to: 'general', topic: 'backups', content: 'words' };
  for (let n = 0; n < messages; n++) await owner.api.post('/messages', message);
  for (let n = 0; n < files; n++) await uploaded(annals.url, owner, `${n}`.repeat(10_000));
  await annals.close();
}

const settingsOf = (dataDirectory: string) => ({ ANNALS_DATA_DIR: dataDirectory, ANNALS_ACCESS_DAYS: '0' });

/** Runs a command as a process. @param longest it is killed then, milliseconds @returns milliseconds until its end */
async function process(words: readonly string[], dataDirectory: string, longest?: number): Promise<number> {
  const startedAt = performance.now();
  const child = spawnAnnals(words, settingsOf(dataDirectory));
  const ended = once(child, 'exit');
  if (longest !== undefined) {
    await Promise.race([ended, pause(longest)]);
    child.kill('SIGKILL');
  }
  await ended;
  return performance.now() - startedAt;
}

const outcome = (words: readonly string[], dataDirectory = engines.dataDirectory) =>
  run(words, settingsOf(dataDirectory));

it('a backup that is killed at any time leaves the one before', async () => {
  await fill(50, 20);
  const whole = await process(['backup', at('whole')], engines.dataDirectory);
  await process(['backup', at('backup')], engines.dataDirectory);
  for (let kill = 1; kill <= KILLS; kill++) {
    await fill(5, 2);
    await process(['backup', at('backup')], engines.dataDirectory, (whole * kill) / KILLS);
    expect(await outcome(['backup', at('backup'), '--check'])).toMatchObject({ code: 0, stderr: '' });
  }
  expect(await outcome(['backup', at('backup')])).toMatchObject({ code: 0 });
  // Nothing of the attempts is left.
  const left = (name: string): Promise<string[]> => readdir(at(name, 'files'));
  await rm(at('whole'), { recursive: true });
  expect(await outcome(['backup', at('whole')])).toMatchObject({ code: 0 });
  expect((await left('backup')).sort()).toEqual((await left('whole')).sort());
  expect((await readdir(at('backup'))).length).toBe((await readdir(at('whole'))).length);
});

it('a restore that is killed at any time goes on when it is given again', async () => {
  await fill(50, 20);
  expect(await outcome(['backup', at('backup')])).toMatchObject({ code: 0 });
  const whole = await process(['restore', at('backup')], at('whole'));
  for (let kill = 1; kill <= KILLS; kill++) {
    const data = at(`data-${kill}`);
    await process(['restore', at('backup')], data, (whole * kill) / KILLS);
    const placed = await readdir(data).catch((): string[] => []);
    // A server finds either nothing or everything.
    if (placed.includes('log.sqlite')) expect(placed).toEqual(expect.arrayContaining(['keys.sqlite', 'uploads']));
    if (!placed.includes('log.sqlite') || placed.includes('restoring'))
      expect(await outcome(['restore', at('backup')], data)).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(data)).not.toContain('restoring');
    const restored = await Annals.on({
      ...engines,
      dataDirectory: data,
      environment: { ...engines.environment, ...settingsOf(data) },
    });
    await restored.close();
    expect(await outcome(['verify', '--files'], data)).toMatchObject({ code: 0, stderr: '' });
    await rm(data, { recursive: true });
  }
});
