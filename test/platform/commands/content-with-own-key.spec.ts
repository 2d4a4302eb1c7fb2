import { describe, expect, it } from '@jest/globals';
import type { DraftEvent } from '../../../src/events/drafts/drafts.events.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import {
  CreateDrafts,
  decideCreateDrafts,
  decideEditDraft,
  drafts,
  EditDraft,
} from '../../../src/features/drafts/domain/drafts.js';
import { AddAlertWords, decideAddAlertWords } from '../../../src/features/personal/domain/alert-words.js';
import { personal } from '../../../src/features/personal/domain/personal.state.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { type EventStore, EventStoreUnavailable, RevisionConflict } from '../../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const STREAM = 'user-1';
const facts = { now: 1, longestText: 100, channelIds: new Set<number>(), people: new Map() };
const written = (content: string) => ({ type: 'unaddressed', to: [], topic: '', content, timestamp: 1 }) as const;
const idOf = (name: string) => `00000000-0000-4000-8000-${name.padStart(12, '0')}`;

interface World {
  readonly store: EventStore;
  runner(store?: EventStore): CommandRunner;
  /** The names of the keys that exist. */
  keys(...names: string[]): Promise<string[]>;
  events(): Promise<Recorded<DraftEvent>[]>;
}

const inWorld = (work: (world: World) => Promise<void>): Promise<void> =>
  withScratch(async (directory) => {
    const store = await SqliteEventStore.open(directory);
    const contentKeys = await SqliteContentKeys.open(directory);
    const codec = new EventCodec(contentKeys, eventRegistry);
    try {
      await work({
        store,
        runner: (on = store) => new CommandRunner(on, contentKeys, codec),
        keys: async (...names) => {
          const found = await contentKeys.getMany(names.map(idOf));
          return names.filter((name) => found.has(idOf(name)));
        },
        events: async () => (await codec.decode(await store.readStream(STREAM))) as Recorded<DraftEvent>[],
      });
    } finally {
      await contentKeys.close();
      await store.close();
    }
  });

const create = (runner: CommandRunner, name: string, ...contents: string[]) =>
  runner.decide({
    stream: STREAM,
    decider: drafts,
    expects: 'any',
    decide: decideCreateDrafts,
    command: new CreateDrafts({ userId: 1, drafts: contents.map(written), by }),
    context: { ...facts, keyId: (index: number) => idOf(`${name}${index}`) },
    by,
  });

const edit = (runner: CommandRunner, name: string, content: string) =>
  runner.decide({
    stream: STREAM,
    decider: drafts,
    expects: 'any',
    decide: decideEditDraft,
    command: new EditDraft({ userId: 1, draftId: 1, draft: written(content), by }),
    context: { ...facts, keyId: idOf(name) },
    by,
  });

/** Runs something in place of the first append. */
const insteadOfFirst = (store: EventStore, work: (...call: Parameters<EventStore['append']>) => Promise<never>) => {
  let isFirst = true;
  return Object.create(store, {
    append: {
      value: (...call: Parameters<EventStore['append']>) => {
        if (!isFirst) return store.append(...call);
        isFirst = false;
        return work(...call);
      },
    },
  }) as EventStore;
};

describe('content with a key of its own', () => {
  it('is sealed under one key per event, in one append', () =>
    inWorld(async ({ store, runner, keys, events }) => {
      await create(runner(), 'a', 'one', 'two');
      expect((await store.readStream(STREAM)).map(({ id, data }) => [id, data.words])).toEqual(
        ['a0', 'a1'].map((name) => [
          idOf(name),
          { keyId: idOf(name), box: expect.any(String), keyTag: expect.any(String) },
        ]),
      );
      expect((await events()).map(({ data }) => 'words' in data && data.words?.text)).toEqual(['one', 'two']);
      expect(await keys('a0', 'a1')).toEqual(['a0', 'a1']);
    }));

  it('is sealed again when the decision is made again', () =>
    inWorld(async ({ store, runner, keys, events }) => {
      const beaten = insteadOfFirst(store, async (stream, _, expected) => {
        await create(runner(), 'b', 'quicker');
        throw new RevisionConflict(stream, expected, 0);
      });
      await create(runner(beaten), 'a', 'slower');
      expect((await events()).map(({ id, data }) => [id, 'words' in data && data.words?.text])).toEqual([
        [idOf('b0'), 'quicker'],
        [idOf('a0'), 'slower'],
      ]);
      expect(await keys('a0', 'b0')).toEqual(['a0', 'b0']);
    }));

  it('leaves no key if no event is appended in the end', () =>
    inWorld(async ({ store, runner, keys, events }) => {
      await create(runner(), 'a', 'first');
      const beaten = insteadOfFirst(store, async (stream, _, expected) => {
        await edit(runner(), 'b', 'the same');
        throw new RevisionConflict(stream, expected, 1);
      });
      expect((await edit(runner(beaten), 'c', 'the same')).events).toEqual([]);
      expect(await events()).toHaveLength(2);
      expect(await keys('a0', 'b', 'c')).toEqual(['a0', 'b']);
      const full = insteadOfFirst(store, async () => {
        throw new TypeError('too much');
      });
      await expect(create(runner(full), 'd', 'more')).rejects.toThrow('too much');
      expect(await keys('d0')).toEqual([]);
    }));

  it('keeps its key if it is unknown whether the event was appended', () =>
    inWorld(async ({ store, runner, keys }) => {
      const away = Object.create(store, {
        append: { value: () => Promise.reject(new EventStoreUnavailable('gone', 'unknown')) },
      }) as EventStore;
      await expect(create(runner(away), 'a', 'words')).rejects.toThrow('gone');
      expect(await keys('a0')).toEqual(['a0']);
      const refusing = Object.create(store, {
        append: { value: () => Promise.reject(new EventStoreUnavailable('full', 'no')) },
      }) as EventStore;
      await expect(create(runner(refusing), 'b', 'words')).rejects.toThrow('full');
      expect(await keys('b0')).toEqual([]);
    }));
});

describe('a stream that two deciders fold', () => {
  it('has a state for each', () =>
    inWorld(async ({ runner, store }) => {
      const one = runner();
      const add = (word: string) =>
        one.decide({
          stream: STREAM,
          decider: personal,
          expects: 'any',
          decide: decideAddAlertWords,
          command: new AddAlertWords({ userId: 1, words: [word], by }),
          context: undefined,
          by,
        });
      await add('a');
      await create(one, 'a', 'one');
      await add('b');
      await create(one, 'b', 'two');
      expect((await add('a')).events).toEqual([]);
      expect((await edit(one, 'c', 'one')).events).toEqual([]);
      expect((await store.readStream(STREAM)).map(({ type }) => type)).toEqual([
        'AlertWordsAdded',
        'DraftCreated',
        'AlertWordsAdded',
        'DraftCreated',
      ]);
    }));
});
