import { DELETED_MESSAGES, MESSAGES, messages } from '../../../projections/messages/messages.projection.js';
import { Facts } from '../../directory/facts.js';
import type { Position } from '../../platform/kernel/position.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { MAX_CHANNEL_DESCRIPTION, MAX_CHANNEL_NAME } from './domain/channel-words.js';
import { firstMessageIdsThrough } from './queries/first-message-ids.js';
import { channelState, seenChannels } from './register/channel-state.js';

const LIMITS = {
  max_stream_name_length: MAX_CHANNEL_NAME,
  max_stream_description_length: MAX_CHANNEL_DESCRIPTION,
} as const;

@ReadsState()
export class ChannelStateReader implements StateReader {
  readonly sources = [messages];

  constructor(private readonly facts: Facts) {}

  parts({ reader, request, isWanted }: RegisterContext): StateParts {
    const channels = isWanted('subscription') || isWanted('stream') ? seenChannels(reader, this.facts.directory) : [];
    const of = async (part: 'subscription' | 'stream', through: Position): Promise<object> => {
      const ids = channels.map(({ record }) => record._id);
      const first = await firstMessageIdsThrough(this.facts.readModels, ids, through, [MESSAGES, DELETED_MESSAGES]);
      return channelState(channels, first, request, this.facts.directory)[part];
    };
    return {
      organization: { realm: () => LIMITS },
      messages: { subscription: (through) => of('subscription', through), stream: (through) => of('stream', through) },
    };
  }
}
