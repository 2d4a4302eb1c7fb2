import { randomUUID } from 'node:crypto';
import type { EventStoreDBClient, Position, StreamMetadata } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';
import { eventually } from '../support/eventually.js';
import { connect, event, events, failureOf, readAll, readStream, revisions } from './client.js';

const stream = randomUUID();
describe('EventStoreDB’s stand-in, reading', () => {
  let server: EventStoreDbServer;
  let client: EventStoreDBClient;
  /** The positions of the five events of the stream. */
  const positions: Position[] = [];

  beforeAll(async () => {
    server = await EventStoreDbServer.start({ systemEventEvery: 2 });
    client = connect(server.url);
    for (let count = 0; count < 5; count++) {
      const { position } = await client.appendToStream(stream, event());
      if (position) positions.push(position);
    }
  });
  afterAll(async () => {
    await client.dispose();
    await server.stop();
  });

  const position = (index: number): Position => positions[index] as Position;
  const beside = (index: number, by: bigint): Position => {
    const commit = position(index).commit + by;
    return { commit, prepare: commit };
  };
  const mine = async (options: Parameters<typeof readAll>[1]) =>
    (await readAll(client, options))
      .filter(({ streamId }) => streamId === stream)
      .map(({ revision }) => Number(revision));

  describe('a read of a stream', () => {
    it.each([
      ['begins at the start', {}, [0, 1, 2, 3, 4]],
      ['includes its first revision', { fromRevision: 3n }, [3, 4]],
      ['has at most the asked number of events', { fromRevision: 1n, maxCount: 2 }, [1, 2]],
      ['goes backwards from the end', { direction: 'backwards', fromRevision: 'end', maxCount: 2 }, [4, 3]],
      ['includes its first revision backwards, too', { direction: 'backwards', fromRevision: 1n }, [1, 0]],
      ['is empty beyond the end', { fromRevision: 9n }, []],
    ] as const)('%s', async (_, options, found) => {
      expect(revisions(await readStream(client, stream, options))).toEqual(found);
    });

    it('fails if the stream does not exist', async () => {
      const missing = { type: 'stream-not-found', streamName: 'nobody' };
      expect(await failureOf(readStream(client, 'nobody'))).toMatchObject(missing);
      expect(await failureOf(readStream(client, 'nobody', { direction: 'backwards' }))).toMatchObject(missing);
    });

    it('shows only events within the limits of the metadata, while $all shows all events', async () => {
      const limited = randomUUID();
      await client.appendToStream(limited, events(6));
      const left = async (metadata: StreamMetadata) => {
        await client.setStreamMetadata(limited, metadata);
        return revisions(await readStream(client, limited));
      };
      expect(await left({ truncateBefore: 2 })).toEqual([2, 3, 4, 5]);
      expect(await left({ maxCount: 1 })).toEqual([5]);
      expect(await left({ maxAge: 3600 })).toEqual([0, 1, 2, 3, 4, 5]);
      expect((await client.getStreamMetadata(limited)).metadata).toEqual({ maxAge: 3600 });
      await eventually(async () => expect(await left({ maxAge: 1 })).toEqual([]));
      expect((await readAll(client)).filter(({ streamId }) => streamId === limited)).toHaveLength(6);
    });
  });

  describe('a read of $all', () => {
    it('is in the order of positions, which have gaps, and includes events of the server', async () => {
      const all = await readAll(client);
      const commits = all.map((found) => Number(found.position?.commit));
      expect(commits).toEqual([...commits].sort((a, b) => a - b));
      expect(new Set(commits).size).toBe(commits.length);
      const types = all.map(({ type }) => type);
      expect(types.slice(0, 3)).toEqual(['$metadata', '$metadata', '$statsCollected']);
      expect(types.slice(3, 7)).toEqual(['Said', 'Said', '$statsCollected', 'Said']);
    });

    it('includes its first position forwards, and excludes it backwards', async () => {
      expect(await mine({ fromPosition: position(2) })).toEqual([2, 3, 4]);
      expect(await mine({ fromPosition: position(2), direction: 'backwards' })).toEqual([1, 0]);
      expect(await mine({ fromPosition: 'end', direction: 'backwards' })).toEqual([4, 3, 2, 1, 0]);
      expect(await mine({ fromPosition: 'end' })).toEqual([]);
    });

    it.each(['forwards', 'backwards'] as const)('fails at a position inside a record, %s', async (direction) => {
      const inside = readAll(client, { fromPosition: beside(2, 1n), direction });
      expect(await failureOf(inside)).toMatchObject({ type: 'unknown' });
    });

    it('is empty beyond the end', async () => {
      expect(await readAll(client, { fromPosition: beside(4, 1_000_000_000n) })).toEqual([]);
    });
  });
});
