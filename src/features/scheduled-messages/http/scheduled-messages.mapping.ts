import { refuse } from '../../../platform/kernel/deciding.js';
import type { Addressee } from '../../messages/domain/send-message.js';
import type { ScheduleChanges } from '../domain/edit-scheduled-message.js';
import { addresseeWith } from '../domain/written-schedule.js';
import type {
  EditScheduledMessageParameters,
  ScheduledType,
  ScheduleMessageParameters,
} from './scheduled-messages.parameters.js';

const kindOf = (type: ScheduledType): Addressee['type'] =>
  type === 'direct' || type === 'private' ? 'direct' : 'channel';

/** @throws DomainError ONE_CHANNEL_EXPECTED */
export const addresseeOf = ({ type, to, topic }: ScheduleMessageParameters): Addressee =>
  addresseeWith(kindOf(type), [to].flat(), topic ?? null);

/** @throws DomainError SCHEDULE_UNCHANGED */
export function changesOf(parameters: EditScheduledMessageParameters): ScheduleChanges {
  const { type, to, topic, content, scheduled_delivery_timestamp: seconds } = parameters;
  const changes = {
    ...(type !== undefined && { type: kindOf(type) }),
    ...(to !== undefined && { to: [to].flat() }),
    ...(topic !== undefined && { topic }),
    ...(content !== undefined && { content }),
    ...(seconds !== undefined && { sendAt: seconds * 1000 }),
  };
  if (Object.keys(changes).length === 0) refuse('SCHEDULE_UNCHANGED');
  return changes;
}
