import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { DirectoryFollower } from '../../../src/directory/directory-follower.js';
import type { DraftEvent } from '../../../src/events/drafts/drafts.events.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { avatar, ChangeAvatar, decideChangeAvatar } from '../../../src/features/avatars/domain/avatar.js';
import {
  CreateDrafts,
  DeleteDraft,
  type DraftsState,
  decideCreateDrafts,
  decideDeleteDraft,
  drafts,
} from '../../../src/features/drafts/domain/drafts.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { type CommandStream, Decisions } from '../../../src/platform/commands/decisions.js';
import { ReadYourWrites } from '../../../src/platform/commands/read-your-writes.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { DiskFileStore } from '../../../src/platform/file-store/disk/disk-file-store.js';
import { UNMEASURED } from '../../../src/platform/kernel/event-definition.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { ContentRemainsError } from '../../../src/platform/kernel/outcome-errors.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import type { ReadModels } from '../../../src/platform/read-models/read-models.js';
import { asker } from '../../support/requests/asker.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const fault = new Error('the wait has a fault');

const stream: CommandStream<DraftsState, DraftEvent> = {
  stream: 'user-1',
  decider: drafts,
  expects: 'any',
};

const draft = { type: 'unaddressed', to: [], topic: '', content: 'words', timestamp: 1 } as const;
const create = new CreateDrafts({ userId: 1, drafts: [draft, draft], by });
const facts = () => ({
  now: 1,
  longestText: 100,
  channelIds: new Set<number>(),
  people: new Map(),
  keyId: () => newEventId(),
});

interface World {
  /** Decisions for which every wait for documents fails. */
  readonly decisions: Decisions;
  readonly stored: () => Promise<readonly string[]>;
  readonly files: DiskFileStore;
}

const inWorld = (work: (world: World) => Promise<void>): Promise<void> =>
  withScratch(async (directory) => {
    const store = await SqliteEventStore.open(directory);
    const keys = await SqliteContentKeys.open(directory);
    const files = await DiskFileStore.open(directory);
    try {
      const runner = new CommandRunner(store, keys, new EventCodec(keys, eventRegistry));
      const waitFor = () => Promise.reject(fault);
      const readModels = { waitFor } as Pick<ReadModels, 'waitFor'> as ReadModels;
      const follower = { waitFor } as Pick<DirectoryFollower, 'waitFor'> as DirectoryFollower;
      const readYourWrites = new ReadYourWrites({
        projections: [],
        processManagers: [],
        changesDirectory: () => false,
        readModels,
        consequences: { waitFor, waitForAll: waitFor },
        directory: follower,
      });
      const stored = async () => (await store.readStream('user-1')).map(({ type }) => type);
      await work({ decisions: new Decisions(runner, readYourWrites, files), stored, files });
    } finally {
      await files.close();
      await keys.close();
      await store.close();
    }
  });

describe('a stored decision on one stream whose wait for documents fails', () => {
  it('is not partly done, because one append holds all of it', () =>
    inWorld(async ({ decisions, stored }) => {
      await expect(decisions.decide(stream, decideCreateDrafts, create, facts())).rejects.toBe(fault);
      expect(await stored()).toEqual(['DraftCreated', 'DraftCreated']);
    }));

  it('fails with ContentRemainsError if it erased content', () =>
    inWorld(async ({ decisions, stored }) => {
      await decisions.decide(stream, decideCreateDrafts, create, facts()).catch(() => {});
      const deleted = decisions.decide(
        stream,
        decideDeleteDraft,
        new DeleteDraft({ userId: 1, draftId: 1, by }),
        undefined,
      );
      await expect(deleted).rejects.toBeInstanceOf(ContentRemainsError);
      await expect(deleted).rejects.toMatchObject({ cause: fault });
      expect(await stored()).toEqual(['DraftCreated', 'DraftCreated', 'DraftDeleted']);
    }));

  it('has deleted the files that it ended', () =>
    inWorld(async ({ decisions, files }) => {
      const change = async (n: number) => {
        const [fileId, mediumFileId] = [`small${n}`, `medium${n}`].map((name) => name.padEnd(24, '-')) as [
          string,
          string,
        ];
        for (const name of [fileId, mediumFileId]) await files.receive(name, Readable.from([Buffer.from('picture')]));
        const avatarStream = { stream: 'avatar-1', decider: avatar, expects: 'any' } as const;
        const command = new ChangeAvatar({ userId: 1, picture: Readable.from([]), asker, by });
        const [small, medium] = [
          { fileId, measure: UNMEASURED },
          { fileId: mediumFileId, measure: UNMEASURED },
        ];
        const context = { mayChange: true, small, medium };
        const decided = decisions.decide(avatarStream, decideChangeAvatar, command, context);
        await expect(decided).rejects.toThrow(n === 1 ? fault.message : 'deleted content is not known to be gone');
        return [fileId, mediumFileId];
      };
      const first = await change(1);
      const second = await change(2);
      const isThere = async (name: string) => {
        const file = await files.read(name);
        file?.content.destroy();
        return file !== null;
      };
      expect(await Promise.all([...first, ...second].map(isThere))).toEqual([false, false, true, true]);
    }));
});
