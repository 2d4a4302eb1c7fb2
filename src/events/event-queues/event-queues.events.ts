import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import type { Position } from '../../platform/kernel/position.js';
import { concernsNobody, concernsUser } from '../shared/concerned.js';

export const EVENT_QUEUES_STREAM = 'eventQueues';

/** A condition on messages: of a narrow's `required` or `excluded` ones. */
export type QueueNarrowCondition =
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'topic'; readonly topicKey: string }
  | { readonly kind: 'conversation'; readonly dmKey: string }
  | { readonly kind: 'direct' }
  | { readonly kind: 'participants'; readonly userIds: readonly number[]; readonly isGroup: boolean }
  | { readonly kind: 'resolved' }
  | { readonly kind: 'sender'; readonly userId: number }
  | { readonly kind: 'id'; readonly messageId: number }
  | { readonly kind: 'unread' }
  | { readonly kind: 'starred' }
  | { readonly kind: 'mentioned' }
  | { readonly kind: 'alerted' };

export interface QueueNarrow {
  readonly required: readonly QueueNarrowCondition[];
  readonly excluded: readonly QueueNarrowCondition[];
}

/** A client has an event queue from now on. */
export type QueueRegistered = DomainEvent<
  'QueueRegistered',
  {
    readonly queueId: string;
    readonly userId: number;
    /** null: every type. */
    readonly eventTypes: readonly string[] | null;
    /** Messages outside are not delivered. Names became ids at registration: a later renaming changes nothing. */
    readonly narrow: QueueNarrow;
    readonly allPublicChannels: boolean;
    readonly applyMarkdown: boolean;
    readonly clientGravatar: boolean;
    readonly slimPresence: boolean;
    readonly includeSubscribers: boolean;
    readonly clientCapabilities: Readonly<Record<string, boolean>>;
    /** The position at which each part of the returned state was read (D10). */
    readonly statePositions: Readonly<Record<string, Position>>;
    /** The lowest of `statePositions`: events after it are the queue's. */
    readonly startsAfter: Position;
  }
>;

/** A client has ended its event queue. */
export type QueueDeleted = DomainEvent<'QueueDeleted', { readonly queueId: string }>;

/** An event queue has ended, because nobody polled it or the log was restored. */
export type QueueExpired = DomainEvent<'QueueExpired', { readonly queueId: string }>;

export type EventQueueEvent = QueueRegistered | QueueDeleted | QueueExpired;

export const eventQueueEvents = [
  defineEvent<QueueRegistered>({
    type: 'QueueRegistered',
    concerns: concernsUser,
    unsealed: { eventTypes: 'names that the API knows' },
  }),
  defineEvent<QueueDeleted>({ type: 'QueueDeleted', concerns: concernsNobody }),
  defineEvent<QueueExpired>({ type: 'QueueExpired', concerns: concernsNobody }),
];
