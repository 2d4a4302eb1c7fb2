import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CopySide, type CopyStep, copyLog } from '../../../src/app/cli/copy-log.js';
import { CopyRefused } from '../../../src/app/cli/failure.js';
import { newContentKey, seal } from '../../../src/platform/content-keys/seal.js';
import { EventStoreUnavailable, type NewEvent } from '../../../src/platform/log/event-store.js';
import { newEvent, newEvents } from '../../support/engines/event-store-events.js';
import {
  eventsIn,
  newSide,
  queueRegistered,
  type Side,
  sealedEvent,
  withoutPositions,
} from '../../support/engines/sides.js';

const copy = (from: CopySide, to: CopySide, onStep: (step: CopyStep) => void = () => {}) => copyLog(from, to, onStep);

/** The same side, with `append` in place of its own. */
const withAppend = (side: Side, append: Side['eventStore']['append']): CopySide => ({
  contentKeys: side.contentKeys,
  fileStore: side.fileStore,
  eventStore: {
    append,
    readAll: (options) => side.eventStore.readAll(options),
    head: () => side.eventStore.head(),
  },
});

async function* inOne(bytes: string): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes);
}

describe('a copied log', () => {
  let sides: Side[];
  let source: Side;
  let target: Side;

  beforeEach(async () => {
    sides = [];
    source = await another();
    target = await another();
  });

  afterEach(async () => {
    for (const side of sides) await side.remove();
  });

  const another = async (): Promise<Side> => {
    const side = await newSide();
    sides.push(side);
    return side;
  };

  const append = (stream: string, ...events: NewEvent[]) => source.eventStore.append(stream, events, 'any');

  /** Fills the source: streams take turns, with one event or several at a time. */
  const fill = async (turns = 4): Promise<void> => {
    await append('organization', newEvent('OrganizationCreated', { name: 'Zoë' }));
    for (let turn = 0; turn < turns; turn++) {
      await append('users', ...newEvents('UserCreated', 2));
      await append('messages', await sealedEvent(source));
      await append(`subscriptions-${turn}`, newEvent('UsersSubscribed', { userIds: [turn] }));
    }
  };

  const expectCopied = async (): Promise<void> =>
    expect(withoutPositions(await eventsIn(target))).toEqual(withoutPositions(await eventsIn(source)));

  it('has the same events in the same order, with the same ids and revisions', async () => {
    await fill();
    await append('futures', { ...newEvent('NobodyKnowsThis', { a: { b: [1] } }), version: 9 });
    const { appended, count, sourceRoot, targetRoot } = await copy(source, target);
    expect({ appended, count }).toEqual({ appended: 18, count: 18 });
    expect(sourceRoot).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(targetRoot).toBe(sourceRoot);
    await expectCopied();
  });

  it('has the pictures of custom emoji and of the organization, and avatars', async () => {
    const named = (name: string) => name.padEnd(24, '-');
    const names = ['moving', 'still', 'small', 'medium', 'icon'].map(named);
    const [fileId = '', stillFileId = '', small = '', medium = '', icon = ''] = names;
    for (const name of names) {
      await source.fileStore.receive(name, inOne(name));
      await source.fileStore.commit(name);
    }
    const emoji = { name: 'dance', authorId: 1, fileId };
    await append('customEmoji', newEvent('CustomEmojiAdded', { ...emoji, emojiId: 1, stillFileId }));
    await append('customEmoji', newEvent('CustomEmojiAdded', { ...emoji, emojiId: 2, stillFileId: null }));
    await append('avatar-1', newEvent('AvatarChanged', { userId: 1, version: 2, fileId: small, mediumFileId: medium }));
    const picture = { picture: 'icon', version: 2, fileId: icon, previousFileId: null };
    await append('organizationPictures', newEvent('OrganizationPictureChanged', picture));
    await copy(source, target);
    for (const name of names) {
      const found = await target.fileStore.read(name);
      expect(found && (await text(found.content))).toBe(name);
    }
  });

  it('has the files of the source, whole, and none that was deleted', async () => {
    const upload = async (name: string, bytes: string): Promise<string> => {
      const fileId = name.padEnd(24, '-');
      await source.fileStore.receive(fileId, inOne(bytes));
      await source.fileStore.commit(fileId);
      await append('uploads', newEvent('FileUploaded', { fileId, size: bytes.length }));
      return fileId;
    };
    const files = [await upload('first', 'one'), await upload('second', 'two'), await upload('third', 'three')];
    const [first, second, third] = files as [string, string, string];
    await source.fileStore.remove([second]);
    // This part of a file was left by a copy that was cut short.
    await target.fileStore.receive(third, inOne('th'));

    expect(await copy(source, target)).toMatchObject({ files: 2 });

    const bytesOf = async (fileId: string) => {
      const found = await target.fileStore.read(fileId);
      return found && (await text(found.content));
    };
    expect(await Promise.all(files.map(bytesOf))).toEqual(['one', null, 'three']);
    expect(await target.fileStore.abandoned()).toEqual([]);

    await source.fileStore.remove([first]);
    expect(await copy(source, target)).toMatchObject({ appended: 0, files: 1 });
    expect(await bytesOf(first)).toBeNull();
  });

  it('has the keys of the source, and none that was destroyed', async () => {
    const [kept, destroyed, unknown] = [
      await sealedEvent(source),
      await sealedEvent(source),
      await sealedEvent(source, 'NobodyKnowsThis'),
    ];
    await append('messages', kept, destroyed);
    await append('futures', { ...unknown, data: { parts: [{ of: unknown.data }] } });
    await source.contentKeys.destroy([destroyed.id]);
    await copy(source, target);
    const ids = [kept.id, destroyed.id, unknown.id];
    const [there, here] = [await target.contentKeys.getMany(ids), await source.contentKeys.getMany(ids)];
    expect([...there.keys()].sort()).toEqual([kept.id, unknown.id].sort());
    for (const [id, key] of here) expect(Buffer.from(there.get(id) ?? []).equals(key)).toBe(true);
  });

  it('has the keys of addresses, and none that was destroyed', async () => {
    const from = async (keyId: string): Promise<NewEvent> => {
      const { key } = await source.contentKeys.putIfAbsent(keyId, newContentKey());
      const event = newEvent('UserCreated');
      return { ...event, metadata: { ...event.metadata, address: seal('203.0.113.7', keyId, key) } };
    };
    const [kept, gone, later] = ['address:1:2026-03', 'address:1:2026-01', 'address:none:2026-02'];
    for (const id of [kept, gone, later]) await append('users', await from(id));
    await source.contentKeys.destroy([gone]);
    await copy(source, target);
    const copied = () => target.contentKeys.getMany([kept, gone, later]);
    expect(await copied()).toEqual(await source.contentKeys.getMany([kept, later]));
    await source.contentKeys.destroy([later]);
    expect(await copy(source, target)).toMatchObject({ appended: 0, keysDestroyed: 1 });
    expect([...(await copied()).keys()]).toEqual([kept]);
    await target.contentKeys.destroy([kept]);
    await expect(copy(source, target)).rejects.toThrow(`the key ${kept} is missing in the target`);
  });

  it('loses a key that is destroyed in the source after it was copied', async () => {
    const event = await sealedEvent(source);
    await append('messages', event);
    expect(await copy(source, target)).toMatchObject({ keysDestroyed: 0 });
    await source.contentKeys.destroy([event.id]);
    expect(await copy(source, target)).toMatchObject({ appended: 0, keysDestroyed: 1 });
    expect(await target.contentKeys.getMany([event.id])).toEqual(new Map());
  });

  it('is refused if the target has another key under the same id', async () => {
    const event = await sealedEvent(source);
    await append('messages', event);
    await target.contentKeys.putIfAbsent(event.id, newContentKey());
    await expect(copy(source, target)).rejects.toThrow(`another key under the name ${event.id}`);
    expect(await eventsIn(target)).toEqual([]);
  });

  it('is refused if a key is missing in the target', async () => {
    const event = await sealedEvent(source);
    await append('messages', event);
    await copy(source, target);
    await target.contentKeys.destroy([event.id]);
    await expect(copy(source, target)).rejects.toThrow(`the key ${event.id} is missing in the target`);
  });

  it('is appended in runs of one stream, bounded in number and size', async () => {
    await append('users', ...newEvents('UserCreated', 200));
    await append('users', ...newEvents('UserCreated', 100));
    await append('channels', newEvent('ChannelCreated'));
    for (let big = 0; big < 3; big++) await append('messages', newEvent('MessageSent', { text: 'ä'.repeat(100_000) }));
    const appends: [string, number][] = [];
    await copy(
      source,
      withAppend(target, (stream, events, expected) => {
        appends.push([stream, events.length]);
        return target.eventStore.append(stream, events, expected);
      }),
    );
    expect(appends).toEqual([
      ['users', 256],
      ['users', 44],
      ['channels', 1],
      ['messages', 2],
      ['messages', 1],
    ]);
    await expectCopied();
  });

  it('goes on wherever the copy was cut short', async () => {
    await fill(2);
    await append('eventQueues', queueRegistered(), queueRegistered());
    const total = (await eventsIn(source)).length;
    for (let appends = 0, finished = false; !finished; appends++) {
      target = await another();
      let left = appends;
      const cut = withAppend(target, (...args) => {
        if (left-- === 0) throw new Error('cut short');
        return target.eventStore.append(...args);
      });
      finished = await copy(source, cut).then(
        () => true,
        () => false,
      );
      const begun = await eventsIn(target);
      const there = begun.length;
      const sealed = begun.filter(({ type }) => type === 'MessageSent').map(({ id }) => id);
      expect([...(await target.contentKeys.getMany(sealed)).keys()].sort()).toEqual(sealed.sort());
      const outcome = await copy(source, target);
      expect(outcome).toMatchObject({ appended: Math.max(0, total - there), count: total, queues: 2 });
      expect(outcome.queuesEnded).toBe(finished ? 0 : 2);
      expect(withoutPositions(await eventsIn(target)).slice(0, total)).toEqual(
        withoutPositions(await eventsIn(source)),
      );
      expect(await eventsIn(target)).toHaveLength(total + 2);
    }
  });

  it('has nothing twice if the outcome of an append was unknown', async () => {
    await fill();
    const failing = new Set<string>();
    const faulty = withAppend(target, async (stream, events, expected) => {
      const result = await target.eventStore.append(stream, events, expected);
      if (failing.has(stream)) return result;
      failing.add(stream);
      throw new EventStoreUnavailable('the answer was lost', 'unknown');
    });
    expect(await copy(source, faulty)).toMatchObject({ appended: 17, count: 17 });
    expect(failing.size).toBeGreaterThan(3);
    await expectCopied();
  });

  it('is refused on a target that is not the beginning of the source, and leaves it alone', async () => {
    await fill();
    const [first, second, third] = await eventsIn(source);
    if (!first || !second || !third) throw new Error('there are more');
    await target.eventStore.append('organization', [{ ...first }], 'new');
    await target.eventStore.append('users', [{ ...second }, { ...third, data: { index: 7 } }], 'new');
    await expect(copy(source, target)).rejects.toThrow(
      new CopyRefused(
        'the target is not the beginning of the source: event 3, UserCreated (users@1), holds something else there; copy to ' +
          'an empty place',
      ),
    );
    expect(await eventsIn(target)).toHaveLength(3);
  });

  it('is refused with the name of the event that the target has instead', async () => {
    await fill();
    await target.eventStore.append('messages', [newEvent('MessageSent')], 'new');
    await expect(copy(source, target)).rejects.toThrow(
      /event 1, OrganizationCreated \(organization@0\), is MessageSent \(messages@0\) there/,
    );
  });

  it('is refused on a target that has events of its own behind the copy', async () => {
    await fill();
    await copy(source, target);
    await target.eventStore.append('messages', [newEvent('MessageSent')], 'any');
    await expect(copy(source, target)).rejects.toThrow(
      /has all 17 events of the source, and has gone on since with MessageSent \(messages@4\): it is in use/,
    );
  });

  it('is refused if somebody writes to the source meanwhile', async () => {
    await fill();
    let calls = 0;
    const watched = withAppend(target, async (...args) => {
      calls += 1;
      if (calls === 5) await append('users', newEvent('UserCreated'));
      return target.eventStore.append(...args);
    });
    await expect(copy(source, watched)).rejects.toThrow(/somebody writes to the source: .* copy again to go on/);
    expect(await copy(source, target)).toMatchObject({ appended: 1, count: 18 });
  });

  it('is refused if somebody writes to the target meanwhile', async () => {
    await fill();
    let calls = 0;
    const disturbed = withAppend(target, async (stream, events, expected) => {
      calls += 1;
      if (calls === 5) await target.eventStore.append(stream, [newEvent('Strange')], 'any');
      return target.eventStore.append(stream, events, expected);
    });
    await expect(copy(source, disturbed)).rejects.toThrow(
      /is at \d+, expected \d+, in the target: somebody else writes/,
    );
  });

  it('is refused if somebody writes to another stream of the target between two appends', async () => {
    await fill();
    let calls = 0;
    const disturbed = withAppend(target, async (...args) => {
      calls += 1;
      if (calls === 5) await target.eventStore.append('strange', [newEvent('Strange')], 'any');
      return target.eventStore.append(...args);
    });
    await expect(copy(source, disturbed)).rejects.toThrow('the copy differs within events 1 to 17');
  });

  it('is refused if the source is empty', async () => {
    await expect(copy(source, target)).rejects.toThrow('there is nothing to copy');
  });

  it('reports the progress of copying and of checking', async () => {
    for (let page = 0; page < 3; page++) await append('users', ...newEvents('UserCreated', 500));
    const steps: CopyStep[] = [];
    await copy(source, target, (step) => steps.push(step));
    const head = await source.eventStore.head();
    expect(steps.map(({ phase, events, position }) => [phase, events, position])).toEqual([
      ['copying', 512, 512],
      ['copying', 1024, 1024],
      ['copying', 1500, 1500],
      ['checking', 1000, 1000],
      ['checking', 1500, 1500],
    ]);
    expect(steps.every((step) => step.head === head)).toBe(true);
  });

  describe('the event queues of a copied log', () => {
    const expired = async () => (await eventsIn(target)).filter(({ type }) => type === 'QueueExpired');

    it('end once', async () => {
      await append('eventQueues', queueRegistered('a'), queueRegistered('b'), queueRegistered('c'));
      await append('eventQueues', newEvent('QueueDeleted', { queueId: 'b' }));
      expect(await copy(source, target)).toMatchObject({ appended: 4, count: 4, queues: 2, queuesEnded: 2 });
      expect((await expired()).map(({ data }) => data)).toEqual([{ queueId: 'a' }, { queueId: 'c' }]);
      expect(await copy(source, target)).toMatchObject({ appended: 0, count: 4, queues: 2, queuesEnded: 0 });
      expect(await expired()).toHaveLength(2);
    });

    it('end once each if the copy was cut short while it ended them', async () => {
      for (let some = 0; some < 3; some++) {
        await append('eventQueues', ...Array.from({ length: 100 }, () => queueRegistered()));
      }
      let ends = 0;
      const cut = withAppend(target, (stream, events, expected) => {
        if (events.some(({ type }) => type === 'QueueExpired') && ++ends === 2) throw new Error('cut short');
        return target.eventStore.append(stream, events, expected);
      });
      await expect(copy(source, cut)).rejects.toThrow('cut short');
      expect(await expired()).toHaveLength(256);
      expect(await copy(source, target)).toMatchObject({ appended: 0, queues: 300, queuesEnded: 44 });
      expect(new Set((await expired()).map(({ data }) => data.queueId)).size).toBe(300);
    });

    it('are not ended again in a copy of the copy', async () => {
      await append('eventQueues', queueRegistered());
      await copy(source, target);
      expect(await copy(target, await another())).toMatchObject({ count: 2, queues: 0, queuesEnded: 0 });
    });

    it('allow no further copying once they have ended', async () => {
      await append('eventQueues', queueRegistered());
      await copy(source, target);
      await append('users', newEvent('UserCreated'));
      await expect(copy(source, target)).rejects.toThrow(
        'the copy was finished at event 1 of the source, which has gone on since with UserCreated (users@0): copy to an ' +
          'empty place',
      );
    });
  });
});
