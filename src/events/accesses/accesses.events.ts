import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent, type Upcaster } from '../../platform/kernel/event-definition.js';
import { concernsNobody, concernsUser } from '../shared/concerned.js';

/** Version 1 has the number alone. */
const moreAccessesFrom1: Upcaster = (data) => ({
  ...data,
  ...{ accounts: [], otherAccounts: 0, kinds: [], otherKinds: 0 },
});

/** Uses of the server that change nothing (D24). No state is folded from them. */
export const ACCESSES_STREAM = 'accesses';

/**
 * The same thing, done once or more often by the same account from the same address. The metadata are those of the first
 * time.
 */
export interface Times {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Somebody has got an API key for a password. `ApiKeyIssued` of the same request has the key's hash. */
export type LoggedIn = DomainEvent<'LoggedIn', { readonly userId: number } & Times>;

/** What was tried. */
type LoginSecret = 'password' | 'apiKey';

/** Somebody has given a wrong password or API key, or may not log in. */
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

/** Somebody has read the audit. Of texts that were asked for, only the parameters' names are recorded: people wrote them. */
export type AuditRead = DomainEvent<
  'AuditRead',
  {
    /** `message`: a message as it was at the time `to`. */
    readonly of: 'events' | 'proof' | 'message';
    readonly format: 'json' | 'jsonl' | 'csv';
    /** What was asked for; null, or nothing: not asked for. */
    readonly eventId: string | null;
    readonly messageId: number | null;
    readonly channelId: number | null;
    readonly subjectId: number | null;
    /** The actor, if named by number. */
    readonly actorId: number | null;
    readonly kinds: readonly string[];
    /** Milliseconds since 1970, both inclusive. */
    readonly from: number | null;
    readonly to: number | null;
    readonly texts: readonly string[];
  } & Times
>;

/**
 * An auditor has got words of conversations that the auditor is not part of. It is in the log before the words are
 * answered. Reading them again is another event.
 */
export type AuditWordsRead = DomainEvent<
  'AuditWordsRead',
  {
    /** The channels of the messages, as of the events and as of the reading; ascending. */
    readonly channelIds: readonly number[];
    /** The participants of each direct conversation. */
    readonly conversations: readonly (readonly number[])[];
    /** At most 100, each once, ascending. */
    readonly messageIds: readonly number[];
    /** Number of events whose words were read. */
    readonly count: number;
  }
>;

/** A request was refused because its account lacks a right: to change something, or to read the audit. */
export type ActRefused = DomainEvent<
  'ActRefused',
  {
    readonly method: string;
    /** The path with names for its parts that vary, such as `/api/v1/users/:userId`. */
    readonly route: string;
    /** The numbers in the path, by their names in the route. */
    readonly ids: Readonly<Record<string, number>>;
    /** Code of the refusal. */
    readonly reason: string;
    /** The server's message, as it is written in the program: `{name}` stands for a word that is not recorded. */
    readonly message: string;
  } & Times
>;

/**
 * An API key was used from an address that it was not used from before, as far as addresses are kept. The address is in
 * the metadata. Addresses of one IPv6 network are one.
 */
export type KeyUsedElsewhere = DomainEvent<
  'KeyUsedElsewhere',
  {
    readonly userId: number;
    readonly account: 'person' | 'bot';
    /** The id under which clients see the key. */
    readonly apiKeyId: string;
    /** Whether the log has no earlier address of the key. */
    readonly isFirst: boolean;
  } & Times
>;

/**
 * There were more accesses of one type than get events of their own: from one account or network, or in all, in a minute;
 * or by new addresses of an account's keys in an hour. It counts them by whom and what they were about.
 */
export type MoreAccesses = DomainEvent<
  'MoreAccesses',
  {
    readonly of: string;
    /**
     * The accounts that were logged in to, guessed at or asked about, of those that exist: at most 100, the first ones first.
     * A question about two accounts counts for both.
     */
    readonly accounts: readonly { readonly userId: number; readonly count: number }[];
    /** Accesses that were about further accounts. */
    readonly otherAccounts: number;
    /** What logins named, what questions were about, and which operations were refused: at most 20, the first ones first. */
    readonly kinds: readonly { readonly kind: string; readonly count: number }[];
    /** Accesses of further kinds. */
    readonly otherKinds: number;
  } & Times
>;

/**
 * An operator has given a command on the command line that changes something, or shows what the log has; or an owner has,
 * over the API. PermissionGranted and the like have the same correlation id.
 */
export type OperatorActed = DomainEvent<
  'OperatorActed',
  {
    readonly command: string;
    /** Options and arguments by name, with those of their values that are numbers, ids or names of this program. */
    readonly options: OperatorOptions;
    /**
     * Who it was, as the operating system says. null once the key of the month is destroyed, and for an owner, who is the
     * actor.
     */
    readonly words: OperatorNames | null;
  }
>;

export type OperatorOptions = Readonly<Record<string, readonly (number | string)[]>>;

export interface OperatorNames {
  readonly user: string;
  /** The user who became `user` by sudo; null: nobody did. */
  readonly sudoUser: string | null;
}

/** The accesses whose repeats are gathered. */
export type AccessEvent = LoggedIn | LoginFailed | AuditRead | ActRefused | KeyUsedElsewhere | MoreAccesses;

export const accessEvents = [
  defineEvent<LoggedIn>({ type: 'LoggedIn', concerns: concernsUser }),
  defineEvent<LoginFailed>({
    type: 'LoginFailed',
    concerns: ({ data: { userId } }) => (userId === null ? {} : { userIds: [userId] }),
    sealed: { field: 'words', under: 'existing key', shownTo: 'auditors' },
  }),
  // Does not concern what was asked for: a question that is asked again would find itself.
  defineEvent<AuditRead>({ type: 'AuditRead', concerns: concernsNobody }),
  defineEvent<AuditWordsRead>({
    type: 'AuditWordsRead',
    concerns: ({ data: { channelIds, conversations, messageIds } }) => ({
      userIds: conversations.flat(),
      channelIds,
      messageIds,
    }),
  }),
  defineEvent<ActRefused>({ type: 'ActRefused', concerns: concernsNobody }),
  defineEvent<OperatorActed>({
    type: 'OperatorActed',
    concerns: concernsNobody,
    sealed: { field: 'words', under: 'existing key', shownTo: 'auditors' },
  }),
  defineEvent<KeyUsedElsewhere>({ type: 'KeyUsedElsewhere', concerns: concernsUser }),
  defineEvent<MoreAccesses>({
    type: 'MoreAccesses',
    version: 2,
    upcasters: { 1: moreAccessesFrom1 },
    // As with AuditRead, not whom questions were about.
    concerns: ({ data: { of, accounts } }) =>
      of === 'AuditRead' ? {} : { userIds: accounts.map(({ userId }) => userId) },
  }),
];
