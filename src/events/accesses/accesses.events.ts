import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsNobody, concernsUser } from '../shared/concerned.js';

/** Uses of the server that change nothing (D24). No state is folded from them. */
export const ACCESSES_STREAM = 'accesses';

/** The same thing, done once or more often by the same account from the same address. The metadata are those of the first time. */
export interface Times {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Somebody has got an API key for a password. `ApiKeyIssued` of the same request has the key's hash. */
export type LoggedIn = DomainEvent<'LoggedIn', { readonly userId: number } & Times>;

/** What was tried. */
export type LoginSecret = 'password' | 'apiKey';

export type LoginFailed = DomainEvent<
  'LoginFailed',
  {
    /** The account that was named; null: there is none. */
    readonly userId: number | null;
    readonly secret: LoginSecret;
    /** Code of the refusal. */
    readonly reason: string;
    /** The account as it was named. null once the key of the month is destroyed. */
    readonly words: { readonly account: string } | null;
  } & Times
>;

/** More kinds of accesses of one type came in a minute than get events of their own: from one account or address, or in all. */
export type MoreAccesses = DomainEvent<'MoreAccesses', { readonly of: string } & Times>;

export type AccessEvent = LoggedIn | LoginFailed | MoreAccesses;

export const accessEvents = [
  defineEvent<LoggedIn>({ type: 'LoggedIn', version: 1, concerns: concernsUser }),
  defineEvent<LoginFailed>({
    type: 'LoginFailed',
    version: 1,
    concerns: ({ data: { userId } }) => (userId === null ? {} : { userIds: [userId] }),
    sealed: { field: 'words', under: 'existing key' },
  }),
  defineEvent<MoreAccesses>({ type: 'MoreAccesses', version: 1, concerns: concernsNobody }),
];
