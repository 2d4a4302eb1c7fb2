import type { MoreAccesses, Times } from '../../../events/accesses/accesses.events.js';
import type { Access } from './access.js';
import { accountsAskedFor, questionKind } from './question-kind.js';

/** What is counted of an access that gets no event of its own. */
export interface CountedAccess {
  readonly of: Access['type'];
  /** The accounts that it is about, of those that exist. */
  readonly accounts: readonly number[];
  /** null: the type of the access says all. */
  readonly kind: string | null;
}

export function countedOf({ type, data }: Access, actorId: number | null): CountedAccess {
  switch (type) {
    case 'LoginFailed':
      return data.userId === null
        ? { of: type, accounts: [], kind: 'no such account' }
        : { of: type, accounts: [data.userId], kind: 'account' };
    case 'LoggedIn':
    case 'KeyUsedElsewhere':
      return { of: type, accounts: [data.userId], kind: null };
    case 'AuditRead':
      return { of: type, accounts: accountsAskedFor(data, actorId), kind: questionKind(data, actorId) };
    case 'ActRefused':
      return { of: type, accounts: [], kind: `${data.method} ${data.route}` };
  }
}

/** Accounts that one event names. */
const MOST_ACCOUNTS = 100;
/** Kinds that one event names. */
const MOST_KINDS = 20;

/** Counts of accesses by account and kind, in bounded memory. */
export class AccessCounts {
  private readonly accounts = new Map<number, number>();
  private readonly kinds = new Map<string, number>();
  private otherAccounts = 0;
  private otherKinds = 0;

  constructor(readonly of: Access['type']) {}

  add({ accounts, kind }: CountedAccess): void {
    for (const userId of accounts) if (!countIn(this.accounts, userId, MOST_ACCOUNTS)) this.otherAccounts++;
    if (kind !== null && !countIn(this.kinds, kind, MOST_KINDS)) this.otherKinds++;
  }

  /** Takes the counts: the next begin with 0. */
  take(): Omit<MoreAccesses['data'], keyof Times> {
    const { of, otherAccounts, otherKinds } = this;
    const accounts = [...this.accounts].map(([userId, count]) => ({ userId, count }));
    const kinds = [...this.kinds].map(([kind, count]) => ({ kind, count }));
    this.accounts.clear();
    this.kinds.clear();
    this.otherAccounts = 0;
    this.otherKinds = 0;
    return { of, accounts, otherAccounts, kinds, otherKinds };
  }
}

/** @returns false if there is no room for a further key */
function countIn<Key>(counts: Map<Key, number>, key: Key, most: number): boolean {
  const known = counts.get(key);
  if (known === undefined && counts.size >= most) return false;
  counts.set(key, (known ?? 0) + 1);
  return true;
}
