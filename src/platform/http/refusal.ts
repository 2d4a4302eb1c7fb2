import type { RefusalData } from '../kernel/deciding.js';

/** The answer to a refusal. `data` is the DomainError's. */
export interface Refusal {
  readonly status: number;
  /** The code for client programs: the API's own if it has one. */
  readonly code: string;
  /** The message for people. `{name}` stands for that entry of `data`. */
  readonly message: string | ((data: RefusalData) => string);
  /** Entries of `data` to repeat in the body. Others are left out: strict clients refuse unknown keys. */
  readonly keys?: readonly string[];
  /** Whether the caller lacks a right that others have. The audit records such a refusal. */
  readonly lacksRight?: true;
  /** Whether a parameter is missing. The message then names those that the endpoint does not know: one may be misspelt. */
  readonly namesUnknown?: true;
  readonly headers?: (data: RefusalData) => Readonly<Record<string, string>>;
}

/** Refusals by the code of the DomainError. */
export type Refusals = Readonly<Record<string, Refusal>>;

/** Nest token of all refusals of a server: the edge's, and the features'. */
export const REFUSALS = Symbol('Refusals');

/** A refusal of the most frequent kind, 400 `BAD_REQUEST`. */
export const badRequest = <Message extends Refusal['message']>(message: Message) =>
  ({ status: 400, code: 'BAD_REQUEST', message }) as const;

/** A refusal of somebody who lacks a right that others have, 400 `BAD_REQUEST`. */
export const lackingRight = <Message extends Refusal['message']>(message: Message) =>
  ({ ...badRequest(message), lacksRight: true }) as const;

/** The names in braces in a message. */
type Placeholders<Message> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The data that each refusal of a table needs. */
export type DataOf<Table extends Refusals> = {
  readonly [Code in keyof Table]: { readonly [Name in Placeholders<Table[Code]['message']>]: unknown };
};
