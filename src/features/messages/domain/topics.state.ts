import type { TopicsEvent } from '../../../events/messages/topics.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';

/**
 * The moves out of a channel's topics. The places of messages are not decided on: a move names one message, and the
 * messages that go with it follow from the log (D5). The stream's revision orders moves.
 */
export interface TopicsState {
  readonly moves: number;
}

export const topicsOfChannel: Decider<TopicsState, TopicsEvent> = {
  initialState: { moves: 0 },
  evolve: ({ moves }) => ({ moves: moves + 1 }),
};
