import type { Feature } from '../feature.js';
import { EMOJI_DATA_PATH, ZULIP_EMOJI_PATH } from '../markdown/emoji.js';
import { scheduleFailureNotices } from './consequences/direct-notices.js';
import { moveNoticing } from './consequences/move-noticing.js';
import { welcoming } from './consequences/welcoming.js';
import { messageRefusals } from './messages.refusals.js';

export const messagesFeature = {
  name: 'messages',
  refusals: messageRefusals,
  consequences: [moveNoticing, ...welcoming, scheduleFailureNotices],
  outside: [ZULIP_EMOJI_PATH, EMOJI_DATA_PATH],
  crossOrigin: [`/${EMOJI_DATA_PATH}`],
  describes: () => import('./http/messages.descriptions.js'),
  api: [
    () => import('./commands/delete-topic.handler.js'),
    () => import('./commands/delete-message.handler.js'),
    () => import('./commands/edit-message.handler.js'),
    () => import('./commands/move-messages.handler.js'),
    () => import('./commands/react.handlers.js'),
    () => import('./commands/send-message.handler.js'),
    () => import('./commands/update-message.handler.js'),
    () => import('./http/topics.controller.js'),
    () => import('./http/emoji-files.controller.js'),
    () => import('./http/messages.controller.js'),
    () => import('./http/message.controller.js'),
    () => import('./http/reactions.controller.js'),
    () => import('./http/get-messages.controller.js'),
    () => import('./queries/get-message-history.handler.js'),
    () => import('./queries/get-topics.handler.js'),
    () => import('./queries/reading/get-matching-messages.handler.js'),
    () => import('./queries/reading/get-messages-by-id.handler.js'),
    () => import('./queries/reading/get-messages.handler.js'),
    () => import('./queries/render-message.queries.js'),
    () => import('./services/content-writing.js'),
    () => import('./services/deletions.js'),
    () => import('./services/message-writing.js'),
    () => import('./services/notice-sending.js'),
    () => import('./services/message-rows.js'),
    () => import('./client-events/message-documents.js'),
    () => import('./client-events/message-narrowing.js'),
    () => import('./client-events/moved-messages.js'),
    () => import('./log/exactly-once.js'),
    () => import('./log/topic-spellings.js'),
    () => import('./messages.client-events.js'),
    () => import('./messages.register.js'),
  ],
} as const satisfies Feature;
