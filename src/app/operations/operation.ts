import type { INestApplicationContext } from '@nestjs/common';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Directory } from '../../directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../directory/directory.records.js';
import { ROLES } from '../../events/shared/role.js';
import type { CommandContext } from '../../platform/kernel/deciding.js';

/** What an operation works with: the commands, queries and facts that requests of clients have, too. */
interface OperatedOn {
  readonly app: INestApplicationContext;
  readonly commands: CommandBus;
  readonly queries: QueryBus;
  readonly directory: Directory;
  readonly by: CommandContext;
}

/** A check of a field that came from another process. */
type Form<T> = (value: unknown) => value is T;
type Forms = Readonly<Record<string, Form<unknown>>>;
type FieldsIn<F extends Forms> = { readonly [Name in keyof F]: F[Name] extends Form<infer T> ? T : never };

/** What an operator can ask of a server, or do without one. */
export interface Operation<F extends Forms = Forms, Result = unknown> {
  readonly forms: F;
  /** @throws Error with a message for the operator, DomainError */
  run(fields: unknown, on: OperatedOn): Promise<Result>;
}

export type FieldsOf<O extends Operation> = FieldsIn<O['forms']>;
export type ResultOf<O extends Operation> = Awaited<ReturnType<O['run']>>;

export function operation<F extends Forms, Result>(
  forms: F,
  carryOut: (fields: FieldsIn<F>, on: OperatedOn) => Result | Promise<Result>,
): Operation<F, Result> {
  return {
    forms,
    async run(fields, on) {
      if (!areOf(forms, fields)) throw new UnknownRequest();
      return carryOut(fields, on);
    },
  };
}

export class UnknownRequest extends Error {
  override readonly name = 'UnknownRequest';
  constructor() {
    super('this server does not know the request: was it sent by another version of Annals?');
  }
}

export const textOrNull: Form<string | null> = (value) => value === null || text(value);

export const text: Form<string> = (value) => typeof value === 'string';

export const numberOrNull: Form<number | null> = (value): value is number | null =>
  value === null || Number.isSafeInteger(value);

export const yesOrNo: Form<boolean> = (value) => typeof value === 'boolean';

export const texts: Form<readonly string[]> = (value) => Array.isArray(value) && value.every(text);

export const oneOf =
  <T extends string>(names: readonly T[]): Form<T> =>
  (value): value is T =>
    names.some((name) => name === value);

const areOf = <F extends Forms>(forms: F, fields: unknown): fields is FieldsIn<F> =>
  typeof fields === 'object' &&
  fields !== null &&
  Object.entries(forms).every(([name, isOfForm]) => isOfForm(Reflect.get(fields, name)));

/** Names that a refusal lists at most. */
const MOST_NAMED = 10;

/** Finds the account that an operator names by id or address. @throws Error that says which accounts there are */
export function accountNamed(user: string, directory: Directory): UserRecord {
  const found = /^\d+$/.test(user) ? directory.user(Number(user)) : directory.userByEmail(user);
  if (found) return found;
  const all = directory.allUsers().map(({ _id, email }) => `${email} (${_id})`);
  throw new Error(`there is no account ${user}: there are ${listed(all, 'annals user list')}`);
}

/** @throws Error that says which accounts there are, or how a deactivated one becomes active */
export function activeAccountNamed(user: string, directory: Directory): UserRecord {
  const account = accountNamed(user, directory);
  if (account.isActive) return account;
  throw new Error(`${account.email} is deactivated: annals user reactivate ${account.email}`);
}

/** Finds the owner in whose name an operator makes what needs a maker. @throws Error if all owners are deactivated */
export function activeOwner(directory: Directory): UserRecord {
  const owner = directory
    .allUsers()
    .find(({ isActive, role, bot }) => isActive && role === ROLES.owner && bot === null);
  if (owner) return owner;
  throw new Error('no owner is active: annals user list prints the accounts');
}

/** Finds the channel that an operator names by name or id. @throws Error that says which channels there are */
export function channelNamed(channel: string, directory: Directory): ChannelRecord {
  const byId = /^\d+$/.test(channel) ? directory.channel(Number(channel)) : undefined;
  const found = directory.channelByName(channel) ?? byId;
  if (found) return found;
  const all = directory.allChannels().map(({ _id, name }) => `${name} (${_id})`);
  throw new Error(`there is no channel ${channel}: there are ${listed(all, 'annals channel list')}`);
}

/** The first of the names. @param command prints all of them */
export function listed(names: readonly string[], command: string): string {
  if (names.length === 0) return 'none';
  const others = names.length - MOST_NAMED;
  const first = names.slice(0, MOST_NAMED).join(', ');
  return others > 0 ? `${first} and ${others} more, which ${command} prints` : first;
}
