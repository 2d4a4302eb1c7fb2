import type { ScheduledMessageDeleted } from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { ScheduledMessagesState } from './scheduled-messages.state.js';

export class DeleteScheduledMessage extends Command<{ userId: number; scheduleId: number }> {}

export const decideDeleteScheduledMessage: Decide<
  DeleteScheduledMessage,
  ScheduledMessagesState,
  ScheduledMessageDeleted
> = ({ userId, scheduleId }, { byId }) => {
  const { keyId, status } = byId.get(scheduleId) ?? refuse('SCHEDULE_NOT_FOUND');
  if (status === 'sending') refuse('SCHEDULE_SENT');
  return [{ type: 'ScheduledMessageDeleted', data: { userId, scheduleId, keyId } }];
};
