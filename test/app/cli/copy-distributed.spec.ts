import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ProcessRegistry } from '../../../src/platform/cluster/process-registry.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { newEvent } from '../../support/engines/event-store-events.js';
import { EventStoreDbServer } from '../../support/engines/eventstoredb/server.js';
import { describeMongodb, type OwnDatabase, ownDatabase } from '../../support/engines/mongodb.js';
import {
  eventsIn,
  newSide,
  queueRegistered,
  type Side,
  sealedEvent,
  withoutPositions,
} from '../../support/engines/sides.js';
import { annals, type Outcome, spawnAnnals } from '../../support/servers/command-line.js';

const roots = ({ stdout }: Outcome): string[] =>
  [...stdout.matchAll(/^(?:Source|Target): (.*)$/gm)].map(([, root]) => root ?? '');

describeMongodb('annals copy between embedded and distributed engines', () => {
  /** Makes more than one page, so that progress is printed before the end. */
  const TURNS = 400;
  let standIn: EventStoreDbServer | undefined;
  let eventStoreUrl: string;
  let database: OwnDatabase;
  let settings: Record<string, string>;
  let source: Side;
  let back: Side;

  beforeAll(async () => {
    if (!process.env.EVENTSTORE_URL) standIn = await EventStoreDbServer.start();
    eventStoreUrl = process.env.EVENTSTORE_URL || (standIn?.url ?? '');
  });

  afterAll(async () => {
    await standIn?.stop();
  });

  beforeEach(async () => {
    database = ownDatabase();
    settings = {
      EVENTSTORE_URL: eventStoreUrl,
      MONGODB_URL: database.url,
      ANNALS_STREAM_PREFIX: `t${randomUUID().slice(0, 8)}.`,
    };
    source = await newSide();
    const appends: Promise<unknown>[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      if (turn % 20 === 0) appends.push(source.eventStore.append('messages', [await sealedEvent(source)], 'any'));
      appends.push(source.eventStore.append(`user-${turn % 7}`, [newEvent('TopicMuted', { turn })], 'any'));
      appends.push(source.eventStore.append('channels', [newEvent('ChannelRenamed', { turn })], 'any'));
    }
    appends.push(source.eventStore.append('eventQueues', [queueRegistered()], 'any'));
    await Promise.all(appends);
    await source.close();
    back = await newSide();
    await back.close();
  });

  afterEach(async () => {
    await source.remove();
    await back.remove();
    await database.remove();
  });

  const there = () => annals(['copy', '--from', source.directory, '--to', 'distributed'], settings);
  const andBack = () => annals(['copy', '--from', 'distributed', '--to', back.directory], settings);

  const reading = async <T>(directory: string, work: (engines: Engines) => Promise<T>): Promise<T> => {
    const engines = await openEngines({ dataDirectory: directory, readOnly: true });
    return work(engines).finally(() => engines.close());
  };

  const original = () => reading(source.directory, async (engines) => withoutPositions(await eventsIn(engines)));

  const distributed = (): Promise<Engines> =>
    openEngines({
      dataDirectory: back.directory,
      distributed: {
        eventStoreUrl,
        streamPrefix: settings.ANNALS_STREAM_PREFIX ?? '',
        mongodbUrl: database.url,
      },
    });

  it('keeps events and keys on the way there and back, and ends the queue', async () => {
    const outward = await there();
    expect(outward).toMatchObject({ code: 0, stderr: '' });
    expect(outward.stdout).toContain('Ended 1 event queue:');
    const [from, to] = roots(outward);
    expect(to).toBe(from);

    const homeward = await andBack();
    expect(homeward).toMatchObject({ code: 0, stderr: '' });
    expect(homeward.stdout).not.toContain('event queue');
    const events = await original();
    const returned = await reading(back.directory, async (engines) => withoutPositions(await eventsIn(engines)));
    expect(returned.slice(0, -1)).toEqual(events);
    expect(returned.at(-1)).toMatchObject({ type: 'QueueExpired', stream: 'eventQueues', revision: 1 });

    const ids = events.filter(({ type }) => type === 'MessageSent').map(({ id }) => id);
    const [kept, came] = [
      await reading(source.directory, ({ contentKeys }) => contentKeys.getMany(ids)),
      await reading(back.directory, ({ contentKeys }) => contentKeys.getMany(ids)),
    ];
    expect(kept.size).toBe(TURNS / 20);
    expect(ids.map((id) => Buffer.from(came.get(id) ?? []).toString('hex'))).toEqual(
      ids.map((id) => Buffer.from(kept.get(id) ?? []).toString('hex')),
    );
  });

  it('goes on after the copy was killed', async () => {
    const copying = spawnAnnals(['copy', '--from', source.directory, '--to', 'distributed'], settings);
    const ended = once(copying, 'exit');
    await once(copying.stdout as NodeJS.ReadableStream, 'data');
    copying.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    const outcome = await there();
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/; [1-9]\d* were there\.$/m);
    const [from, to] = roots(outcome);
    expect(to).toBe(from);
    expect((await there()).stdout).toMatch(
      /^Nothing was left to copy: [\s\S]*^Its 1 event queue had been ended before\.$/m,
    );
  });

  it('loses nothing and has nothing twice if EventStoreDB restarts meanwhile', async () => {
    if (!standIn) return;
    const copying = spawnAnnals(['copy', '--from', source.directory, '--to', 'distributed'], settings);
    const ended = once(copying, 'exit');
    await once(copying.stdout as NodeJS.ReadableStream, 'data');
    await standIn.restart();
    const [code] = await ended;
    expect([0, 1]).toContain(code);
    const outcome = await there();
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const engines = await distributed();
    const copied = withoutPositions(await eventsIn(engines));
    await engines.close();
    expect(copied.slice(0, -1)).toEqual(await original());
  });

  it('is refused if the database is of another log, or has no keys', async () => {
    expect(await there()).toMatchObject({ code: 0 });
    const engines = await distributed();
    const identity = await engines.documentStore.database('annals');
    await identity.ensure({ identity: {} });
    const ofOrganizations = identity.collection<{ _id: string; format: number; log: string }>('identity');
    await ofOrganizations.insertOne({ _id: 'organization', format: 1, log: randomUUID() });
    await identity.close();
    await engines.close();
    const ofAnother = {
      code: 1,
      stderr: expect.stringMatching(/^annals: MONGODB_URL names a database of another organization[^\n]*\n$/),
    };
    expect(await andBack()).toMatchObject(ofAnother);
    expect(await there()).toMatchObject(ofAnother);

    const empty = ownDatabase();
    settings.MONGODB_URL = empty.url;
    const withoutKeys = {
      code: 1,
      stderr: expect.stringMatching(/^annals: MONGODB_URL names a database without the keys of the log[^\n]*\n$/),
    };
    expect(await andBack()).toMatchObject(withoutKeys);
    // A refused copy has left nothing that would pass for keys.
    expect(await annals(['log'], settings)).toMatchObject({ ...withoutKeys, stdout: '' });
    await empty.remove();
  });

  it('is refused while a process runs on the distributed engines', async () => {
    const engines = await distributed();
    const registry = await ProcessRegistry.open({
      documentStore: engines.documentStore,
      role: 'api',
      directory: () => null,
      onLapse: () => {},
      report: () => {},
    });
    const refused = {
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^annals: 1 process runs on the distributed engines/),
    };
    try {
      expect(await there()).toMatchObject(refused);
      await engines.eventStore.append('organization', [newEvent('OrganizationCreated')], 'new');
      expect(await andBack()).toMatchObject(refused);
    } finally {
      await registry.close();
      await engines.close();
    }
  });
});
