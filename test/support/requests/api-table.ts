import { unreadParameters, unsentEvents, unservedOperations } from '../../../src/app/description/unserved.js';
import { operationKey } from '../../../src/platform/http/openapi/described-api.js';
import type { Operation as ServedOperation } from './operations.js';
import type { Operation } from './published-schemas.js';

/** The parameters that a server reads, by `METHOD /path/{}`. */
export type Served = ReadonlyMap<string, ReadonlySet<string>>;

export const servedBy = (operations: readonly ServedOperation[]): Served =>
  new Map(
    operations.map(({ method, path, parameters }) => [
      operationKey(method, path),
      new Set(parameters.map(({ name }) => name)),
    ]),
  );

/**
 * Writes docs/api.md.
 *
 * @param sent names of events: `type` or `type/op`
 * @throws Error if something published is missing without a reason, or a reason is left of something that is there
 */
export function apiTable(operations: readonly Operation[], served: Served, events: EventNames): string {
  const reasons = new Reasons();
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort();
  const sections = tags.map((tag) => {
    const rows = operations.filter((one) => one.tag === tag).map((one) => row(one, served, reasons));
    return `## ${titleOf(tag)}\n\n| operation | answered | |\n|---|---|---|\n${rows.sort().join('\n')}\n`;
  });
  const answered = operations.filter(({ method, path }) => served.has(operationKey(method, path))).length;
  const unsent = events.published.filter(
    (name) => !events.sent.has(name) && !events.sent.has(name.split('/')[0] ?? ''),
  );
  const eventRows = unsent.map((name) => `| \`${name}\` | ${reasons.of(unsentEvents, name)} |`);
  reasons.expectNoneLeft();
  return `${head(answered, operations.length)}
${sections.join('\n')}
## Events

${events.published.length - unsent.length} of ${events.published.length} published kinds are sent. The others:

| event | |
|---|---|
${eventRows.join('\n')}
`;
}

export interface EventNames {
  readonly published: readonly string[];
  readonly sent: ReadonlySet<string>;
}

function row({ method, path, parameters }: Operation, served: Served, reasons: Reasons): string {
  const name = `${method} ${path}`;
  const read = served.get(operationKey(method, path));
  if (!read) return `| \`${name}\` | no | ${reasons.of(unservedOperations, name)} |`;
  const unread = parameters.filter((parameter) => !read.has(parameter));
  const notes = unread.map((parameter) => `without \`${parameter}\`: ${reasons.of(unreadParameters, parameter)}`);
  return `| \`${name}\` | yes |${notes.length > 0 ? ` ${notes.join('; ')}` : ''} |`;
}

/** Looks reasons up, and notices those that nothing needs. */
class Reasons {
  private readonly used = new Set<string>();

  of(table: Readonly<Record<string, string>>, name: string): string {
    const reason = table[name];
    if (reason === undefined)
      throw new Error(`${name} is published and missing: say why in src/app/description/unserved.ts`);
    this.used.add(name);
    return reason;
  }

  expectNoneLeft(): void {
    const all = [unservedOperations, unreadParameters, unsentEvents].flatMap((table) => Object.keys(table));
    const left = all.filter((name) => !this.used.has(name));
    if (left.length > 0)
      throw new Error(`src/app/description/unserved.ts has what is there by now: ${left.join(', ')}`);
  }
}

const titleOf = (tag: string): string => {
  const words = tag.replaceAll('_', ' ');
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
};

const head = (answered: number, all: number): string => `# Coverage of the API

Made from the published description of the API at feature level 421: \`UPDATE_DOCS=1 npm test -- api-table\` writes it, and
the same spec fails when it is no longer true.

The server answers ${answered} of ${all} published operations. A parameter that is not read comes back in
\`ignored_parameters_unsupported\`. Where an answer differs from the published schemas, \`src/app/description/deviations.ts\` says
why. The parameters of all operations, those beyond the published ones too, are described by the server itself:
\`GET /api/v1/openapi.json\`.

Pages of any origin may call the operations, with a key in \`Authorization\`. Answers of 1 KiB and more are compressed by
\`br\` or \`gzip\` for clients that send \`Accept-Encoding\`. Forms and JSON may be sent with \`Content-Encoding: gzip\`; another
encoding is answered 415 \`UNSUPPORTED_MEDIA_TYPE\`, and one that inflates beyond the limit of bodies 413 \`REQUEST_TOO_LARGE\`.

\`api_key\` is \`""\` in \`GET /bots\` and in all that tells of bots: the server stores only hashes of keys, and so it can tell a key
once, in the answer to \`POST /bots\` and to \`POST /bots/{bot_id}/api_key/regenerate\`. A bot's file is made from that answer:

\`\`\`ini
[api]
email=echo-bot@chat.example.com
key=the api_key of the answer
site=https://chat.example.com
\`\`\`
`;
