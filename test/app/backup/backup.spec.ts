import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Manifest } from '../../../src/app/backup/manifest.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { embeddedEngines, type OwnEngines } from '../../support/engines/own-engines.js';
import type { Api } from '../../support/requests/api.js';
import { uploaded } from '../../support/requests/uploads.js';
import { Annals } from '../../support/servers/annals.js';
import { annals as inOwnProcess, type Outcome, run } from '../../support/servers/command-line.js';

let engines: OwnEngines;
let annals: Annals;
let api: Api;
/** Folders for backups and restored data. */
let scratch: string;

beforeEach(async () => {
  engines = await embeddedEngines();
  scratch = await mkdtemp(join(tmpdir(), 'annals-'));
  annals = await Annals.on(engines);
  api = await annals.ownerApi();
});
afterEach(async () => {
  await annals.stop();
  await rm(scratch, { recursive: true, force: true });
});

const at = (...path: string[]): string => join(scratch, ...path);
const manifest = async (place = at('backup')): Promise<Manifest> =>
  JSON.parse(await readFile(join(place, 'manifest.json'), 'utf8'));

const settingsOf = (dataDirectory: string) => ({ ANNALS_DATA_DIR: dataDirectory, ANNALS_ACCESS_DAYS: '0' });

const command = (words: readonly string[], dataDirectory = engines.dataDirectory): Promise<Outcome> =>
  run(words, settingsOf(dataDirectory));

async function done(words: readonly string[], dataDirectory?: string): Promise<string> {
  const { code, stdout, stderr } = await command(words, dataDirectory);
  expect({ code, stderr: stderr.replace(/.*(is not recorded in the log|health does not know).*\n/g, '') }).toEqual({
    code: 0,
    stderr: '',
  });
  return stdout;
}

async function refused(words: readonly string[], dataDirectory?: string): Promise<string> {
  const { code, stdout, stderr } = await command(words, dataDirectory);
  expect(code).not.toBe(0);
  return stdout + stderr;
}

async function send(content: string): Promise<number> {
  const answer = await api.post('messages', { type: 'channel', to: 'general', topic: 'backups', content });
  return Number(answer.id);
}

const upload = async (content: string): Promise<string> => uploaded(annals.url, await annals.owner(), content);

/** Starts a server on what was restored, while the first one runs. */
async function served(dataDirectory: string, work: (restored: Api) => Promise<void>): Promise<void> {
  const other = await Annals.on({
    ...engines,
    dataDirectory,
    environment: { ...engines.environment, ANNALS_DATA_DIR: dataDirectory },
  });
  try {
    await work(api.at(other.url));
  } finally {
    await other.close();
  }
}

const contentsOf = async (of: Api): Promise<readonly string[]> => {
  const found = await of.get('messages', { anchor: 'newest', num_before: 1000, num_after: 0, apply_markdown: false });
  return (found.messages as readonly { content: string }[]).map(({ content }) => content);
};

