import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PublishedTree } from '../../src/platform/transparency/published-tree.js';
import { embeddedEngines, type OwnEngines } from '../support/engines/own-engines.js';
import { Annals } from '../support/servers/annals.js';
import { run } from '../support/servers/command-line.js';

const SENT = 5;
const REFUSED =
  /^StartRefused: keys\.sqlite lacks (\d+) of the (\d+) newest keys, the newest is that of MessageSent (\S+) \(messages@\d+\), and no event .* keys\.sqlite is older than the log.* --accept-missing-keys (\S+) /;

describe('keys that are older than the log', () => {
  let engines: OwnEngines;
  let annals: Annals | null = null;

  const file = (name: string) => join(engines.dataDirectory, name);
  const copied = async (from: string, to: string): Promise<void> => {
    for (const suffix of ['', '-wal', '-shm']) {
      await rm(file(`${to}${suffix}`), { force: true });
      await cp(file(`${from}${suffix}`), file(`${to}${suffix}`)).catch(() => {});
    }
  };
  const open = (): Annals => {
    if (annals === null) throw new Error('no server runs');
    return annals;
  };
  const send = async (): Promise<number> => {
    const { id, api } = await open().owner();
    return (await api.post('/messages', { type: 'direct', to: [id], content: 'words' })).body.id;
  };
  const closed = async (): Promise<void> => {
    await annals?.close();
    annals = null;
  };
  const started = async (settings = {}): Promise<void> => {
    annals = await Annals.on(engines, settings);
  };
  const refusal = () =>
    Annals.on(engines).then(
      () => 'it was not refused',
      (error: unknown) => String(error),
    );
  const treeIsWhole = async () =>
    open()
      .app.get(PublishedTree)
      .reach(await open().head(), 60_000);
  const verified = () => run(['verify', '--data-dir', engines.dataDirectory], engines.environment);
  const recorded = async () =>
    (await open().events('transparency')).filter(({ type }) => type === 'MissingKeysAccepted').map(({ data }) => data);

  beforeEach(async () => {
    engines = await embeddedEngines();
    await started();
    await send();
    await closed();
    await copied('keys.sqlite', 'older');
    await started();
  });
  afterEach(async () => {
    await closed();
    await engines.remove();
  });

  it('are refused, until they are given up on record', async () => {
    for (let n = 0; n < SENT; n++) await send();
    await treeIsWhole();
    await closed();
    await copied('keys.sqlite', 'newer');
    await copied('older', 'keys.sqlite');
    const refused = await refusal();
    const [, keys, of, event = '', accept = ''] = REFUSED.exec(refused) ?? [refused];
    expect([Number(keys), accept]).toEqual([SENT, event]);
    expect(Number(of)).toBeGreaterThan(SENT);
    expect(await verified()).toMatchObject({ code: 1, stderr: expect.stringContaining('is missing') });

    // The newer keys are put back: nothing is lost.
    await copied('newer', 'keys.sqlite');
    await started();
    expect(await recorded()).toEqual([]);
    await closed();

    await copied('older', 'keys.sqlite');
    await started({ ANNALS_ACCEPT_MISSING_KEYS: accept });
    expect(await recorded()).toEqual([{ keys: SENT, of: Number(of), newestEvent: event }]);
    await treeIsWhole();
    await closed();
    expect(await verified()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /Keys that are missing without a deletion: 5\. They were given up on record: MissingKeysAccepted /,
      ),
    });

    // It is recorded once. Keys that are lost behind it are refused again.
    await started({ ANNALS_ACCEPT_MISSING_KEYS: accept });
    expect(await recorded()).toHaveLength(1);
    await send();
    await treeIsWhole();
    await closed();
    await copied('older', 'keys.sqlite');
    // The key of the message, and that of this month's addresses, which has a name of its own since keys were given up.
    expect(REFUSED.exec(await refusal())?.[1]).toBe('2');
    await expect(started({ ANNALS_ACCEPT_MISSING_KEYS: accept })).rejects.toThrow('keys.sqlite lacks 2 of');
    expect(await verified()).toMatchObject({ code: 1, stderr: expect.stringContaining('is missing') });
  });

  it('are not meant by keys that an event ends', async () => {
    const ids = [await send(), await send()];
    const { api } = await open().owner();
    for (const id of ids) expect((await api.delete(`/messages/${id}`)).status).toBe(200);
    expect((await api.post('/drafts', { drafts: '[{"type":"","to":[],"topic":"","content":"a"}]' })).status).toBe(200);
    await closed();
    await started();
    expect(await recorded()).toEqual([]);
  });
});
