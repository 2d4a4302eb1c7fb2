import { Logger } from '@nestjs/common';
import {
  EVENT_QUEUES_STREAM,
  type EventQueueEvent,
  type QueueExpired,
} from '../../events/event-queues/event-queues.events.js';
import { TRANSPARENCY_STREAM, type TransparencyEvent } from '../../events/transparency/transparency.events.js';
import { PROCESSES_DATABASE } from '../../platform/cluster/process.documents.js';
import type { CommandRunner } from '../../platform/commands/command-runner.js';
import type { Engines } from '../../platform/engines/engines.js';
import { newEventId } from '../../platform/kernel/ids.js';
import { START } from '../../platform/kernel/position.js';
import { StartRefused } from '../../platform/kernel/start-refused.js';
import { type EventStore, LogReplaced } from '../../platform/log/event-store.js';
import { CHECKPOINTS_DATABASE } from '../../platform/transparency/checkpoint.documents.js';
import { keepSignedHead } from '../../platform/transparency/checkpoint-store.js';
import { LOG_LINEAGE_DATABASE, type LogLineage } from './log-lineage.js';
import { IDENTITY_DATABASE } from './organization-identity.js';

/** Databases that are not made from the log, or tell which processes make them, or what was said of an earlier log. */
const KEPT: ReadonlySet<string> = new Set([
  IDENTITY_DATABASE,
  LOG_LINEAGE_DATABASE,
  PROCESSES_DATABASE,
  CHECKPOINTS_DATABASE,
]);
/** Time after which a process that removes an earlier lineage is done or dead. */
const LONGEST_MENDING_MS = 120_000;

/**
 * Removes everything that was made from an earlier log, before any request is answered; does nothing if the log is
 * still the same. Documents and checkpoints are built anew. Event queues end: their clients may have got events that
 * the log lacks, and other events would get the same ids. Keys and files stay.
 *
 * @throws StartRefused while another process does the same
 */
export async function leaveEarlierLineage(
  lineage: LogLineage,
  engines: Engines,
  runner: CommandRunner,
  isShared: boolean,
): Promise<void> {
  if (await lineage.holds()) return;
  const { message } = new LogReplaced();
  if (!(await lineage.claim(isShared ? LONGEST_MENDING_MS : 0))) {
    throw new StartRefused(`${message}; another process takes those away: start again in a moment`);
  }
  const { documentStore } = engines;
  const isExpected = await isJustRestored(engines.eventStore);
  await keepSignedHead(documentStore);
  for (const name of await documentStore.databases()) if (!KEPT.has(name)) await documentStore.dropDatabase(name);
  const ended = await endQueues(runner);
  await lineage.mended();
  const log = new Logger('Start');
  // An operator who restores a backup knows it.
  const level = isExpected ? 'log' : 'warn';
  log[level](
    `${message}; documents are built anew from it, and ${ended} event queues have ended: clients register again`,
  );
  log[level]('mails that waited are not sent: have invitations mailed again, and ask for other links again');
}

/** Ends all event queues. @returns how many there were */
export async function endQueues(runner: CommandRunner): Promise<number> {
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

const PAGE = 500;
/** What is appended before a restored log serves. */
const AFTERWARDS: ReadonlySet<string> = new Set<(EventQueueEvent | TransparencyEvent)['type']>([
  'QueueExpired',
  'BackupRestored',
  'DeletedKeysFound',
  'EventSkipped',
  'LogSignerChanged',
  'MissingKeysAccepted',
  'RestoredLogAccepted',
]);

/** Tells whether `annals restore` has made this log, and no server has served it since. @throws EventStoreUnavailable */
export async function isJustRestored(eventStore: Pick<EventStore, 'readStream' | 'readAll'>): Promise<boolean> {
  const restored = (await eventStore.readStream(TRANSPARENCY_STREAM)).findLast(({ type }) => type === 'BackupRestored');
  if (!restored) return false;
  for (let after = restored.position; ; ) {
    const page = await eventStore.readAll({ after, limit: PAGE });
    if (page.events.some(({ type }) => !AFTERWARDS.has(type))) return false;
    if (page.caughtUp) return true;
    after = page.position;
  }
}
