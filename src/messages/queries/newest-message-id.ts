import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Collection } from '../../document-store/document-store.js';

/** Of the whole organisation; -1 where nothing has been sent yet, as the API has it. */
export async function newestMessageId(messages: Collection<MessageDocument>): Promise<number> {
  const [newest] = await messages.find({}, { sort: { _id: -1 }, limit: 1, projection: { _id: 1 } });
  return newest?._id ?? -1;
}
