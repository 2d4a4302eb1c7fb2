import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsNobody } from '../shared/concerned.js';

/** What the server says about its own log (D15). */
export const TRANSPARENCY_STREAM = 'transparency';

/**
 * The log was restored and lacks events that a signed checkpoint covers, or differs from it. Its operator has accepted
 * that, and the log goes on under another name. Each event replaces the one before.
 */
export type RestoredLogAccepted = DomainEvent<
  'RestoredLogAccepted',
  {
    /** The checkpoint that the log contradicts. */
    readonly origin: string;
    readonly size: number;
    /** Base64. */
    readonly root: string;
    /** The end of the name under which the log goes on. */
    readonly name: string;
  }
>;

/**
 * Keys were there at a start whose content had been deleted before: a backup has brought them back, or they could not be
 * destroyed. They are destroyed.
 */
export type DeletedKeysFound = DomainEvent<'DeletedKeysFound', { readonly keys: number }>;

/**
 * Keys of the newest content were missing at a start, and no event tells that they were destroyed: they are older than the
 * log. The operator has accepted that. The content of all events before this one may lack its keys from then on.
 */
export type MissingKeysAccepted = DomainEvent<
  'MissingKeysAccepted',
  {
    /** How many of the keys were missing that the start looked for. */
    readonly keys: number;
    readonly of: number;
    /** Id of the newest event whose key is missing. */
    readonly newestEvent: string;
  }
>;

/** An event cannot be read. An operator has passed it over: everything goes on as if it were not there. */
export type EventSkipped = DomainEvent<
  'EventSkipped',
  {
    readonly stream: string;
    readonly revision: number;
    readonly position: number;
    /** As the damaged event has them. */
    readonly id: string;
    readonly type: string;
    readonly reason: string;
  }
>;

/**
 * Another key or another name signs the checkpoints of the log from now on. Appended before its first checkpoint is
 * signed. The log's first signer has no event.
 */
export type LogSignerChanged = DomainEvent<
  'LogSignerChanged',
  {
    /** The name of the log. */
    readonly previousOrigin: string;
    /** The verifier key, as in signed notes. The name is part of it. */
    readonly previousVerifier: string;
    readonly origin: string;
    readonly verifier: string;
  }
>;

/**
 * The log, its keys and its files were restored from a backup. What was done after the backup is lost, and all event
 * queues end.
 */
export type BackupRestored = DomainEvent<
  'BackupRestored',
  {
    /** Id of the backup. */
    readonly backup: string;
    /** Milliseconds since 1970. */
    readonly madeAt: number;
    /** Number of events in the backup. */
    readonly events: number;
  }
>;

export type TransparencyEvent =
  | RestoredLogAccepted
  | DeletedKeysFound
  | MissingKeysAccepted
  | EventSkipped
  | LogSignerChanged
  | BackupRestored;

export const transparencyEvents = [
  defineEvent<DeletedKeysFound>({ type: 'DeletedKeysFound', concerns: concernsNobody }),
  defineEvent<MissingKeysAccepted>({ type: 'MissingKeysAccepted', concerns: concernsNobody }),
  defineEvent<EventSkipped>({ type: 'EventSkipped', concerns: concernsNobody }),
  defineEvent<RestoredLogAccepted>({ type: 'RestoredLogAccepted', concerns: concernsNobody }),
  defineEvent<LogSignerChanged>({ type: 'LogSignerChanged', concerns: concernsNobody }),
  defineEvent<BackupRestored>({ type: 'BackupRestored', concerns: concernsNobody }),
];
