import type { Collection } from '../../src/platform/documents/document-store.js';
import type { MessageDocument } from './messages.projection.js';

/** Id of the organization's newest message; -1 before the first, as in the API. */
export async function newestMessageId(messages: Collection<MessageDocument>): Promise<number> {
  const [newest] = await messages.find({}, { sort: { _id: -1 }, limit: 1, projection: { _id: 1 } });
  return newest?._id ?? -1;
}
