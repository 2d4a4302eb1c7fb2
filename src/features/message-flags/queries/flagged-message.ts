import type { ChannelMessageDocument, MessageDocument } from '../../../../projections/messages/messages.projection.js';

/** The fields of a message that its reader's flags depend on; documents of the `messages` projection have them. */
export type FlaggedMessage = Pick<MessageDocument, '_id' | 'sentPosition' | 'senderId' | 'readBySender'> &
  (
    | { readonly type: 'direct' }
    | ({ readonly type: 'channel' } & Pick<
        ChannelMessageDocument,
        'channelId' | 'arrivedPosition' | 'firstChannelId' | 'between'
      >)
  );
