import { Inject } from '@nestjs/common';
import { type ClientEventDocument, positionOf } from '../../../../projections/client-events/client-events.documents.js';
import { reminders, remindersAdd } from '../../../../projections/reminders/reminders.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { ListInTurns } from '../../../platform/kernel/in-turns.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { itemsById } from '../../../platform/read-models/read-user-list.js';
import {
  type ClientEventWriter,
  type ServedQueue,
  type WriteBody,
  WritesClientEvents,
} from '../../event-queues/client-event-writer.js';
import {
  ReadsState,
  type RegisterContext,
  type StateParts,
  type StateReader,
} from '../../event-queues/state-reader.js';
import {
  type ReminderForClients,
  ReminderTexts,
  reminderForClients,
  type WrittenReminder,
} from '../services/reminder-texts.js';

/** All reminders of a user that are not sent, the next first. */
export class GetReminders extends Query<{ reader: UserRecord }, Iterable<ReminderForClients>> {}

export const reminderQueries = [
  answersFrom(GetReminders, ReminderTexts, async ({ reader }, texts) => {
    const { written } = await texts.ofUser(reader);
    return new ListInTurns(written, reminderForClients);
  }),
];

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

/** Tells reminders as they are when the client event is sent, which may be later than the event. */
@WritesClientEvents()
export class ReminderClientEvents implements ClientEventWriter {
  readonly kinds = [remindersAdd];

  constructor(
    private readonly texts: ReminderTexts,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async prepare(events: readonly ClientEventDocument[], { reader }: ServedQueue): Promise<WriteBody> {
    const added = events.filter(remindersAdd.is);
    await this.readModels.waitFor([reminders], positionOf(added.at(-1)?._id ?? 0));
    const ids = added.map(({ payload }) => payload.reminderId);
    const written = await this.texts.written(await itemsById(reminders, reader._id, ids, this.readModels), reader);
    const byId = new Map(written.map((one) => [one.reminder.reminderId, one]));
    return (event) => {
      const one = remindersAdd.is(event) ? byId.get(event.payload.reminderId) : undefined;
      // If it is sent or deleted, a later event tells so.
      return one ? JSON.stringify({ type: 'reminders', op: 'add', reminders: [reminderForClients(one)] }) : null;
    };
  }
}