describe('a backup that is restored', () => {
  it('has everything of one moment, beside sends and deletions', async () => {
    await upload('kept');
    const before = await Promise.all(Array.from({ length: 20 }, (_, n) => send(`before ${n}`)));
    let isOver = false;
    const busy = (async () => {
      for (let n = 0; !isOver; n++) {
        const id = await send(`meanwhile ${n}`);
        if (n % 2 === 0) await api.delete(`messages/${id}`);
        if (n < before.length) await api.delete(`messages/${before[n]}`);
      }
    })();
    for (const name of ['first', 'second', 'third']) {
      // In this process, the command would hold up the server.
      expect(await inOwnProcess(['backup', at(name)], settingsOf(engines.dataDirectory))).toMatchObject({ code: 0 });
      expect(await done(['backup', at(name), '--check'])).toContain('The backup is right');
    }
    isOver = true;
    await busy;
    for (const name of ['first', 'third']) {
      await done(['restore', at(name)], at(`data-${name}`));
      await served(at(`data-${name}`), async (restored) => {
        // Content without a key would be empty.
        for (const content of await contentsOf(restored)) expect(content).toMatch(/^(before|meanwhile) \d+$/);
      });
      expect(await done(['verify', '--open', '--files'], at(`data-${name}`))).toMatch(
        /The log is right.*The files are right: 1 files/s,
      );
    }
  });

  it('says in the log that it was restored, and ends event queues', async () => {
    await send('in the backup');
    const { queue_id } = await api.post('register', { event_types: ['message'] });
    await done(['backup', at('backup')]);
    for (let n = 0; n < 5; n++) await send('lost');
    const newest = (await api.get('events', { queue_id, last_event_id: -1, dont_block: true })).events as {
      id: number;
    }[];
    expect(await done(['restore', at('backup')], at('data'))).toMatch(
      /The newest event is of .*Z\. 1 event queue ended/,
    );
    await served(at('data'), async (restored) => {
      expect(await contentsOf(restored)).toContain('in the backup');
      expect(await contentsOf(restored)).not.toContain('lost');
      const poll = { queue_id, last_event_id: newest.at(-1)?.id, dont_block: true };
      expect(await restored.get('events', poll)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    });
    const { id, log } = await manifest();
    expect(await done(['audit', '--kind', 'BackupRestored'], at('data'))).toContain(
      `restored the log from a backup of ${log.newest.position} events`,
    );
    expect(await done(['log', '--type', 'BackupRestored'], at('data'))).toContain(id);
  });
});

describe('a backup into the folder of an earlier one', () => {
  it('writes only what is new, and has no longer what was deleted', async () => {
    const gone = await send('to be deleted');
    const url = await upload('to be deleted');
    await upload('to be kept');
    await done(['backup', at('backup')]);
    const before = await manifest();
    const files = () => readdir(at('backup', 'files'));
    const keptAt = new Map(
      await Promise.all((await files()).map(async (name) => [name, await changedAt(name)] as const)),
    );
    expect(keptAt.size).toBe(2);

    await api.delete(`messages/${gone}`);
    const { attachments } = await api.get('attachments');
    const attachment = (attachments as readonly { id: number; path_id: string }[]).find(({ path_id }) =>
      url.endsWith(path_id),
    );
    expect(await api.delete(`attachments/${attachment?.id}`)).toMatchObject({ result: 'success' });
    const said = await done(['backup', at('backup')]);
    const after = await manifest();
    expect(said).toContain(`(${after.log.newest.position - before.log.newest.position} new)`);
    expect(after.keys.count).toBeLessThan(before.keys.count);
    expect(await files()).toHaveLength(1);
    for (const name of await files()) expect(await changedAt(name)).toBe(keptAt.get(name));
    // The list, the keys and the parts of before are gone.
    const names = await readdir(at('backup'), { recursive: true });
    expect(names.filter((name) => /\.(?:sqlite|jsonl)$/.test(name)).sort()).toEqual(
      [after.keys.name, after.files.name, ...after.log.parts.map(({ name }) => name)].sort(),
    );
    expect(await done(['backup', at('backup'), '--check'])).toContain('The backup is right');

    async function changedAt(name: string): Promise<number> {
      return (await stat(at('backup', 'files', name))).mtimeMs;
    }
  });

  it('is refused if the log lacks events that the backup has', async () => {
    await done(['backup', at('old')]);
    await send('lost');
    await done(['backup', at('backup')]);
    await done(['restore', at('old')], at('data'));
    expect(await refused(['backup', at('backup')], at('data'))).toContain('has events that the log lacks');
    expect(await done(['backup', at('backup'), '--check'])).toContain('The backup is right');
  });

  it('is refused in a folder of something else, which stays as it is', async () => {
    await writeFile(at('letter'), 'mine');
    expect(await refused(['backup', scratch])).toContain('is not empty, and has no backup');
    expect(await readdir(scratch)).toEqual(['letter']);
  });
});

describe('a backup that is not whole', () => {
  beforeEach(async () => {
    await send('words');
    await upload('bytes');
    await done(['backup', at('backup'), '--keys-to', at('keys')]);
  });

  const whole = async (): Promise<readonly [part: string, path: string][]> => {
    const { log, keys, files } = await manifest();
    const [file = ''] = await readdir(at('backup', 'files'));
    return [
      ...log.parts.map(({ name }): [string, string] => [name, at('backup', name)]),
      [keys.name, at('keys', keys.name)],
      [files.name, at('backup', files.name)],
      [`files/${file}`, at('backup', 'files', file)],
    ];
  };

  it('is found by --check and refused by restore, whichever part is changed or missing', async () => {
    for (const [part, path] of await whole()) {
      const bytes = await readFile(path);
      for (const [how, change] of [
        ['changed', () => writeFile(path, flipped(bytes))],
        ['missing', () => rm(path)],
      ] as const) {
        await change();
        const words = [at('backup'), '--check', '--keys-to', at('keys')];
        expect(await refused(['backup', ...words])).toContain(`${how}: ${part}`);
        expect(await refused(['restore', at('backup'), '--keys-from', at('keys')], at('data'))).toMatch(
          how === 'changed' ? /is not the one that the backup was made with/ : /is missing/,
        );
        expect((await readdir(at('data'))).filter((name) => name !== 'log.lock')).toEqual([]);
        await writeFile(path, bytes);
      }
    }
    await done(['restore', at('backup'), '--keys-from', at('keys')], at('data'));
  });

  it('is refused with a changed manifest, or with the keys of another backup', async () => {
    const path = at('backup', 'manifest.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/"count": \d+/, '"count": 7'));
    expect(await refused(['restore', at('backup'), '--keys-from', at('keys')], at('data'))).toContain('is changed');
    await writeFile(path, text);

    await cp(at('backup'), at('older'), { recursive: true });
    await send('more words');
    await done(['backup', at('backup'), '--keys-to', at('keys')]);
    const { keys: newer } = await manifest();
    const { keys: older } = await manifest(at('older'));
    expect(await refused(['restore', at('older'), '--keys-from', at('keys')], at('data'))).toContain('is missing');
    await cp(at('keys', newer.name), at('keys', older.name));
    expect(await refused(['restore', at('older'), '--keys-from', at('keys')], at('data'))).toContain(
      'of another backup',
    );
  });

  it('is not restored over a log, nor into the folder of a running server', async () => {
    expect(await refused(['restore', at('backup'), '--keys-from', at('keys')])).toMatch(
      /in use by another Annals server/,
    );
    await annals.close();
    expect(await refused(['restore', at('backup'), '--keys-from', at('keys')])).toMatch(/move log\.sqlite\*, keys/);
    annals = await Annals.on(engines);
  });

  it('has keys that open the log, which alone shows no words', async () => {
    const { log, keys } = await manifest();
    const parts = await Promise.all(log.parts.map(({ name }) => readFile(at('backup', name))));
    for (const part of parts) expect(part.includes('words')).toBe(false);
    await cp(at('keys', keys.name), at('alone', 'keys.sqlite'));
    const store = await SqliteContentKeys.openReadOnly(at('alone'));
    const [sent] = (await annals.events('messages')).filter(({ type }) => type === 'MessageSent');
    expect((await store.getMany([sent?.id ?? ''])).size).toBe(1);
    await store.close();
  });
});

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const middle = Math.floor(changed.length / 2);
  changed[middle] = (changed[middle] ?? 0) ^ 1;
  return changed;
}
