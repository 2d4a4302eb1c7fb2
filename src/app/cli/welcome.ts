import type { Credentials } from '../config/owner-credentials.js';

export interface Started {
  readonly url: string;
  readonly credentialsFile: string;
  /** Credentials of the owner, at the first start. */
  readonly credentials: Credentials | null;
  /** Random password that this start chose; shown now or never. */
  readonly password?: string | undefined;
}

/** Writes the greeting for the operator once the server answers. */
export function welcome({ url, credentialsFile, credentials, password }: Started): string {
  const running = `Annals is running at ${url}\nOwner's credentials: ${credentialsFile}\n`;
  if (!credentials) return running;
  return `${running}
This was the first start: the organization and its owner have been created.
  email     ${credentials.email}
${password === undefined ? '' : `  password  ${password}   (random, not shown again)\n`}
Send a message, then read it back:
  ${sendLine(url, credentials)}
  ${readLine(url, credentials)}
`;
}

function sendLine(url: string, { email, key }: Credentials): string {
  return [
    `curl -sS -u ${quoted(`${email}:${key}`)} ${quoted(`${url}/api/v1/messages`)}`,
    '-d type=channel -d to=general -d topic=hello',
    `--data-urlencode ${quoted('content=Hello from curl')}`,
  ].join(' ');
}

function readLine(url: string, { email, key }: Credentials): string {
  return [
    `curl -sS -G -u ${quoted(`${email}:${key}`)} ${quoted(`${url}/api/v1/messages`)}`,
    '-d anchor=newest -d num_before=1 -d num_after=0',
  ].join(' ');
}

/** Quotes any text as one word of a shell's command line. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
