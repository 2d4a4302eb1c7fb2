import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord, WebhookRecord } from '../../../directory/directory.records.js';
import { messageRecord } from '../../messages/queries/records/message-record.js';
import type { WebhookTrigger } from '../domain/called-bots.js';

interface CallParts {
  readonly bot: UserRecord;
  readonly webhook: WebhookRecord;
  readonly message: MessageDocument;
  readonly trigger: WebhookTrigger;
}

interface CallPlace {
  readonly directory: Directory;
  /** The server's public URL. */
  readonly site: () => string;
}

interface CallBody {
  readonly contentType: string;
  readonly body: string;
}

const OPTIONS = { applyMarkdown: false, clientGravatar: false, allowEmptyTopicName: true } as const;

/** A call in this API's own form, as published. */
export function nativeCall({ bot, webhook, message, trigger }: CallParts, { directory }: CallPlace): CallBody {
  const { content_type: _type, ...record } = messageRecord(message, OPTIONS, directory);
  const body = {
    data: message.text ?? '',
    message: { ...record, rendered_content: message.rendered ?? '' },
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    token: webhook.token,
    trigger,
  };
  return { contentType: 'application/json', body: JSON.stringify(body) };
}

/** A call in Slack's form, about a message in a channel. */
export function slackCall({ bot, webhook, message, trigger }: CallParts, { directory, site }: CallPlace): CallBody {
  const record = messageRecord(message, OPTIONS, directory);
  const time = String(record.timestamp);
  const body = new URLSearchParams({
    token: webhook.token,
    team_id: 'T1',
    team_domain: new URL(site()).host,
    channel_id: `C${record.stream_id ?? 0}`,
    channel_name: String(record.display_recipient),
    thread_ts: time,
    timestamp: time,
    user_id: `U${record.sender_id}`,
    user_name: record.sender_full_name,
    text: message.text ?? '',
    trigger_word: trigger,
    service_id: String(bot._id),
  });
  return { contentType: 'application/x-www-form-urlencoded', body: body.toString() };
}
