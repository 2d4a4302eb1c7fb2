import { expect, it } from '@jest/globals';
import { isDirectoryEvent } from '../../../src/directory/directory.changes.js';
import { Directory } from '../../../src/directory/directory.js';
import type { DirectoryFollower } from '../../../src/directory/directory-follower.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { AddDefaultChannelHandler } from '../../../src/features/organization/commands/organization.handlers.js';
import { AddDefaultChannel } from '../../../src/features/organization/domain/default-channels.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { Decisions } from '../../../src/platform/commands/decisions.js';
import { ReadYourWrites } from '../../../src/platform/commands/read-your-writes.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { DiskFileStore } from '../../../src/platform/file-store/disk/disk-file-store.js';
import { START } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import type { ReadModels } from '../../../src/platform/read-models/read-models.js';
import { channelData } from '../../support/events/events.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const PUBLIC = { inviteOnly: false, historyPublicToSubscribers: true };
const PRIVATE = { inviteOnly: true, historyPublicToSubscribers: true };

it('a channel that became private just before it was added is removed from the default channels', () =>
  withScratch(async (dataDirectory) => {
    const store = await SqliteEventStore.open(dataDirectory);
    const keys = await SqliteContentKeys.open(dataDirectory);
    const files = await DiskFileStore.open(dataDirectory);
    try {
      const codec = new EventCodec(keys, eventRegistry);
      const runner = new CommandRunner(store, keys, codec);
      const directory = new Directory();
      const catchUp = async (): Promise<void> => {
        const { events } = await store.readAll({ after: directory.position, limit: 100 });
        for (const event of await codec.decode(events)) if (isDirectoryEvent(event)) directory.apply(event);
      };
      const owner = { userId: 1, email: 'o@example.com', fullName: 'O', role: 100, passwordHash: null, channelIds: [] };
      await runner.report('organization', { type: 'OrganizationCreated', data: { name: 'Annals' } }, by);
      await runner.report('users', { type: 'UserCreated', data: owner }, by);
      await runner.report('channels', { type: 'ChannelCreated', data: channelData(5) }, by);
      await catchUp();
      // The directory of this process does not know the change when the command is decided, only before it is answered.
      const privacy = { type: 'ChannelPrivacyChanged', data: { channelId: 5, from: PUBLIC, to: PRIVATE } };
      await runner.report('channels', privacy, by);

      const nothing = { waitFor: async () => {} } as Pick<ReadModels, 'waitFor'> as ReadModels;
      const follower = { waitFor: catchUp } as Pick<DirectoryFollower, 'waitFor'> as DirectoryFollower;
      const reached = async (position: number) => position;
      const reactions = { waitFor: reached, waitForAll: reached };
      const readYourWrites = new ReadYourWrites({
        projections: [],
        processManagers: [],
        changesDirectory: () => true,
        readModels: nothing,
        consequences: reactions,
        directory: follower,
      });
      await new AddDefaultChannelHandler(directory, new Decisions(runner, readYourWrites, files)).execute(
        new AddDefaultChannel({ channelId: 5, callerId: 1, by }),
      );

      const { events } = await store.readAll({
        after: START,
        limit: 100,
        filter: { streamPrefixes: ['organization'] },
      });
      expect(events.map(({ type }) => type)).toEqual([
        'OrganizationCreated',
        'DefaultChannelAdded',
        'DefaultChannelRemoved',
      ]);
      expect(directory.organization?.defaultChannelIds).toEqual([]);
    } finally {
      await files.close();
      await keys.close();
      await store.close();
    }
  }));
