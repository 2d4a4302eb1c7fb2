import type { HeldCommit } from '../servers/counted-mongodb.js';
import type { SentCommand } from '../servers/mongodb-wire.js';

/** Commands of MongoDB that one or more requests made. */
export interface Cost {
  /** Numbers of operations outside of transactions, by name and collection: `find contentKeys`. */
  readonly operations: Readonly<Record<string, number>>;
  readonly transactions: number;
  /** Numbers of operations in transactions, by name. */
  readonly inTransactions: Readonly<Record<string, number>>;
}

const OPERATIONS: ReadonlySet<string> = new Set([
  'find',
  'insert',
  'update',
  'delete',
  'bulkWrite',
  'aggregate',
  'findAndModify',
]);

/** Collections that processes read and write by the clock. */
const BY_THE_CLOCK = new Set([
  'processes/processes',
  'processes/leases',
  'registry/projections',
  'log-mark/mark',
  'event-queue-activity/queues',
]);

/** Databases whose checkpoints are stored because of an event, not by the clock. */
const CONSUMERS = new Set(['process-managers', 'reactors', 'deleted-words']);

/** Leaves out `getMore`, `commitTransaction` and commands of the driver's own. */
export const isOperation = ({ name }: SentCommand): boolean => OPERATIONS.has(name);

/** Counts the commands that requests made, without the commands that processes make by the clock. */
export function costOf(commands: readonly SentCommand[]): Cost {
  const operations: Record<string, number> = {};
  const inTransactions: Record<string, number> = {};
  const byTransaction = new Map<string, SentCommand[]>();
  for (const command of commands) {
    const { name, collections, transaction } = command;
    if (!isOperation(command)) continue;
    if (transaction !== null) byTransaction.set(transaction, [...(byTransaction.get(transaction) ?? []), command]);
    else if (!isByTheClock([command])) countIn(operations, `${name} ${collections.map(nameOf).join(' ')}`);
  }
  const transactions = [...byTransaction.values()].filter((own) => !isByTheClock(own));
  for (const { name } of transactions.flat()) countIn(inTransactions, name);
  return { operations, transactions: transactions.length, inTransactions };
}

export const totalOf = ({ operations, inTransactions }: Cost): number =>
  [...Object.values(operations), ...Object.values(inTransactions)].reduce((sum, count) => sum + count, 0);

/**
 * Counts the commits that came one after the other, so that who waits for the last one waits for all. Commits that processes
 * make by the clock do not count.
 *
 * @param commands sent meanwhile: they tell what a transaction wrote
 */
export function commitsInTurn(held: readonly HeldCommit[], commands: readonly SentCommand[]): number {
  const written = ({ command }: HeldCommit) =>
    command.transaction === null
      ? [command]
      : commands.filter((one) => isOperation(one) && one.transaction === command.transaction);
  const own = held.filter((commit) => !isByTheClock(written(commit)));
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const { from, until } of own.toSorted((a, b) => a.until - b.until)) {
    if (from < last) continue;
    count++;
    last = until;
  }
  return count;
}

function countIn(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

/** The name of a document store's collection without version and incarnation: `messages/blocks`. */
const nameOf = (collection: string): string =>
  collection.replace(/^([^/]+?)(?:\.v\d+\.g\d+)?\/[0-9a-f]{8}\/(.+)$/, '$1/$2');

function isByTheClock(commands: readonly SentCommand[]): boolean {
  const names = commands.flatMap(({ collections }) => collections.map(nameOf));
  return names.every((name) => BY_THE_CLOCK.has(name) || isRoutine(name));
}

/**
 * Checkpoints without changes are stored each second; positions that were not announced, and events that were passed over, are
 * looked up.
 */
function isRoutine(name: string): boolean {
  const [database = '', collection] = name.split('/');
  if (collection === 'passed_over') return true;
  return name === 'documentDatabases' || (collection === 'fence' && !CONSUMERS.has(database));
}
