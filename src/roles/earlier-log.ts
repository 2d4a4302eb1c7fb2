import { Logger } from '@nestjs/common';
import type { CommandRunner } from '../command-runner/command-runner.js';
import type { Engines } from '../config/engines.js';
import {
  EVENT_QUEUES_STREAM,
  type EventQueueEvent,
  type QueueExpired,
} from '../event-queues/domain/event-queues.events.js';
import { LogReplaced } from '../event-store/event-store.js';
import { newEventId } from '../kernel/new-event-id.js';
import { START } from '../kernel/position.js';
import { StartRefused } from '../kernel/start-refused.js';
import { PROCESSES_DATABASE } from '../processes/process.documents.js';
import { LOG_MARK_DATABASE, type LogMark } from './log-mark.js';
import { IDENTITY_DATABASE } from './organization-identity.js';

/** What is not made from the log, or needed to find out who makes it. */
const KEPT: ReadonlySet<string> = new Set([IDENTITY_DATABASE, LOG_MARK_DATABASE, PROCESSES_DATABASE]);
/** Whoever mends is done by then, or dead. */
const LONGEST_MENDING_MS = 120_000;

/**
 * Where the log is another one than the documents were made from, takes away what goes by the earlier one, before
 * anything is answered: documents and checkpoints, which are built anew, and the event queues, whose clients may have
 * been told what is not in the log, and would be told something else under the same ids. Keys and files stay.
 *
 * @throws StartRefused where another process is at it
 */
export async function leaveEarlierLog(
  mark: LogMark,
  engines: Engines,
  runner: CommandRunner,
  isShared: boolean,
): Promise<void> {
  if (await mark.holds()) return;
  const { message } = new LogReplaced();
  if (!(await mark.claim(isShared ? LONGEST_MENDING_MS : 0))) {
    throw new StartRefused(`${message}; another process takes those away: start again in a moment`);
  }
  const { documentStore } = engines;
  for (const name of await documentStore.databases()) if (!KEPT.has(name)) await documentStore.dropDatabase(name);
  const ended = await endQueues(runner);
  await mark.mended();
  new Logger('Start').warn(
    `${message}; documents are built anew from it, and ${ended} event queues have ended: clients register again`,
  );
}

async function endQueues(runner: CommandRunner): Promise<number> {
  const living = await livingQueues(runner);
  const by = { actorId: null, client: 'annals', correlationId: newEventId() };
  for (const queueId of living) {
    const expired: QueueExpired = { type: 'QueueExpired', data: { queueId } };
    await runner.report(EVENT_QUEUES_STREAM, expired, by);
  }
  return living.size;
}

async function livingQueues(runner: CommandRunner): Promise<ReadonlySet<string>> {
  const living = new Set<string>();
  for await (const { type, data } of runner.eventsSince<EventQueueEvent>({ position: START }, EVENT_QUEUES_STREAM)) {
    if (type === 'QueueRegistered') living.add(data.queueId);
    else living.delete(data.queueId);
  }
  return living;
}
