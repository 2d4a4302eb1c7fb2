import { BSON, type Document } from 'mongodb';
import type { Command, TransactionOfCommand } from './command.js';
import type { Written } from './written.js';

/** A transaction that a client has begun and not ended. */
export interface TransactionAccount {
  /** Name of the database in which the transaction began. */
  readonly database: string;
  written: Written;
  isTooOld: boolean;
}

interface Entry extends TransactionAccount {
  readonly number: number;
  readonly timer: NodeJS.Timeout;
}

/** The open transactions of all connections. A session has one at a time. */
export class OpenTransactions {
  private readonly bySession = new Map<string, Entry>();

  /** @param onTooOld is given the command that aborts the transaction at the server */
  constructor(
    private readonly lifetimeMs: number,
    private readonly onTooOld: (account: TransactionAccount, abort: Document) => void,
  ) {}

  /** The account of the command's transaction, opened by its first command; undefined if it has ended. */
  of(command: Command, transaction: TransactionOfCommand, database: string): TransactionAccount | undefined {
    if (transaction.starts) return this.open(command, transaction, database);
    const found = this.bySession.get(transaction.session);
    return found?.number === transaction.number ? found : undefined;
  }

  end({ session, number }: TransactionOfCommand): void {
    const entry = this.bySession.get(session);
    if (entry?.number !== number) return;
    clearTimeout(entry.timer);
    this.bySession.delete(session);
  }

  close(): void {
    for (const { timer } of this.bySession.values()) clearTimeout(timer);
    this.bySession.clear();
  }

  private open(command: Command, { session, number }: TransactionOfCommand, database: string): TransactionAccount {
    clearTimeout(this.bySession.get(session)?.timer);
    const abort = abortOf(command);
    const timer = setTimeout(() => {
      entry.isTooOld = true;
      this.onTooOld(entry, abort);
    }, this.lifetimeMs);
    const entry: Entry = { number, database, timer, written: { documents: 0, bytes: 0 }, isTooOld: false };
    this.bySession.set(session, entry);
    return entry;
  }
}

/** The command that aborts the transaction of a command. */
export function abortOf({ bytes, fields }: Command): Document {
  const value = (name: string, read: (at: number, length: number) => unknown): unknown => {
    const field = fields.get(name);
    return field && read(field.at, field.length);
  };
  return {
    abortTransaction: 1,
    lsid: value('lsid', (at, length) => BSON.deserialize(bytes.subarray(at, at + length))),
    txnNumber: value('txnNumber', (at) => BSON.Long.fromBigInt(bytes.readBigInt64LE(at))),
    autocommit: false,
    $db: 'admin',
  };
}
