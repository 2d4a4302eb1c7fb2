import type { Answer, Client, Encoding } from '../support/requests/http.js';
import type { Operation } from '../support/requests/operations.js';
import type { Valid } from './furnished.js';

const DEEP = `${'['.repeat(500)}${']'.repeat(500)}`;

/** As they are written in a form or a query string. */
const TEXTS = [
  ...['0', '-1', '2147483648', '9007199254740991', '-9007199254740991', '1e308', '1.5', 'NaN', '', 'null'],
  ...['x'.repeat(100_000), DEEP, JSON.stringify(Array.from({ length: 10_000 }, (_, index) => index + 1))],
  ...['[9007199254740991]', '[-1]', '{"a":1e308}'],
];

/** As they are written in a JSON body. */
const VALUES = [
  ...[0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1e308, 1.5, 'NaN', '', null],
  ...['x'.repeat(100_000), JSON.parse(DEEP), Array.from({ length: 10_000 }, (_, index) => index + 1), { a: 1e308 }],
];

const SEGMENTS = ['0', '-1', '2147483648', '9007199254740991', '99999999999999999999', '1e308', '1.5', 'NaN', 'null'];
const LONG_SEGMENTS = ['x'.repeat(900), '9'.repeat(900), 'x'.repeat(5000)];

export interface Trial {
  /** Names what is sent, for failures: `PATCH /realm name=…`. */
  readonly title: string;
  readonly send: (api: Client) => Promise<Answer>;
}

/** Every trial of an operation: one parameter, or one part of the path, is extreme, and what it needs besides is valid. */
export function trialsOf(operation: Operation, valid: Valid): readonly Trial[] {
  const { method, path, parameters } = operation;
  const place = (extreme = '', value = ''): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => (name === extreme ? value : String(valid(name, operation))));
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    [...SEGMENTS, ...LONG_SEGMENTS].map((value) => ({
      title: `${method} ${path} with ${name} ${value.slice(0, 30)}`,
      send: (api: Client) => api.ask(method, place(name, value), needed(operation, valid)),
    })),
  );
  const sent = (name: string, value: unknown, encoding: Encoding): Trial => ({
    title: `${method} ${path} ${name}=${(JSON.stringify(value) ?? '').slice(0, 30)} as ${encoding}`,
    send: (api) => api.ask(method, place(), { ...needed(operation, valid), [name]: value }, { encoding }),
  });
  const asParameters = parameters.flatMap(({ name }) => [
    ...TEXTS.map((value) => sent(name, value, method === 'GET' && value.length < 1000 ? 'query' : 'form')),
    ...VALUES.map((value) => sent(name, value, 'json')),
  ]);
  return [...inPath, ...asParameters];
}

/** The parameters without which an operation is refused. */
export const needed = (operation: Operation, valid: Valid): Record<string, unknown> =>
  Object.fromEntries(
    operation.parameters
      .map(({ name, isRequired }): [string, unknown] => [name, isRequired ? valid(name, operation) : ALWAYS[name]])
      .filter(([, value]) => value !== undefined),
  );

/** Parameters without which a request is refused at once, or waits. */
const ALWAYS: Readonly<Record<string, unknown>> = {
  anchor: 'newest',
  num_before: 1,
  num_after: 1,
  dont_block: true,
  type: 'channel',
};
