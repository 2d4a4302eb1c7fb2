import type { Document } from 'mongodb';
import { type Command, documentsOf, type TransactionOfCommand } from './command.js';
import { fieldsAt, isSet, numberIn, textIn } from './fields.js';
import { abortOf, OpenTransactions, type TransactionAccount } from './open-transactions.js';
import { REPORT_COMMAND, Reports } from './report.js';
import { CommandsUnderWay, type UnderWay } from './under-way.js';
import { type Reply, type Written, writtenBy } from './written.js';

export interface MongodbRules {
  /** Most bytes that a transaction may write; default: 16 MiB, which is one entry of the oplog. */
  readonly transactionBytes?: number;
  /** Time after which an open transaction is aborted: ms; default: 60 s (`transactionLifetimeLimitSeconds`). */
  readonly transactionLifetime?: number;
  /** Least time from a write to its answer that it is on the disks of a majority: ms; default: 5. */
  readonly durableAfter?: number;
  /** Newest wire version that the server admits to: 9 is MongoDB 4.4; default: its own. */
  readonly maxWireVersion?: number;
  /**
   * Tells whether a command of a transaction is interrupted: before it has an effect; or, a commit, when all is stored and it waits
   * for the majority. Default: commands are interrupted only by `killSessions`.
   */
  readonly interruption?: (command: string) => 'before' | 'after' | null;
}

/** What becomes of a command. */
export interface Verdict {
  /** Goes to the server in place of the command. */
  readonly instead?: Document;
  /** The command goes to the server then; default: at once. */
  readonly after?: Promise<void> | undefined;
  /** Is answered in place of the server's reply. */
  readonly answer?: Document;
  /** Least time until the answer: ms. */
  readonly least?: number;
  /** Reads the server's reply when it is passed on. @returns the answer in its place; null: the reply itself */
  readonly onReply?: (reply: Reply) => Document | null;
  /** Is called when the server has replied, or its connection has ended. */
  readonly onEnd?: () => void;
  /** The largest wire version to leave in the reply. */
  readonly maxWireVersion?: number;
}

const DURABLE_COMMANDS = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite', 'commitTransaction']);
const HELLO = new Set(['hello', 'isMaster', 'ismaster']);
/** The wire version of MongoDB 8.0, the first with the command `bulkWrite`. */
const BULK_WRITE_SINCE = 25;

const PING = { ping: 1, $db: 'admin' };
const TRANSIENT = { errorLabels: ['TransientTransactionError'] };

const TOO_LARGE = {
  ok: 0,
  errmsg: 'WriteConflict error: this operation conflicted with another operation. Please retry your operation.',
  code: 112,
  codeName: 'WriteConflict',
  ...TRANSIENT,
};
const TOO_OLD = {
  ok: 0,
  errmsg: 'Transaction has been aborted.',
  code: 251,
  codeName: 'NoSuchTransaction',
  ...TRANSIENT,
};
const BY_KILLING = { errmsg: 'operation was interrupted', code: 11601, codeName: 'Interrupted' };
/** A command of a transaction, of which nothing is stored then. */
const INTERRUPTED = { ok: 0, ...BY_KILLING };
/** A commit that is stored. */
const INTERRUPTED_WAIT = { ok: 1, writeConcernError: BY_KILLING };
const UNKNOWN_COMMAND = { ok: 0, errmsg: "no such command: 'bulkWrite'", code: 59, codeName: 'CommandNotFound' };

/** Decides about each command as a real MongoDB would. */
export class RuleBook {
  readonly reports = new Reports();
  private readonly transactions: OpenTransactions;
  private readonly underWay = new CommandsUnderWay();

  /** @param send sends a command to the server, outside of the clients' connections */
  constructor(
    private readonly rules: MongodbRules,
    send: (command: Document) => void,
  ) {
    this.transactions = new OpenTransactions(rules.transactionLifetime ?? 60_000, ({ database }, abort) => {
      this.reports.refused(database, 'tooOld');
      send(abort);
    });
  }

