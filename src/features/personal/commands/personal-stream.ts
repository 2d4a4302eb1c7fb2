import { type PersonalEvent, personalStream } from '../../../events/personal/personal.events.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { type PersonalState, personal } from '../domain/personal.state.js';

/** The stream of facts that concern one user alone. */
export const personalStreamOf = ({
  userId,
}: {
  readonly userId: number;
}): CommandStream<PersonalState, PersonalEvent> => ({
  stream: personalStream(userId),
  decider: personal,
  expects: 'any',
});
