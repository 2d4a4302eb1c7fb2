import type { FeedChannel } from '../../../projections/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';

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
