import type { UserRecord } from '../../../directory/directory.records.js';
import { ListInTurns } from '../../../platform/kernel/list-in-turns.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { type ReminderForClients, ReminderTexts, reminderForClients } from './reminder-texts.js';

/** All reminders of a user that are not sent, the next first. */
export class GetReminders extends Query<{ reader: UserRecord }, Iterable<ReminderForClients>> {}

export const reminderQueries = [
  answersFrom(GetReminders, ReminderTexts, async ({ reader }, texts) => {
    const { written } = await texts.ofUser(reader);
    return new ListInTurns(written, reminderForClients);
  }),
];
