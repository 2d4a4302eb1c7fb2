import { expect, it } from '@jest/globals';
import { directoryProjection } from '../../projections/directory/directory.projection.js';
import { Directory } from '../../src/directory/directory.js';
import { DirectoryFollower } from '../../src/directory/directory-follower.js';
import { FollowedDirectory } from '../../src/directory/followed-directory.js';
import { eventRegistry } from '../../src/events/event-registry.js';
import { EventCodec } from '../../src/platform/log/event-codec.js';
import { Roster, userCreated } from '../support/projections/roster.js';
import { withScratch } from '../support/scratch.js';

const withRoster = (work: (server: Roster, parts: ReturnType<typeof partsOf>) => Promise<void>): Promise<void> =>
  withScratch(async (dataDirectory) => {
    const server = await Roster.start({ dataDirectory, projections: [directoryProjection] });
    try {
      await work(server, partsOf(server));
    } finally {
      await server.close();
    }
  });

const partsOf = ({ engines, runner }: Roster) => ({
  eventStore: engines.eventStore,
  codec: new EventCodec(engines.contentKeys, eventRegistry),
  readModels: runner,
});

it('is the directory of the process, which stays open when it is closed', () =>
  withRoster(async (server, parts) => {
    const directory = new Directory();
    const directoryFollower = new DirectoryFollower({ ...parts, directory, projection: directoryProjection });
    await directoryFollower.start();
    try {
      const accounts = new FollowedDirectory({ ...parts, directoryFollower }, directoryProjection);
      await accounts.start();
      expect(accounts.directory).toBe(directory);
      await accounts.close();

      const position = await server.append(userCreated(7));
      await directoryFollower.reach(position);
      expect(directory.user(7)?._id).toBe(7);
    } finally {
      await directoryFollower.close();
    }
  }));

it('is one of its own in a process that has none', () =>
  withRoster(async (server, parts) => {
    const accounts = new FollowedDirectory({ ...parts, directoryFollower: null }, directoryProjection);
    await accounts.start();
    try {
      const position = await server.append(userCreated(7));
      await accounts.reach(position);
      expect(accounts.directory.user(7)?._id).toBe(7);
    } finally {
      await accounts.close();
    }
  }));
