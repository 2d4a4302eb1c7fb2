import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsUser } from '../shared/concerned.js';

/** The stream of what an account stores. It is no part of the user's own: a bot may write often. */
export const botStorageStream = (userId: number): string => `botStorage-${userId}`;

/** What a bot stores under a name. The name is sealed too: it may name a person. */
export interface BotStorageEntry {
  readonly name: string;
  readonly value: string;
}

/** A bot has stored a value under a new name. */
export type BotStorageEntryAdded = DomainEvent<
  'BotStorageEntryAdded',
  {
    readonly userId: number;
    /** The content key of `entry`: the event's id. It identifies the entry until the value is replaced. */
    readonly keyId: string;
    /** null once the content key is destroyed. */
    readonly entry: BotStorageEntry | null;
  }
>;

/** A bot has stored another value under a name. The name stays. The key of the previous value is destroyed. */
export type BotStorageEntryReplaced = DomainEvent<
  'BotStorageEntryReplaced',
  {
    readonly userId: number;
    readonly keyId: string;
    readonly previousKeyId: string;
    readonly entry: BotStorageEntry | null;
  }
>;

/** A bot has removed a stored value. */
export type BotStorageEntryRemoved = DomainEvent<
  'BotStorageEntryRemoved',
  {
    readonly userId: number;
    /** The content key, which is destroyed too. */
    readonly keyId: string;
  }
>;

export type BotStorageEvent = BotStorageEntryAdded | BotStorageEntryReplaced | BotStorageEntryRemoved;

export const botStorageEvents = [
  defineEvent<BotStorageEntryAdded>({
    type: 'BotStorageEntryAdded',
    concerns: concernsUser,
    sealed: { field: 'entry', under: 'own key', shownTo: { only: 'userId' } },
    keys: { keyId: 'seals' },
  }),
  defineEvent<BotStorageEntryReplaced>({
    type: 'BotStorageEntryReplaced',
    concerns: concernsUser,
    sealed: { field: 'entry', under: 'own key', shownTo: { only: 'userId' } },
    keys: { keyId: 'seals', previousKeyId: 'ends' },
  }),
  defineEvent<BotStorageEntryRemoved>({
    type: 'BotStorageEntryRemoved',
    concerns: concernsUser,
    keys: { keyId: 'ends' },
  }),
];
