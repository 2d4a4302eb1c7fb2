import { ROLES } from '../../src/events/shared/role.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Audience, type ClientEventDocument, clientEventId, type StatePart } from './client-events.documents.js';

/** A kind of client events, in one row beside the rule that emits it. */
export interface ClientEventKind<Payload extends object = object, Kind extends string = string> {
  readonly kind: Kind;
  /**
   * Place in the order in which clients get the client events of one domain event. Ranks are literals with gaps, so that a
   * new kind fits between two others. They never change, so ids that clients hold stay valid (D10).
   */
  readonly rank: number;
  readonly part: StatePart;
  /** Newer type with the same information. Clients that ask for the newer type do not get this kind. */
  readonly replacedBy?: string;
  is(event: ClientEventDocument): event is ClientEventDocument<Payload, Kind>;
}

/** The documents of a kind: `ClientEventOf<typeof message>`. */
export type ClientEventOf<Row> =
  Row extends ClientEventKind<infer Payload, infer Kind> ? ClientEventDocument<Payload, Kind> : never;

/** A kind whose body differs by reader, or by what the client asked for. */
export interface ReaderEventKind<Payload extends object, Kind extends string> extends ClientEventKind<Payload, Kind> {
  /** @param nth number among the client events of this kind for one cause, from 0 */
  of(event: Recorded, audience: Audience, payload: Payload, nth?: number): ClientEventDocument<Payload, Kind>;
}

/** A body that is the same for all readers: the published fields without `type`, `op` and `id`. */
export interface StaticClientEvent<Body extends object = object> {
  readonly body: Body;
  /** `instead` is the client event for clients without the capability; null if they get none. */
  readonly without?: { readonly capability: string; readonly instead: Instead | null };
  /** Clients with this capability do not get the event: they get the same information in another one. */
  readonly unless?: string;
}

interface Instead<Body extends object = object> {
  readonly kind: string;
  readonly body: Body;
}

type StaticOptions = Pick<StaticClientEvent, 'without' | 'unless'> & { readonly nth?: number };

/** A kind whose body is stored complete. */
export interface StaticEventKind<Body extends object, Kind extends string>
  extends ClientEventKind<StaticClientEvent<Body>, Kind> {
  /** @param options `nth`: number among the client events of this kind for one cause, from 0 */
  of(
    event: Recorded,
    audience: Audience,
    body: Body,
    options?: StaticOptions,
  ): ClientEventDocument<StaticClientEvent<Body>, Kind>;
  /** Makes the body that replaces another event for clients without a capability. */
  instead(body: Body): Instead<Body>;
}

type Row<Kind extends string> = Pick<ClientEventKind<object, Kind>, 'kind' | 'rank' | 'replacedBy'> & {
  /** Default: `organization`. */
  readonly part?: StatePart;
};

/** @example export const draftsAdd = clientEvent<DraftsPayload>()({ kind: 'drafts/add', rank: 1024, part: 'drafts' }); */
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
