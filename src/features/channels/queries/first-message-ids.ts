import { clientEvents } from '../../../../projections/client-events/client-events.projection.js';
import type { FeedChannel } from '../../../../projections/client-events/records.js';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';

const PAGE = 500;

/**
 * The first message of each channel that has one, by channel.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function firstMessageIds(
  readModels: ReadModels,
  channelIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  for (let at = 0; at < channelIds.length; at += PAGE) {
    const ids = channelIds.slice(at, at + PAGE);
    const channels = await readModels
      .collection<FeedChannel>(clientEvents, 'channels')
      .find({ _id: { $in: ids } }, { projection: { firstMessageId: 1 } });
    for (const { _id, firstMessageId } of channels) if (firstMessageId !== null) found.set(_id, firstMessageId);
  }
  return found;
}

/**
 * The first message of each channel that had one at a position, by channel.
 * @param collections of messages, searched for the newest message up to the position
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function firstMessageIdsThrough(
  readModels: ReadModels,
  channelIds: readonly number[],
  through: Position,
  collections: readonly string[] = [MESSAGES],
): Promise<ReadonlyMap<number, number>> {
  let newest = 0;
  for (const collection of collections)
    newest = Math.max(newest, await newestIdThrough(readModels, collection, through));
  const first = await firstMessageIds(readModels, channelIds);
  return new Map([...first].filter(([, messageId]) => messageId <= newest));
}

/** The newest message of the organization up to a position; 0: none. */
async function newestIdThrough(readModels: ReadModels, collection: string, through: Position): Promise<number> {
  const [newest] = await readModels
    .collection<MessageDocument>(messages, collection)
    .find(
      { sentPosition: { $lte: through } },
      { sort: { sentPosition: -1 }, limit: 1, projection: { sentPosition: 1 } },
    );
  return newest?._id ?? 0;
}
