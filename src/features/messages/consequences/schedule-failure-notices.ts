import type { ScheduledMessageFailed } from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { isActive, sendNotice } from './direct-notices.js';

/** Causes of failures, by code. None names anybody: the message is not sealed under the scheduled message's key. */
const CAUSES: ReadonlyMap<string, string> = new Map([
  ['SENT_TOO_LATE', 'Message could not be sent at the scheduled time.'],
  ['STREAM_DOES_NOT_EXIST', 'The channel does not exist, or you cannot see it.'],
  ['CHANNEL_ARCHIVED', 'The channel is archived.'],
  ['NOT_AUTHORIZED', 'You are not allowed to post in the channel.'],
  ['RECIPIENT_DEACTIVATED', 'A recipient is no longer using this organization.'],
  ['DIRECT_MESSAGES_DISABLED', 'Direct messages are disabled in this organization.'],
]);

const OTHER_CAUSE = 'The message is not allowed there any more.';

/** Tells writers that a message which they had scheduled was not sent. Deactivated ones are told nothing. */
export const scheduleFailureNotices = processManager<ScheduledMessageFailed>({
  name: 'schedule-failure-notices',
  on: 'ScheduledMessageFailed',
  appends: ['MessageSent'],
  react: async (event, runner) => {
    const { userId, sendAt, reason } = event.data;
    if (!(await isActive(userId, runner))) return event.position;
    const time = new Date(sendAt).toISOString().replace('.000Z', 'Z');
    const text = `The message you scheduled for <time:${time}> was not sent because of the following error:

> ${CAUSES.get(reason) ?? OTHER_CAUSE}

[View scheduled messages](#scheduled)`;
    const id = derivedId('schedule-failure-notice', event.id);
    return sendNotice({ id, readerId: userId, text }, event, runner);
  },
});
