import { Inject } from '@nestjs/common';
import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import { reminders, remindersAdd } from '../../../projections/reminders/reminders.projection.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import { itemsById } from '../../platform/read-models/read-user-list.js';
import {
  type Addressee,
  type ClientEventWriter,
  type WriteBody,
  WritesClientEvents,
} from '../event-queues/client-event-writer.js';
import { ReminderTexts, reminderForClients } from './queries/reminder-texts.js';

/** Tells reminders as they are when the client event is sent, which may be later than the event. */
@WritesClientEvents()
export class ReminderClientEvents implements ClientEventWriter {
  readonly kinds = [remindersAdd];

  constructor(
    private readonly texts: ReminderTexts,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async prepare(events: readonly ClientEventDocument[], { reader }: Addressee): Promise<WriteBody> {
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
