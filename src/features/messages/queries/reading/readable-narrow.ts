import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../../directory/directory.js';
import type { UserRecord } from '../../../../directory/directory.records.js';
import { mayRead } from '../../../../directory/readable-messages.js';
import type { NarrowTerm } from '../../../narrow/domain/narrow.js';
import { type Narrow, resolveNarrow } from '../../../narrow/domain/narrow-resolve.js';
import { messageIdOfWith, withConversation } from '../../../narrow/domain/narrow-with.js';
import { narrowFacts } from '../../../narrow/queries/narrow-facts.js';
import type { Messages } from './messages-for.js';

/** Resolves a narrow for a reader, as messages are placed now. @throws DomainError BAD_NARROW */
export async function readableNarrow(
  terms: readonly NarrowTerm[],
  reader: UserRecord,
  directory: Directory,
  messages: Messages,
): Promise<Narrow> {
  const facts = narrowFacts(reader, directory);
  const messageId = messageIdOfWith(terms);
  if (messageId === null) return resolveNarrow(terms, facts);
  const message: MessageDocument | null = await messages.findOne({ _id: messageId });
  const known = message && mayRead(reader, message, directory) ? message : null;
  return resolveNarrow(withConversation(terms, known), facts);
}
