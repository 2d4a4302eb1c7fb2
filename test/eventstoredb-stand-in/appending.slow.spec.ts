import { randomUUID } from 'node:crypto';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';
import { connect, event, events, failureOf, PLAIN, readStream, revisions } from './client.js';

const MIB = 1024 * 1024;

describe('EventStoreDB’s stand-in, appending', () => {
  let server: EventStoreDbServer;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    server = await EventStoreDbServer.start();
    client = connect(server.url);
  });
  afterAll(async () => {
    await client.dispose();
    await server.stop();
  });

  describe.each([
    ['batch', {}],
    ['plain', PLAIN],
  ] as const)('an append on the %s path', (_, path) => {
    it('answers the revision and the position of the last event', async () => {
      const stream = randomUUID();
      const result = await client.appendToStream(stream, events(3), path);
      for await (const { event: last } of client.readStream(stream, { fromRevision: 2n })) {
        expect(result).toEqual({ success: true, nextExpectedRevision: last?.revision, position: last?.position });
      }
      expect(result.position?.commit).toBe(result.position?.prepare);
      expect(result.nextExpectedRevision).toBe(2n);
    });

    it('keeps type, data, metadata and time', async () => {
      const stream = randomUUID();
      const before = Date.now();
      const said = { ...event(undefined, 'grüß dich'), metadata: { by: 'me' } };
      await client.appendToStream(stream, said, path);
      for await (const { event: read } of client.readStream(stream)) {
        expect(read).toMatchObject({ id: said.id, type: 'Said', data: { text: 'grüß dich' }, metadata: { by: 'me' } });
        expect(read).toMatchObject({ streamId: stream, isJson: true });
        expect(read?.created.getTime()).toBeGreaterThanOrEqual(before);
      }
    });

    it('of no events succeeds and creates no stream', async () => {
      const stream = randomUUID();
      expect(await client.appendToStream(stream, [], path)).toMatchObject({ success: true });
      expect(await failureOf(readStream(client, stream))).toMatchObject({
        type: 'stream-not-found',
        streamName: stream,
      });
    });

    it('is refused if the stream does not have the expected revision', async () => {
      const stream = randomUUID();
      const at = (expectedRevision: bigint | 'stream_exists') =>
        failureOf(client.appendToStream(stream, event(), { expectedRevision, ...path }));
      const type = 'wrong-expected-version';
      const missing = { type, streamName: stream, actualVersion: 'no_stream' };
      expect(await at(0n)).toMatchObject({ ...missing, expectedVersion: 0n });
      expect(await at('stream_exists')).toMatchObject({ ...missing, expectedVersion: 'stream_exists' });
      await client.appendToStream(stream, events(3), { expectedRevision: 'no_stream', ...path });
      expect(await at(1n)).toMatchObject({ type, expectedVersion: 1n, actualVersion: 2n });
      expect(await at(7n)).toMatchObject({ type, expectedVersion: 7n, actualVersion: 2n });
    });

    it('holds at most 1 MiB', async () => {
      const stream = randomUUID();
      const halves = [event(undefined, 'x'.repeat(MIB / 2 - 100)), event(undefined, 'x'.repeat(MIB / 2 - 100))];
      await client.appendToStream(stream, halves, path);
      const tooLarge = client.appendToStream(stream, [...halves, event(undefined, 'x'.repeat(500))], path);
      expect(await failureOf(tooLarge)).toMatchObject({ type: 'maximum-append-size-exceeded', maxAppendSize: MIB });
      expect(revisions(await readStream(client, stream))).toEqual([0, 1]);
    });

    it('is refused on a stream with a tombstone', async () => {
      const stream = randomUUID();
      await client.appendToStream(stream, event(), path);
      await client.tombstoneStream(stream);
      const type = 'stream-deleted';
      expect(await failureOf(client.appendToStream(stream, event(), path))).toMatchObject({ type, streamName: stream });
      expect(await failureOf(readStream(client, stream))).toMatchObject({ type });
    });
  });

  describe('appends', () => {
    it('that are not awaited keep their order, also with exact revisions', async () => {
      const stream = randomUUID();
      const sent = Array.from({ length: 50 }, () => event());
      await Promise.all(
        sent.map((one, index) =>
          client.appendToStream(stream, one, { expectedRevision: index === 0 ? 'no_stream' : BigInt(index - 1) }),
        ),
      );
      expect((await readStream(client, stream)).map(({ id }) => id)).toEqual(sent.map(({ id }) => id));
    });

    it('are out of order at the start of a client, unless an earlier call was awaited', async () => {
      const order = async (isAwaited: boolean): Promise<readonly number[]> => {
        const stream = randomUUID();
        const fresh = connect(server.url);
        if (isAwaited) await fresh.appendToStream(stream, []);
        const sent = events(3);
        await Promise.all(sent.map((one) => fresh.appendToStream(stream, one)));
        const found = await readStream(fresh, stream);
        await fresh.dispose();
        return found.map(({ id }) => sent.findIndex((one) => one.id === id));
      };
      expect(await order(false)).toEqual([1, 2, 0]);
      expect(await order(true)).toEqual([0, 1, 2]);
    });

    it('of one event of 20 MiB fail with code 8', async () => {
      const work = client.appendToStream(randomUUID(), event(undefined, 'x'.repeat(20 * MIB)));
      expect(await failureOf(work)).toMatchObject({ type: 'unknown', code: 8 });
    });

    it('to a deleted stream hide the old events and continue their revisions', async () => {
      const stream = randomUUID();
      await client.appendToStream(stream, events(3));
      const wrong = client.deleteStream(stream, { expectedRevision: 1n });
      expect(await failureOf(wrong)).toMatchObject({ type: 'wrong-expected-version', actualVersion: 2n });
      await client.deleteStream(stream);
      expect(await failureOf(readStream(client, stream))).toMatchObject({ type: 'stream-not-found' });
      const again = await client.appendToStream(stream, event(), { expectedRevision: 'no_stream' });
      expect(again.nextExpectedRevision).toBe(3n);
      expect(revisions(await readStream(client, stream))).toEqual([3]);
    });
  });
});
