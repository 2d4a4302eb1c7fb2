import { MESSAGES_STREAM } from '../../../events/messages/messages.events.js';
import type { ScheduledMessageFailed } from '../../../events/scheduled-messages/scheduled-messages.events.js';
import type { SystemBot } from '../../../events/shared/system-bots.js';
import { USERS_STREAM } from '../../../events/users/users.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { Position } from '../../../platform/kernel/position.js';
import { type NameFacts, NO_CONTENT_FACTS, NO_NAMES } from '../../markdown/content-facts.js';
import { users } from '../../users/domain/users.state.js';
import { contentOf } from '../domain/message-content.js';
import { directNotice } from '../domain/send-message.js';

/** A direct message from an account of the server's own. */
interface DirectNotice {
  /** Derived from the event that causes it: it is sent once. */
  readonly id: string;
  readonly readerId: number;
  /** Absent: the Notification Bot. */
  readonly sender?: SystemBot;
  readonly text: string;
  /** Finds users whom the text mentions; absent: it mentions nobody. */
  readonly userById?: NameFacts['userById'];
}

/** @returns the position at which all readers can be expected to have it */
export async function sendNotice(
  { id, readerId, sender, text, userById = NO_NAMES.userById }: DirectNotice,
  cause: Recorded,
  runner: CommandRunner,
): Promise<Position> {
  const content = contentOf(text, { ...NO_CONTENT_FACTS, names: { ...NO_NAMES, userById } });
  const notice = directNotice(readerId, content, sender);
  const by = { actorId: null, client: 'Internal', correlationId: cause.metadata.correlationId };
  return (await runner.reportFollowing(MESSAGES_STREAM, notice, by, { id, cause })).position;
}

/** Whether the account may read a notice. */
export async function mayReadNotices(userId: number, runner: CommandRunner): Promise<boolean> {
  const { byId } = await runner.stateOf({ stream: USERS_STREAM, decider: users });
  return byId.get(userId)?.status === 'active';
}

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
    if (!(await mayReadNotices(userId, runner))) return event.position;
    const time = new Date(sendAt).toISOString().replace('.000Z', 'Z');
    const text = `The message you scheduled for <time:${time}> was not sent because of the following error:

> ${CAUSES.get(reason) ?? OTHER_CAUSE}

[View scheduled messages](#scheduled)`;
    const id = derivedId('schedule-failure-notice', event.id);
    return sendNotice({ id, readerId: userId, text }, event, runner);
  },
});
