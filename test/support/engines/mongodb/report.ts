import type { Db } from 'mongodb';
import type { Written } from './written.js';

/** The name of the command that the proxy itself answers. */
export const REPORT_COMMAND = 'standInReport';

/** Account of one database, or of all: the report of `admin`. */
export interface StandInReport {
  /** Number of commands by name. Ends of transactions count for the database that the transaction began in. */
  readonly commands: Readonly<Record<string, number>>;
  /** The most bytes and the most documents that one transaction has written, refused and aborted transactions included. */
  readonly largestTransaction: Written;
  /** Number of transactions refused at their commit because they were too large. */
  readonly tooLarge: number;
  /** Number of transactions aborted because they were open for too long. */
  readonly tooOld: number;
}

/**
 * Asks the proxy in front of the tests' MongoDB for the report of a database.
 *
 * @param options `reset`: the account begins anew
 * @throws MongoServerError for a server without a proxy: it does not know the command
 */
export async function standInReport(database: Db, { reset = false } = {}): Promise<StandInReport> {
  const { ok, ...report } = await database.command({ [REPORT_COMMAND]: 1, reset });
  return report as StandInReport & { readonly ok: 1 };
}

const ALL = 'admin';

/** The accounts of all databases. */
export class Reports {
  private readonly accounts = new Map<string, Account>();

  of(database: string): StandInReport {
    return this.account(database).report();
  }

  reset(database: string): void {
    this.accounts.delete(database);
  }

  command(database: string, name: string): void {
    for (const account of this.both(database)) account.commands.set(name, (account.commands.get(name) ?? 0) + 1);
  }

  transaction(database: string, { bytes, documents }: Written): void {
    for (const account of this.both(database)) {
      account.bytes = Math.max(account.bytes, bytes);
      account.documents = Math.max(account.documents, documents);
    }
  }

  refused(database: string, reason: 'tooLarge' | 'tooOld'): void {
    for (const account of this.both(database)) account[reason]++;
  }

  private both(database: string): Set<Account> {
    return new Set([this.account(database), this.account(ALL)]);
  }

  private account(database: string): Account {
    const account = this.accounts.get(database) ?? new Account();
    this.accounts.set(database, account);
    return account;
  }
}

class Account {
  readonly commands = new Map<string, number>();
  bytes = 0;
  documents = 0;
  tooLarge = 0;
  tooOld = 0;

  report(): StandInReport {
    const { bytes, documents, tooLarge, tooOld } = this;
    const commands = Object.fromEntries([...this.commands].sort(([a], [b]) => (a < b ? -1 : 1)));
    return { commands, largestTransaction: { documents, bytes }, tooLarge, tooOld };
  }
}
