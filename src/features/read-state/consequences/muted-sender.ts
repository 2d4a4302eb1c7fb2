import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { readState } from '../../../../projections/read-state/read-state.projection.js';
import type { ChannelRecord } from '../../../directory/directory.records.js';
import type { UserMuted } from '../../../events/personal/personal.events.js';
import { knownThrough } from '../../../platform/consumers/known-documents.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { ReadStates } from '../../message-flags/services/read-states.js';
import { MessageRows } from '../../messages/services/message-rows.js';
import { unreadAsOf } from '../queries/unread-as-of.js';
import { markRead, subscriptionsOfAll } from './marked-read.js';
import { ReadSince } from './read-since.js';

/** Marks a sender's messages as read for a reader who has muted the sender. */
export const mutedSender = processManager<UserMuted>({
  name: 'muted-sender',
  on: 'UserMuted',
  appends: ['FlagsAdded'],
  reads: [directoryProjection, messages, readState],
  inBackground: true,
  react: async (event, runner, readModels) => {
    const { userId, mutedUserId } = event.data;
    await knownThrough(event.position, [directoryProjection, messages, readState], readModels);
    const channelIds = await allChannelIds(readModels);
    const subscriptionsOf = await subscriptionsOfAll([userId], channelIds, readModels);
    const state = await ReadStates.sharedBy(readModels).of(userId, event.position);
    const rows = MessageRows.sharedBy(readModels);
    const wanted = {
      channelIds: new Set(channelIds),
      conversations: await rows.conversations(userId, null),
      accepts: ({ senderId }: { readonly senderId: number }): boolean => senderId === mutedUserId,
    };
    const reader = { userId, state, subscriptions: subscriptionsOf(userId) };
    const [unread = []] = await unreadAsOf(event.position, [reader], rows, wanted);
    return markRead('muted-sender', userId, unread, event, new ReadSince(event, runner), runner);
  },
});

/** Ids of channels count from 1. */
async function allChannelIds(readModels: ReadModels): Promise<number[]> {
  const channels = readModels.collection<ChannelRecord>(directoryProjection, 'channels');
  const [newest] = await channels.find({}, { sort: { _id: -1 }, limit: 1, projection: { _id: 1 } });
  return Array.from({ length: newest?._id ?? 0 }, (_, index) => index + 1);
}
