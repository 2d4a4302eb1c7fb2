import type { Decider } from '../../kernel/decider.js';
import type { TopicsEvent } from './topics.events.js';

/**
 * What has left a channel's topics. Which messages are where is not decided on: a move names one message and what it
 * takes with it follows from the log (D5). The stream's revision is what orders moves.
 */
export interface TopicsState {
  readonly moves: number;
}

export const topicsOfChannel: Decider<TopicsState, TopicsEvent> = {
  initialState: { moves: 0 },
  evolve: ({ moves }) => ({ moves: moves + 1 }),
};
