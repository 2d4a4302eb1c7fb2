import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import { accountByEmail, accountOf } from '../../../directory/system-bots.js';
import type { NarrowFacts } from '../domain/narrow-resolve.js';

/**
 * Resolves a narrow's names for a reader. A reader may name a channel they were once subscribed to by its id, even if
 * they may not read it any more, but not by its name of today. The existence of other private channels is not told.
 */
export function narrowFacts(reader: UserRecord, directory: Directory): NarrowFacts {
  return {
    readerId: reader._id,
    languages: directory.searchLanguages(),
    channelId: (named) => {
      const channel = typeof named === 'number' ? directory.channel(named) : directory.channelByName(named);
      if (!channel) return undefined;
      const wasIn = (): boolean => directory.subscriptionsOf(reader._id).has(channel._id);
      const isKnown = may(reader, { channel, to: 'see' }, directory) || (typeof named === 'number' && wasIn());
      return isKnown ? channel._id : undefined;
    },
    channelsOf: (kind) => {
      // No channel is visible without an account.
      if (kind === 'web-public') return [];
      if (kind !== 'public') return undefined;
      const open = directory.allChannels().filter(({ inviteOnly }) => !inviteOnly);
      return open.filter((channel) => may(reader, { channel, to: 'see' }, directory)).map(({ _id }) => _id);
    },
    userId: (named) =>
      (typeof named === 'number' ? accountOf(named, directory) : accountByEmail(named, directory))?._id,
  };
}
