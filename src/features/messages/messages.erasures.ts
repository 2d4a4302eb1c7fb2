import { attachments } from '../../../projections/attachments/attachments.projection.js';
import { messages } from '../../../projections/messages/messages.projection.js';
import type { MessageDeleted } from '../../events/messages/message.events.js';
import { erasure } from '../../platform/consumers/erasure.js';

export const messageErasures = [
  erasure<MessageDeleted>({
    on: 'MessageDeleted',
    keyId: ({ data }) => data.keyId,
    heldBy: [messages, attachments],
  }),
];
