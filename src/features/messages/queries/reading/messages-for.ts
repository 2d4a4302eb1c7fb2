import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import type { Collection } from '../../../../platform/documents/document-store.js';
import { assertConnected, type ClientConnection } from '../../../../platform/kernel/client-connection.js';

export type Messages = Pick<Collection<MessageDocument>, 'find' | 'findOne' | 'countDocuments'>;

/** The messages as they are read for a client: no read begins once the client has hung up. */
export function messagesFor(connection: ClientConnection, messages: Messages): Messages {
  return {
    find: async (filter, options) => {
      assertConnected(connection);
      return messages.find(filter, options);
    },
    findOne: async (filter, options) => {
      assertConnected(connection);
      return messages.findOne(filter, options);
    },
    countDocuments: async (filter) => {
      assertConnected(connection);
      return messages.countDocuments(filter);
    },
  };
}
