import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { UploadSweeper } from '../../../src/features/uploads/log/upload-sweeper.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { DiskFileStore } from '../../../src/platform/file-store/disk/disk-file-store.js';
import { newFileName } from '../../../src/platform/file-store/file-store.js';
import type { EventDefinition } from '../../../src/platform/kernel/event-definition.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { atRevision, type NewEvent } from '../../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { withScratch } from '../../support/scratch.js';

const definitions = [...eventRegistry.values()];

/** An event whose fields with ids of files are as given; all others with such ids are null. */
const eventWith = (
  { type, version, endsFiles = [] }: EventDefinition,
  ids: Readonly<Record<string, string>>,
): NewEvent => ({
  id: randomUUID(),
  type,
  version,
  data: { keyId: 'key', ...Object.fromEntries(endsFiles.map((field) => [field, null])), ...ids },
  metadata: { actorId: null, client: 'spec', at: 0, correlationId: 'spec', causationId: null },
});

/** Names a new file for each field. */
const filesFor = (fields: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field, newFileName()]));

/** The files, of those that a crash left behind, that are there after the sweeper has gone through them. */
const leftBySweeper = (
  files: readonly string[],
  events: readonly NewEvent[],
  skipped: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> =>
  withScratch(async (directory) => {
    const before = await DiskFileStore.open(directory);
    for (const name of files) await before.receive(name, Readable.from([Buffer.from(name)]));
    await before.close();
    const [store, log, keys] = await Promise.all([
      DiskFileStore.open(directory),
      SqliteEventStore.open(directory),
      SqliteContentKeys.open(directory),
    ]);
    try {
      for (const event of events) await log.append('stream', [event], 'any');
      expect([...(await store.abandoned())].sort()).toEqual([...files].sort());
      await new UploadSweeper(store, log, new EventCodec(keys, eventRegistry, skipped)).sweep();
      expect(await store.abandoned()).toEqual([]);
      const left: string[] = [];
      for await (const page of store.committed()) left.push(...page);
      return left;
    } finally {
      await Promise.all([store.close(), log.close(), keys.close()]);
    }
  });

describe('the sweeper of uploads', () => {
  it.each(definitions.filter(({ files = [] }) => files.length > 0))(
    'commits the files that $type names, and removes others',
    async (definition) => {
      const ids = filesFor(definition.files);
      const left = await leftBySweeper([...Object.values(ids), newFileName()], [eventWith(definition, ids)]);
      expect([...left].sort()).toEqual(Object.values(ids).sort());
    },
  );

  it.each(definitions.filter(({ endsFiles = [] }) => endsFiles.length > 0))(
    'removes the files that $type ends',
    async (definition) => {
      const [naming = definition] = definitions.filter(({ files = [] }) => files.length > 0);
      const ended = filesFor(definition.endsFiles);
      const named = Object.values(ended).map((id) => eventWith(naming, { [naming.files?.[0] ?? '']: id }));
      expect(await leftBySweeper(Object.values(ended), named)).toHaveLength(named.length);
      expect(await leftBySweeper(Object.values(ended), [...named, eventWith(definition, ended)])).toEqual([]);
    },
  );

  it('goes past an unreadable event that the operator has passed over', async () => {
    const [naming] = definitions.filter(({ files = [] }) => files.length > 0);
    if (!naming) throw new Error('no event names a file');
    const ids = filesFor(naming.files);
    const unreadable = { ...eventWith(naming, {}), version: naming.version + 1 };
    const events = [unreadable, eventWith(naming, ids)];
    await expect(leftBySweeper(Object.values(ids), events)).rejects.toThrow();
    const left = await leftBySweeper(
      Object.values(ids),
      events,
      new Set([atRevision({ stream: 'stream', revision: 0 })]),
    );
    expect([...left].sort()).toEqual(Object.values(ids).sort());
  });
});
