import type { OwnPassword } from '../bootstrap.js';
import type { Credentials } from '../config/owner-credentials.js';

export interface Started {
  readonly url: string;
  /** null if the file is not there, or its key does not open. */
  readonly credentialsFile: string | null;
  readonly isFirst: boolean;
  /** Credentials of the owner; null without such a file. */
  readonly credentials: Credentials | null;
  /** Random password that this start chose; shown now or never. */
  readonly password?: OwnPassword | undefined;
}

/** Writes the greeting for the operator once the server answers. It has no key: what is printed may be kept as a log. */
export function welcome({ url, credentialsFile, isFirst, credentials, password }: Started): string {
  const running = `Annals is running at ${url}\n`;
  if (!credentialsFile || !credentials) return running;
  const named = `${running}Owner's credentials: ${credentialsFile}\n`;
  if (!isFirst) return named;
  return `${named}
This was the first start: the organization and its owner have been created.
  email     ${credentials.email}
${password ? `  password  ${passwordLine(password)}\n` : ''}
Send a message:
  ${call(url, credentialsFile, '/messages', ['type=channel', 'to=general', 'topic=hello', 'content=Hello from curl'])}
Read it back:
  ${call(url, credentialsFile, '/messages?anchor=newest&num_before=1&num_after=0')}
Make a link with which others join, and are in #general:
  ${call(url, credentialsFile, '/invites/multiuse', ['include_realm_default_subscriptions=true'])}
`;
}

const passwordLine = (password: OwnPassword): string =>
  'shown' in password ? `${password.shown}   (random, not shown again)` : `in ${password.file}   (random)`;

/** A line of a shell that reads the key from the file. */
function call(url: string, credentialsFile: string, path: string, fields: readonly string[] = []): string {
  const credentials = `"$(sed -n 's/^email=//p; s/^key=//p' ${quoted(credentialsFile)} | paste -sd: -)"`;
  const data = fields.map((field) => ` -d ${quoted(field)}`).join('');
  return `curl -sS -u ${credentials} ${quoted(`${url}/api/v1${path}`)}${data}`;
}

/** Quotes any text as one word of a shell's command line. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
