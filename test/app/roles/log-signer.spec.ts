import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { openLogSigner } from '../../../src/features/transparency/reactors/log-signer.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { openSigner, originOf } from '../../../src/platform/transparency/open-signer.js';
import { parseNote } from '../../../src/platform/transparency/signed-note.js';
import { isShared, type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { Annals } from '../../support/servers/annals.js';
import { run } from '../../support/servers/command-line.js';

const SITE = { ANNALS_SITE: 'https://chat.example.org' };
const OTHER = { ANNALS_SITE: 'https://other.example.org' };
const [NAME, OTHER_NAME] = ['chat.example.org/transparency', 'other.example.org/transparency'];
const CHANGED = 'LogSignerChanged';

let engines: OwnEngines;
let annals: Annals | null = null;

beforeEach(async () => {
  engines = await ownEngines();
});
afterEach(async () => {
  await stop();
  await engines.remove();
});

async function stop(): Promise<void> {
  const running = annals;
  annals = null;
  await running?.close();
}

/** Starts a server, and waits until a checkpoint has all of the log. */
async function start(settings: Readonly<Record<string, string>>): Promise<Annals> {
  const server = await Annals.on(engines, settings);
  annals = server;
  await eventually(async () => expect((await checkpointOf(server)).size).toBe((await server.events()).length), 60_000);
  return server;
}

/** The events of the servers that were started with these settings, one after the other. */
async function eventsAfter(...starts: readonly Readonly<Record<string, string>>[]): Promise<readonly Recorded[]> {
  let events: readonly Recorded[] = [];
  for (const settings of starts) {
    events = await (await start(settings)).events('transparency');
    await stop();
  }
  return events;
}

async function checkpointOf({ url }: Annals): Promise<{ readonly origin: string; readonly size: number }> {
  const answer = await fetch(`${url}/transparency/checkpoint`);
  expect(answer.status).toBe(200);
  const [origin = '', size = ''] = parseNote(await answer.text()).text.split('\n');
  return { origin, size: Number(size) };
}

const command = (words: readonly string[], settings = {}) => run(words, { ...engines.environment, ...settings });
const keyFile = () => ({ ...SITE, ANNALS_SIGNING_KEY_FILE: join(engines.dataDirectory, 'signing-key') });

it('a log that is signed as before has no event of its signer', async () => {
  expect(await eventsAfter(SITE, SITE)).toEqual([]);
});

it('a port that is taken at random does not change the name of the log', async () => {
  const before = await checkpointOf(await start({}));
  await stop();
  const after = await checkpointOf(await start({}));
  expect(after.origin).toBe(before.origin);
  await stop();
  expect(await eventsAfter({})).toEqual([]);
});

it('another name is told once, before it signs, and verify tells all of them', async () => {
  await start(SITE);
  await stop();
  const key = (await command(['key'], SITE)).stdout.trim();
  const server = await start(OTHER);
  expect(await checkpointOf(server)).toMatchObject({ origin: OTHER_NAME });
  const { api } = await server.owner();
  const { body } = await api.get('/audit/events', { kind: [CHANGED] });
  await stop();
  const otherKey = (await command(['key'], OTHER)).stdout.trim();
  const data = { previousOrigin: NAME, previousVerifier: key, origin: OTHER_NAME, verifier: otherKey };
  expect(body.events).toMatchObject([{ actor: null, data }]);

  expect(await eventsAfter(OTHER, OTHER)).toMatchObject([{ type: CHANGED, data }]);
  expect(await eventsAfter(SITE)).toMatchObject([
    { data },
    { type: CHANGED, data: { previousOrigin: OTHER_NAME, previousVerifier: otherKey, origin: NAME, verifier: key } },
  ]);

  expect((await command(['log', '--type', CHANGED])).stdout).toContain(otherKey);
  expect((await command(['audit', '--kind', CHANGED])).stdout).toContain(
    `changed the signer of the log from ${key} to ${otherKey}`,
  );
  // On shared engines, commands leave the tree to processes.
  const behind = /^annals: 2 events are behind the tree, .*: OperatorActed .* to OperatorActed /;
  expect(await command(['verify'])).toMatchObject(
    isShared() ? { code: 1, stderr: expect.stringMatching(behind) } : { code: 0, stderr: '' },
  );
  await start(SITE);
  await stop();
  const { code, stdout, stderr } = await command(['verify']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')).toContain(
    `\nCheckpoints were signed\n  until T by ${key}\n  until T by ${otherKey}\n  since then by ${key}\n`,
  );
});

it('another key is told, also if documents were lost later', async () => {
  await start(keyFile());
  await stop();
  const key = (await command(['key'], keyFile())).stdout.trim();
  await rm(keyFile().ANNALS_SIGNING_KEY_FILE);
  const events = await eventsAfter(keyFile());
  const newKey = (await command(['key'], keyFile())).stdout.trim();
  expect(newKey).not.toBe(key);
  expect(events).toMatchObject([{ data: { previousVerifier: key, verifier: newKey } }]);

  await engines.removeDocuments();
  expect(await eventsAfter(keyFile())).toEqual(events);
  expect((await eventsAfter(SITE)).map(({ data }) => data)).toMatchObject([
    {},
    { previousVerifier: newKey, origin: NAME },
  ]);
});

it('the key is printed as the log is signed with it, whatever the settings are, which are said to be others', async () => {
  await start(SITE);
  await stop();
  const right = await command(['key'], SITE);
  expect(right).toMatchObject({ code: 0, stdout: expect.stringMatching(`^${NAME}\\+`), stderr: '' });
  for (const settings of [{}, OTHER, { ANNALS_PORT: '9701' }])
    expect(await command(['key'], settings)).toEqual({
      code: 0,
      stdout: right.stdout,
      stderr: expect.stringMatching(
        /^annals: the log's newest checkpoint is signed with the printed key; these settings name \S+\n$/,
      ),
    });
  expect((await command(['verify'], OTHER)).stdout).not.toContain('Checkpoints were signed');
});

it('several processes that start at once tell it once', async () => {
  await start(SITE);
  await stop();
  const opened = await openEngines(engines.settings);
  try {
    const codec = new EventCodec(opened.contentKeys, eventRegistry);
    const { eventStore, documentStore, contentKeys } = opened;
    const signers = await Promise.all(
      Array.from({ length: 5 }, () =>
        openLogSigner({
          eventStore,
          documentStore,
          runner: new CommandRunner(eventStore, contentKeys, codec),
          openSigner: ({ restored }) =>
            openSigner(contentKeys, { origin: originOf(OTHER.ANNALS_SITE), keyFile: null, restored }),
        }),
      ),
    );
    expect(new Set(signers.map(({ verifier }) => String(verifier))).size).toBe(1);
    expect(await eventStore.readStream('transparency')).toMatchObject([
      { type: CHANGED, data: { verifier: String(signers[0]?.verifier) } },
    ]);
  } finally {
    await opened.close();
  }
});
