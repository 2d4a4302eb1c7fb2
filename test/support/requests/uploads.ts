import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Member } from '../servers/annals.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: specs say what they expect of it
  readonly body: any;
}

const basic = ({ email, apiKey }: Pick<Member, 'email' | 'apiKey'>): string =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;

/** Sends a request over the network. @param who null: no credentials */
export async function ask(
  url: string,
  path: string,
  who: Pick<Member, 'email' | 'apiKey'> | null,
  init: RequestInit = {},
): Promise<Answer> {
  const headers = { ...init.headers, ...(who && { Authorization: basic(who) }) };
  const response = await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  const body: unknown = isJson ? JSON.parse(bytes.toString('utf8')) : null;
  return { status: response.status, headers: response.headers, bytes, body };
}

export const fileOf = (content: string | Buffer, name: string, type = ''): File =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name, { type });

/** Uploads files as browsers do. */
export function upload(url: string, who: Pick<Member, 'email' | 'apiKey'> | null, ...files: File[]): Promise<Answer> {
  const form = new FormData();
  for (const file of files) form.append('file', file);
  return ask(url, '/api/v1/user_uploads', who, { method: 'POST', body: form });
}

/** Uploads a file. @returns its URL */
export async function uploaded(
  url: string,
  who: Pick<Member, 'email' | 'apiKey'>,
  content: string | Buffer = 'content',
  name = 'notes.txt',
  type = 'text/plain',
): Promise<string> {
  const { status, body } = await upload(url, who, fileOf(content, name, type));
  if (status !== 200) throw new Error(`the upload was refused: ${JSON.stringify(body)}`);
  return body.url;
}

/** Tells whether specs can look at the files on disk. In GridFS, they see only whether a file exists. */
export const filesAreOnDisk = process.env.TEST_ENGINES !== 'distributed';

const INCOMING = 'incoming';
const DERIVED = 'derived';

/** Lists files that are kept, and files that are not kept yet; none if they are not on disk. */
export async function filesOnDisk(dataDirectory: string): Promise<{ kept: string[]; incoming: string[] }> {
  if (!filesAreOnDisk) return { kept: [], incoming: [] };
  const folder = join(dataDirectory, 'uploads');
  const kept = (await readdir(folder)).filter((name) => name !== INCOMING && name !== DERIVED).sort();
  return { kept, incoming: await readdir(join(folder, INCOMING)) };
}
