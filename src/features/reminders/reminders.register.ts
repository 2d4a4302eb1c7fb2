import { ListInTurns } from '../../platform/kernel/list-in-turns.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { ReminderTexts, reminderForClients, type WrittenReminder } from './queries/reminder-texts.js';

/** The published response has the id under the name of scheduled messages' ids; clients look for the other fields. */
const inRegister = (written: WrittenReminder) => ({
  scheduled_message_id: written.reminder.reminderId,
  ...reminderForClients(written),
});

const PART = 'reminders';

/** The reader's reminders, which quote messages as they are now. */
@ReadsState()
export class ReminderStateReader implements StateReader {
  constructor(private readonly texts: ReminderTexts) {}

  parts({ reader }: RegisterContext): StateParts {
    return {
      own: {
        part: PART,
        names: [PART],
        read: async (_names, at) => {
          const { written, position } = await this.texts.ofUser(reader, at);
          return { state: { reminders: new ListInTurns(written, inRegister) }, position };
        },
      },
    };
  }
}
