import { directoryProjection } from '../../projections/directory.projection.js';
import { messages } from '../../projections/messages.projection.js';
import { readState } from '../../projections/read-state.projection.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import type { ChannelRecord } from '../directory/directory.records.js';
import { MessageRows } from '../messages/queries/rows/message-rows.js';
import type { UserMuted } from '../personal/domain/personal.events.js';
import { ReadStates } from '../read-state/queries/read-states.js';
import { unreadAsOf } from '../read-state/queries/unread-as-of.js';
import { knownThrough } from './known-documents.js';
import { markRead, subscriptionsOf } from './marked-read.js';
import { processManager } from './process-manager.js';
import { ReadSince } from './read-since.js';

/** What somebody has written whom one does not want to hear is not waiting to be read. */
export const mutedSender = processManager<UserMuted>({
  name: 'muted-sender',
  on: 'UserMuted',
  isAside: true,
  react: async (event, runner, readModels) => {
    const { userId, mutedUserId } = event.data;
    await knownThrough(event.position, [directoryProjection, messages, readState], readModels);
    const channelIds = await allChannelIds(readModels);
    const subscriptions = await subscriptionsOf(userId, channelIds, readModels);
    const state = await ReadStates.sharedBy(readModels).of(userId, event.position);
    const rows = MessageRows.sharedBy(readModels);
    const wanted = {
      channelIds: new Set(channelIds),
      conversations: await rows.conversations(userId, null),
      accepts: ({ senderId }: { readonly senderId: number }): boolean => senderId === mutedUserId,
    };
    const unread = await unreadAsOf(event.position, { userId, state, subscriptions }, rows, wanted);
    return markRead('muted-sender', userId, unread, event, new ReadSince(event, runner), runner);
  },
});

/** They count from 1. */
async function allChannelIds(readModels: ReadModels): Promise<number[]> {
  const channels = readModels.collection<ChannelRecord>(directoryProjection, 'channels');
  const [newest] = await channels.find({}, { sort: { _id: -1 }, limit: 1, projection: { _id: 1 } });
  return Array.from({ length: newest?._id ?? 0 }, (_, index) => index + 1);
}