  /** @returns null if command and reply pass untouched */
  judge(command: Command): Verdict | null {
    const { name, database } = command;
    if (name === REPORT_COMMAND) return { instead: PING, answer: this.report(command) };
    const { maxWireVersion = Number.POSITIVE_INFINITY } = this.rules;
    if (name === 'bulkWrite' && maxWireVersion < BULK_WRITE_SINCE) return { instead: PING, answer: UNKNOWN_COMMAND };
    if (name === 'killSessions') return this.kill(command);
    if (command.transaction) return this.inTransaction(command, command.transaction);
    this.reports.command(name === 'bulkWrite' ? databaseOfBulkWrite(command) : database, name);
    if (HELLO.has(name) && this.rules.maxWireVersion !== undefined) return { maxWireVersion };
    return this.isDurable(command) ? { least: this.durableAfter } : null;
  }

  close(): void {
    this.transactions.close();
  }

  private kill(command: Command): Verdict {
    this.reports.command(command.database, command.name);
    const { kill, after } = this.underWay.interrupt(command);
    return { after, onEnd: kill.end };
  }

  private inTransaction(command: Command, transaction: TransactionOfCommand): Verdict | null {
    const { name } = command;
    const database = name === 'bulkWrite' ? databaseOfBulkWrite(command) : command.database;
    const account = this.transactions.of(command, transaction, database);
    this.reports.command(account?.database ?? database, name);
    if (account?.isTooOld) return { instead: PING, answer: TOO_OLD };
    if (name === 'abortTransaction') {
      this.transactions.end(transaction);
      return { after: this.underWay.killed(transaction.session) };
    }
    const interruption = this.rules.interruption?.(name) ?? null;
    if (interruption === 'before') {
      this.transactions.end(transaction);
      return { instead: abortOf(command), answer: INTERRUPTED };
    }
    const underWay = this.underWay.begin(transaction.session);
    underWay.isInterrupted = interruption === 'after';
    if (name === 'commitTransaction') return this.commit(command, transaction, account, underWay);
    const written = account && writtenBy(command);
    return {
      after: this.underWay.killed(transaction.session),
      onEnd: underWay.end,
      onReply: (reply) => {
        if (underWay.isInterrupted || isFailure(reply)) {
          this.transactions.end(transaction);
          return underWay.isInterrupted ? INTERRUPTED : null;
        }
        if (account && written) this.count(account, written(reply));
        return null;
      },
    };
  }

  private commit(
    command: Command,
    transaction: TransactionOfCommand,
    account: TransactionAccount | undefined,
    underWay: UnderWay,
  ): Verdict {
    this.transactions.end(transaction);
    if (account && this.isTooLarge(account)) {
      this.reports.refused(account.database, 'tooLarge');
      return { instead: abortOf(command), answer: TOO_LARGE, onEnd: underWay.end };
    }
    return {
      ...(this.isDurable(command) && { least: this.durableAfter }),
      after: this.underWay.killed(transaction.session),
      onEnd: underWay.end,
      onReply: (reply) => {
        if (!underWay.isInterrupted) return null;
        return isFailure(reply) ? INTERRUPTED : INTERRUPTED_WAIT;
      },
    };
  }

  private count(account: TransactionAccount, { documents, bytes }: Written): void {
    account.written = { documents: account.written.documents + documents, bytes: account.written.bytes + bytes };
    this.reports.transaction(account.database, account.written);
  }

  private isTooLarge({ written }: TransactionAccount): boolean {
    return written.bytes > (this.rules.transactionBytes ?? 16 * 1024 * 1024);
  }

  private isDurable({ name, isDurable }: Command): boolean {
    return isDurable && DURABLE_COMMANDS.has(name);
  }

  private get durableAfter(): number {
    return this.rules.durableAfter ?? 5;
  }

  private report({ bytes, fields, database }: Command): Document {
    const report = this.reports.of(database);
    if (isSet(bytes, fields.get('reset'))) this.reports.reset(database);
    return { ...report, ok: 1 };
  }
}

const isFailure = ({ bytes, fields }: Reply): boolean =>
  numberIn(bytes, fields.get('ok')) !== 1 || fields.has('writeErrors') || numberIn(bytes, fields.get('nErrors')) > 0;

/** The command goes to `admin`; its first namespace counts. */
function databaseOfBulkWrite(command: Command): string {
  const [first] = documentsOf(command, 'nsInfo');
  if (first === undefined) return command.database;
  const [database = ''] = textIn(command.bytes, fieldsAt(command.bytes, first).get('ns')).split('.');
  return database;
}
