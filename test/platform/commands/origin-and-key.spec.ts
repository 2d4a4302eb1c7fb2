import { describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { type MessageEdited, messageStream } from '../../../src/events/messages/message.events.js';
import { MESSAGES_STREAM, type MessageSent } from '../../../src/events/messages/messages.events.js';
import { NO_CONTENT_FACTS } from '../../../src/features/markdown/content-facts.js';
import { decideEditMessage, EditMessage } from '../../../src/features/messages/domain/edit-message.js';
import { asSent, type MessageState, messageDecider } from '../../../src/features/messages/domain/message.state.js';
import { contentOf } from '../../../src/features/messages/domain/message-content.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { refuse } from '../../../src/platform/kernel/deciding.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { sha256Of } from '../../../src/platform/kernel/sha256.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { type EventStore, RevisionConflict } from '../../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 3, client: 'test', correlationId: 'c' };
const place = { type: 'channel', channelId: 5, topic: 't' } as const;
const sent: MessageSent = {
  type: 'MessageSent',
  data: {
    senderId: 3,
    recipient: place,
    readBySender: true,
    localEcho: null,
    sendKey: null,
    content: contentOf('first words', NO_CONTENT_FACTS),
  },
};

interface World {
  readonly store: EventStore;
  readonly keys: SqliteContentKeys;
  runner(store?: EventStore): CommandRunner;
  edited(messageId: number): Promise<Recorded<MessageEdited>[]>;
}

/** A log with message 1. */
const inWorld = (work: (world: World) => Promise<void>): Promise<void> =>
  withScratch(async (directory) => {
    const store = await SqliteEventStore.open(directory);
    const keys = await SqliteContentKeys.open(directory);
    const codec = new EventCodec(keys, eventRegistry);
    const runner = (on: EventStore = store) => new CommandRunner(on, keys, codec);
    try {
      await send(runner());
      const edited = async (id: number) =>
        (await codec.decode(await store.readStream(messageStream(id)))) as Recorded<MessageEdited>[];
      await work({ store, keys, runner, edited });
    } finally {
      await keys.close();
      await store.close();
    }
  });

async function send(runner: CommandRunner): Promise<void> {
  const id = newEventId();
  await runner.report(MESSAGES_STREAM, sent, by, { id, sealing: await runner.sealingKey(id) });
}

const edit = (runner: CommandRunner, content: string, prevContentSha256: string | null = null, messageId = 1) =>
  runner.decide({
    stream: messageStream(messageId),
    decider: messageDecider,
    expects: 'any',
    origin: {
      stream: MESSAGES_STREAM,
      revision: messageId - 1,
      begin: (event) => asSent(event as Recorded<MessageSent>),
    },
    decide: decideEditMessage,
    command: new EditMessage({
      messageId,
      edit: { content, prevContentSha256, propagateMode: 'change_one', moves: false },
      editorId: 3,
      by,
    }),
    context: { now: Date.now(), place, isEditingAllowed: true, limitSeconds: null, content: NO_CONTENT_FACTS },
    by,
    sealedWith: {
      keyId: (state: MessageState) => (state.status === 'living' ? state.keyId : refuse('INVALID_MESSAGE')),
      whenGone: () => refuse('INVALID_MESSAGE'),
    },
  });

describe('a stream whose origin is an event of another stream', () => {
  it('is decided on from that event, in every process and repeatedly', () =>
    inWorld(async ({ runner, edited }) => {
      const one = runner();
      await edit(one, 'second');
      await edit(runner(), 'third');
      await edit(one, 'fourth');
      const texts = (await edited(1)).map(({ data }) => [data.contentRevision, data.content?.text]);
      expect(texts).toEqual([
        [1, 'second'],
        [2, 'third'],
        [3, 'fourth'],
      ]);
    }));

  it('exists only after that event is appended', () =>
    inWorld(async ({ runner, edited }) => {
      const one = runner();
      await expect(edit(one, 'early', null, 2)).rejects.toMatchObject({ code: 'INVALID_MESSAGE' });
      await send(one);
      await edit(one, 'in time', null, 2);
      expect(await edited(2)).toHaveLength(1);
    }));

  it('accepts exactly one of several edits of the same content', () =>
    inWorld(async ({ runner, edited }) => {
      const seen = sha256Of('first words');
      const outcomes = await Promise.allSettled(
        Array.from({ length: 6 }, (_, index) => edit(runner(), `edit ${index}`, seen)),
      );
      const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
      expect(refused.map(({ reason }) => reason.code)).toEqual(Array(5).fill('MESSAGE_EDITED_MEANWHILE'));
      expect(await edited(1)).toHaveLength(1);
    }));
});

describe('content sealed under the key of earlier content', () => {
  it('has the same key id, and is different for each sealing', () =>
    inWorld(async ({ store, runner }) => {
      await edit(runner(), 'second');
      await edit(runner(), 'third');
      const [message] = await store.readStream(MESSAGES_STREAM);
      const edits = await store.readStream(messageStream(1));
      const boxes = [message, ...edits].map((event) => event?.data.content as { keyId: string; box: string });
      expect(new Set(boxes.map(({ keyId }) => keyId))).toEqual(new Set([message?.id]));
      expect(new Set(boxes.map(({ box }) => box.slice(0, 16))).size).toBe(3);
      expect(JSON.stringify(edits)).not.toMatch(/second|third/);
    }));

  it('is refused after that key is gone, and brings no key back', () =>
    inWorld(async ({ store, keys, runner }) => {
      const knowing = runner();
      await edit(knowing, 'second');
      const [message] = await store.readStream(MESSAGES_STREAM);
      await keys.destroy([message?.id as string]);
      for (const one of [knowing, runner()])
        await expect(edit(one, 'third')).rejects.toMatchObject({ code: 'INVALID_MESSAGE' });
      expect(await store.readStream(messageStream(1))).toHaveLength(1);
      expect((await keys.getMany([message?.id as string])).size).toBe(0);
    }));

  it('is sealed again when the decision is made again', () =>
    inWorld(async ({ store, runner, edited }) => {
      let beaten = false;
      const beatenOnce: EventStore = Object.create(store, {
        append: {
          value: async (...call: Parameters<EventStore['append']>) => {
            if (beaten) return store.append(...call);
            beaten = true;
            await edit(runner(), 'quicker');
            throw new RevisionConflict(call[0], call[2], 0);
          },
        },
      });
      await edit(runner(beatenOnce), 'slower');
      expect((await edited(1)).map(({ data }) => data.content?.text)).toEqual(['quicker', 'slower']);
    }));
});
