import { ROLES } from '../../src/events/shared/role.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Audience, type ClientEventDocument, clientEventId, type StatePart } from './client-events.documents.js';

/** A kind of client events: one row, beside the rule that tells it. */
export interface ClientEventKind<Payload extends object = object, Kind extends string = string> {
  readonly kind: Kind;
  /**
   * Place under the domain event, in the order in which clients get its client events. A literal: a version that tells
   * one more kind puts it between, and every id that a client holds stays the same (D10).
   */
  readonly rank: number;
  readonly part: StatePart;
  /** A type that tells the same in a newer way: clients that ask for it by name do not get this one. */
  readonly replacedBy?: string;
  is(event: ClientEventDocument): event is ClientEventDocument<Payload, Kind>;
}

/** The documents of a kind: `ClientEventOf<typeof message>`. */
export type ClientEventOf<Row> =
  Row extends ClientEventKind<infer Payload, infer Kind> ? ClientEventDocument<Payload, Kind> : never;

/** A kind whose bodies differ from reader to reader, or with what a client has asked for. */
export interface ReaderEventKind<Payload extends object, Kind extends string> extends ClientEventKind<Payload, Kind> {
  /** @param nth from 0, where several of a kind have one cause */
  of(event: Recorded, audience: Audience, payload: Payload, nth?: number): ClientEventDocument<Payload, Kind>;
}

/** A body that is the same for everybody: the published fields, but for `type`, `op` and `id`. */
export interface StaticClientEvent<Body extends object = object> {
  readonly body: Body;
  /** For clients without a capability, another event instead of this one; null: none. */
  readonly without?: { readonly capability: string; readonly instead: Instead | null };
  /** The capability of clients that are told otherwise: they do not get this. */
  readonly unless?: string;
}

export interface Instead<Body extends object = object> {
  readonly kind: string;
  readonly body: Body;
}

export type StaticOptions = Pick<StaticClientEvent, 'without' | 'unless'> & { readonly nth?: number };

/** A kind that is told as it stands. */
export interface StaticEventKind<Body extends object, Kind extends string>
  extends ClientEventKind<StaticClientEvent<Body>, Kind> {
  /** @param options `nth`: from 0, where several of a kind have one cause */
  of(
    event: Recorded,
    audience: Audience,
    body: Body,
    options?: StaticOptions,
  ): ClientEventDocument<StaticClientEvent<Body>, Kind>;
  /** The same told to clients that do not know of another event. */
  instead(body: Body): Instead<Body>;
}

type Row<Kind extends string> = Pick<ClientEventKind<object, Kind>, 'kind' | 'rank' | 'replacedBy'> & {
  /** `organization` unless it says otherwise. */
  readonly part?: StatePart;
};

/**
 * @example export const draftsAdd = clientEvent<DraftsPayload>()({ kind: 'drafts/add', rank: 1024, part: 'drafts' });
 */
export const clientEvent =
  <Payload extends object>() =>
  <const Kind extends string>({ part = 'organization', ...row }: Row<Kind>): ReaderEventKind<Payload, Kind> => ({
    ...row,
    part,
    is: isOf(row.kind),
    of: (event, audience, payload, nth = 0) => documentOf({ ...row, part }, event, audience, payload, nth),
  });

/** @example export const draftsRemove = staticClientEvent<{ readonly draft_id: number }>()({ … }); */
export const staticClientEvent =
  <Body extends object>() =>
  <const Kind extends string>({ part = 'organization', ...row }: Row<Kind>): StaticEventKind<Body, Kind> => ({
    ...row,
    part,
    is: isOf(row.kind),
    of: (event, audience, body, { nth = 0, ...rest } = {}) =>
      documentOf({ ...row, part }, event, audience, { body, ...rest }, nth),
    instead: (body) => ({ kind: row.kind, body }),
  });

const isOf =
  <Payload extends object, Kind extends string>(kind: Kind) =>
  (event: ClientEventDocument): event is ClientEventDocument<Payload, Kind> =>
    event.kind === kind;

function documentOf<Payload extends object, Kind extends string>(
  { kind, rank, part }: Pick<ClientEventKind<Payload, Kind>, 'kind' | 'rank' | 'part'>,
  event: Recorded,
  audience: Audience,
  payload: Payload,
  nth: number,
): ClientEventDocument<Payload, Kind> {
  const { position, metadata } = event;
  return { _id: clientEventId(position, rank + nth), position, kind, part, audience, at: metadata.at, payload };
}

export const EVERYONE: Audience = { everyone: true };

export const ALL_BUT_GUESTS: Audience = { roles: [ROLES.owner, ROLES.administrator, ROLES.moderator, ROLES.member] };
