import { Logger } from '@nestjs/common';
import { isProjectionDatabase } from '../../../projections/runner/projection-record.js';
import type { DamagedDocuments } from '../../platform/documents/document-store.js';

const BUILT = 'everything in it is built anew from the log';
const TRIED_AGAIN = 'events that were passed over in it are not tried again';
const NOT_SENT = 'for earlier events that were not sent yet are lost';

/** What becomes of each database that is no projection's, and what is lost with it. */
const OUTCOMES: Readonly<Record<string, string>> = {
  'api-key-uses': 'when API keys were last used is not known: each counts as used now',
  checkpoints: 'it is begun anew, and what was signed is known from the file of checkpoints and from the tree',
  'deleted-words': `all deletions are carried out again, and ${TRIED_AGAIN}`,
  'event-queue-activity': 'when event queues were last asked is not known: each counts as asked now',
  'familiar-addresses': 'the addresses of earlier logins are not known: each counts as new',
  'log-mark': 'it is begun anew, and the documents alone tell whether the log is the same',
  'login-attempts': 'failed logins are counted anew',
  mails: 'mails that waited in it are not sent: have invitations mailed again, and ask for other links again',
  presence: 'who is online is known when clients tell it again',
  'process-managers': `consequences of all events are looked for again, and ${TRIED_AGAIN}`,
  processes: 'it is begun anew',
  pusher: `it is begun anew: push notifications ${NOT_SENT}`,
  pushes: 'push notifications that waited in it are not sent',
  reactors: `it is begun anew: mails ${NOT_SENT}`,
  registry: 'all documents are built anew from the log',
  transparency: 'the tree is built anew from the log',
  verification: 'the result of the last verification is not known',
  'webhook-calls': 'calls of webhooks that waited in it are not made',
  webhooks: `it is begun anew: calls of webhooks for earlier events that were not made yet are lost`,
};

/** Says that a file of documents was damaged, and what is lost with it. */
export const damagedLine = ({ name, path, reason }: DamagedDocuments): string =>
  `${path} was damaged and is removed (${reason}): ${outcomeOf(name)}`;

export const tellDamaged = (damaged: DamagedDocuments): void => new Logger('Start').warn(damagedLine(damaged));

/** @returns what becomes of a damaged database; unknown names are of later versions, or of none */
export const outcomeOf = (name: string): string =>
  isProjectionDatabase(name) ? BUILT : (OUTCOMES[name] ?? 'it is begun anew');
