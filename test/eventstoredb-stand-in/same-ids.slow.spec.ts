import { randomUUID } from 'node:crypto';
import type { AppendExpectedRevision, EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';
import { connect, event, events, failureOf, ids, isPending, PLAIN, readStream } from './client.js';

describe('EventStoreDB’s stand-in, with repeated ids', () => {
  let server: EventStoreDbServer;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    // Room for about a thousand ids.
    server = await EventStoreDbServer.start({ idMemory: 100_000 });
    client = connect(server.url);
    // Appends that are sent together with a client's first append overtake it. So the first one is awaited here.
    await client.appendToStream(randomUUID(), []);
  });
  afterAll(async () => {
    await client.dispose();
    await server.stop();
  });

  /** A stream in which each letter stands for one event id. */
  function lettered(path: object = {}) {
    const stream = randomUUID();
    const id = ids();
    return {
      append: (letters: string, expectedRevision: AppendExpectedRevision = 'any', to = stream) =>
        client.appendToStream(
          to,
          [...letters].map((letter) => event(id(letter))),
          { expectedRevision, ...path },
        ),
      /** The letters that are stored, in their order. */
      stored: async (of = stream) => {
        const names = new Map([...'abcdefgh'].map((letter) => [id(letter), letter]));
        return (await readStream(client, of)).map((found) => names.get(found.id)).join('');
      },
    };
  }

  interface Case {
    readonly name: string;
    readonly letters: string;
    readonly expected: AppendExpectedRevision;
    /** The revision in the answer, or the failure. */
    readonly answers: bigint | { readonly expectedVersion: unknown; readonly actualVersion: unknown };
    readonly stored: string;
  }

  /** Appends to a stream that holds a, b and c. The event c came in an append of its own. */
  const CASES: readonly Case[] = [
    { name: 'any, one known id', letters: 'a', expected: 'any', answers: 0n, stored: 'abc' },
    { name: 'stream exists, one known id', letters: 'b', expected: 'stream_exists', answers: 1n, stored: 'abc' },
    { name: 'any, all known in their order', letters: 'abc', expected: 'any', answers: 2n, stored: 'abc' },
    {
      name: 'any, known ids then a new one',
      letters: 'bcd',
      expected: 'any',
      answers: { expectedVersion: 'any', actualVersion: 2n },
      stored: 'abc',
    },
    { name: 'any, a new id then known ones', letters: 'dab', expected: 'any', answers: 5n, stored: 'abcdab' },
    { name: 'any, a new id twice in one append', letters: 'dd', expected: 'any', answers: 4n, stored: 'abcdd' },
    { name: 'exact, the same ids', letters: 'b', expected: 0n, answers: 1n, stored: 'abc' },
    { name: 'exact, the same ids over two appends', letters: 'bc', expected: 0n, answers: 2n, stored: 'abc' },
    { name: 'no stream, the same ids', letters: 'ab', expected: 'no_stream', answers: 1n, stored: 'abc' },
    {
      name: 'exact, known ids then a new one',
      letters: 'bd',
      expected: 0n,
      answers: { expectedVersion: 0n, actualVersion: 2n },
      stored: 'abc',
    },
    {
      name: 'no stream, other ids',
      letters: 'd',
      expected: 'no_stream',
      answers: { expectedVersion: 'no_stream', actualVersion: 2n },
      stored: 'abc',
    },
    {
      name: 'exact at the head, known ids of the last events',
      letters: 'bc',
      expected: 2n,
      answers: 4n,
      stored: 'abcbc',
    },
  ];

  describe.each([
    ['batch', {}],
    ['plain', PLAIN],
  ] as const)('a repeat of event ids on the %s path', (_, path) => {
    it.each(CASES)('is answered as by the engine: $name', async ({ letters, expected, answers, stored }) => {
      const stream = lettered(path);
      await stream.append('ab');
      await stream.append('c');
      const appended = stream.append(letters, expected);
      if (typeof answers === 'bigint') expect(await appended).toMatchObject({ nextExpectedRevision: answers });
      else expect(await failureOf(appended)).toMatchObject({ type: 'wrong-expected-version', ...answers });
      expect(await stream.stored()).toBe(stored);
    });

    it('is noticed within one stream only', async () => {
      const stream = lettered(path);
      const other = randomUUID();
      await stream.append('a');
      await stream.append('a', 'any', other);
      expect([await stream.stored(), await stream.stored(other)]).toEqual(['a', 'a']);
      await stream.append('a');
      expect(await stream.stored()).toBe('a');
    });
  });

  describe('a repeat of event ids', () => {
    it('in descending order is never answered', async () => {
      const stream = lettered();
      await stream.append('ab');
      const backwards = stream.append('ba');
      await stream.append('c');
      expect(await isPending(backwards)).toBe(true);
      expect(await stream.stored()).toBe('abc');
    });

    it('in concurrent appends is answered once, and the other appends fail', async () => {
      const stream = lettered();
      server.freeze();
      const first = stream.append('a');
      const others = Promise.all([stream.append('a'), stream.append('a')].map(failureOf));
      // A call after the appends, on the same connection. When its deadline is over, the appends are on their way.
      await failureOf(client.appendToStream(randomUUID(), event(), { ...PLAIN, deadline: 200 }));
      server.thaw();
      const started = performance.now();
      expect(await first).toMatchObject({ nextExpectedRevision: 0n });
      expect(await isPending(others)).toBe(true);
      for (const failure of await others) expect(failure).toMatchObject({ type: 'deadline-exceeded' });
      expect(performance.now() - started).toBeGreaterThan(2400);
      expect(await stream.stored()).toBe('a');
    });

    it('is answered with the position of the first append', async () => {
      const stream = lettered();
      const first = await stream.append('ab');
      await stream.append('c');
      expect(await stream.append('ab')).toEqual(first);
    });

    it('is not noticed after so many events that the oldest ids are forgotten', async () => {
      const stream = lettered();
      await stream.append('a');
      await client.appendToStream(randomUUID(), events(400));
      await stream.append('a');
      expect(await stream.stored()).toBe('a');
      await client.appendToStream(randomUUID(), events(2000));
      await stream.append('a');
      expect(await stream.stored()).toBe('aa');
    });

    it('is not noticed after the test made the stand-in forget ids', async () => {
      const stream = lettered();
      await stream.append('a');
      await server.forgetIds();
      await stream.append('a');
      expect(await stream.stored()).toBe('aa');
    });

    it('is noticed after a restart only with an exact revision', async () => {
      const stream = lettered();
      const first = await stream.append('ab', 'no_stream');
      await client.dispose();
      await server.restart();
      client = connect(server.url);
      expect(await stream.append('ab', 'no_stream')).toEqual(first);
      expect(await stream.stored()).toBe('ab');
      expect(await stream.append('ab')).toMatchObject({ nextExpectedRevision: 3n });
      expect(await stream.stored()).toBe('abab');
    });
  });
});
