import type { Schema } from './schema.js';

/** What an operation is for, in words, and the shape of its answer where the published API has none. */
export interface Description {
  /** Names the operation, if the published API does not have it: `list-bots`. */
  readonly id?: string;
  /** The operation's group, if the published API does not have it. */
  readonly tag?: string;
  /** One sentence. */
  readonly summary: string;
  /** What else its caller should know: Markdown. */
  readonly text?: string;
  /** What each parameter asks for, by its name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Schemas of the members of a successful answer, besides `result` and `msg`. */
  readonly answer?: Readonly<Record<string, Schema>>;
  /** Members of the answer that may be left out. */
  readonly optional?: readonly string[];
  /** Other forms of the answer, by their media type. */
  readonly otherForms?: Readonly<Record<string, string>>;
  /** The target of a redirect (302), which is sent in place of an answer. */
  readonly redirects?: string;
  /** What the payload is that the body has. All parameters are in the query, the API key too: there is no login. */
  readonly payload?: string;
  /** What the file is that a form brings. */
  readonly file?: string;
}

/** A request that was made, and its answer. */
export interface Example {
  /** Parts of the path, by the names that the path has in braces. */
  readonly path?: Readonly<Record<string, string | number>>;
  /** Parameters of the query or the body, with the `file` of a form and the `payload` of a body. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** The answer as the operation's schema has it. */
  readonly answer?: unknown;
  /** The beginnings of its other forms, by their media type. */
  readonly otherForms?: Readonly<Record<string, unknown>>;
}

/** By `METHOD /path`, with the path below `/api/v1` as its controller has it: `GET /users/{user}`. */
export type Descriptions = Readonly<Record<string, Description>>;

/** An operation of this server as the application knows it. */
export interface DescribedOperation extends Partial<Description> {
  /** The published answer. */
  readonly published?: Schema;
  readonly example?: Example;
  /** Statuses of its published errors. */
  readonly failures?: readonly string[];
}

/** What the application knows of its operations beyond their controllers. */
export interface DescribedApi {
  readonly operation: (method: string, path: string) => DescribedOperation;
  /** What parameters are that mean the same everywhere. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Shapes that others refer to as `#/components/schemas/NAME`. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Members of errors besides `result`, `msg` and `code`. */
  readonly errorMembers: Readonly<Record<string, Schema>>;
}

export const NOTHING_DESCRIBED: DescribedApi = { operation: () => ({}), parameters: {}, schemas: {}, errorMembers: {} };

/** Names a schema: `send-message` and `realm_user/update` are `SendMessage` and `RealmUserUpdate`. */
export const schemaName = (words: string): string =>
  words.replace(/(?:^|[-_/])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Names an operation whatever its path's parameters are called. */
export const operationKey = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`;
