import { topicNamed } from '../../../events/messages/topic-name.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { SetTyping } from '../domain/set-typing.js';
import type { TypingParameters } from './typing.parameters.js';

export function typingTo({ type, to, stream_id, topic }: TypingParameters): SetTyping['to'] {
  if (type === 'direct')
    return { type, userIds: [...new Set(to ?? refuse('REQUEST_VARIABLE_MISSING', { var_name: 'to' }))] };
  const channelId = stream_id ?? refuse('CHANNEL_ID_MISSING');
  return { type: 'channel', channelId, topic: topicNamed(topic ?? refuse('TOPIC_MISSING')) };
}
