import type { ChannelMessageDocument, MessageDocument } from '../../../projections/messages.projection.js';

/** What of a message its reader's flags depend on; a document of the `messages` projection is one. */
export type FlaggedMessage = Pick<MessageDocument, '_id' | 'sentPosition' | 'senderId' | 'readBySender'> &
  (
    | { readonly type: 'direct' }
    | ({ readonly type: 'channel' } & Pick<
        ChannelMessageDocument,
        'channelId' | 'arrivedPosition' | 'firstChannelId' | 'between'
      >)
  );
