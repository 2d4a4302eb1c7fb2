import { applyDecorators, Injectable, SetMetadata, type Type } from '@nestjs/common';
import type { ClientEventKind } from '../../../projections/client-events/client-event.js';
import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues/event-queues.projection.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { QueueNarrow } from '../../events/event-queues/event-queues.events.js';

/**
 * Writes the client events whose bodies differ by reader or by the queue's options. The class of a writer is
 * decorated by `WritesClientEvents`. A kind whose document holds the body (`StaticClientEvent`) needs no writer.
 */
export interface ClientEventWriter {
  readonly kinds: readonly ClientEventKind[];
  /**
   * Loads the data that the events' documents lack, for all of them at once.
   * @param events of the writer's kinds, in their order, at least one
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  prepare(events: readonly ClientEventDocument[], to: ServedQueue): WriteBody | Promise<WriteBody>;
  /** Set if queues can narrow the writer's events; at most one writer sets it. */
  readonly narrowing?: QueueNarrowing;
  /** Drops cached texts that the events have changed. Called before the events are delivered. */
  forget?(events: readonly ClientEventDocument[]): void;
}

/** The queue that the events are written for. */
export interface ServedQueue {
  readonly reader: UserRecord;
  readonly queue: EventQueueDocument;
  readonly variant: Variant;
}

/** Options of the queue that change the bodies of events. */
export interface Variant {
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  readonly allowEmptyTopicName: boolean;
  readonly includeSubscribers: boolean;
  readonly notificationSettingsNull: boolean;
}

/** @returns a JSON object without `id`, not empty; null if the event has nothing for the reader */
export type WriteBody = (event: ClientEventDocument) => string | null | readonly NumberedBody[];

/** One of several bodies of one event. The last has the event's id; the others have unused ids below it. */
export interface NumberedBody {
  readonly id: number;
  readonly body: string;
}

/** Applies the narrow of a queue to the events of a writer. */
export interface QueueNarrowing {
  /** The narrow in its stored form. @throws DomainError BAD_NARROW, INVALID_PARAMETER */
  parse(narrow: unknown, reader: UserRecord): QueueNarrow;
  /** Called once for each queue. null: the narrow passes every event. */
  filterFor(queue: EventQueueDocument): ((event: ClientEventDocument) => boolean) | null;
}

/** Nest token: every writer of every feature. */
export const CLIENT_EVENT_WRITERS = Symbol('ClientEventWriters');

/** Marks the class of a writer, and makes it injectable. */
export const WritesClientEvents = (): ((writer: Type<ClientEventWriter>) => void) =>
  applyDecorators(Injectable(), SetMetadata(CLIENT_EVENT_WRITERS, true));
