import { randomUUID } from 'node:crypto';
import {
  type AllStreamResolvedEvent,
  EventStoreDBClient,
  type JSONEventType,
  jsonEvent,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '@eventstore/db-client';

/** Credentials, with which the client takes the plain path. A server without TLS never sees them. */
export const PLAIN = { credentials: { username: 'admin', password: 'changeit' } };

export const connect = (url: string): EventStoreDBClient => EventStoreDBClient.connectionString(url);

export const event = (id: string = randomUUID(), text = '', type = 'Said') =>
  jsonEvent<JSONEventType<string, { text: string }>>({ id, type, data: { text } });

export const events = (count: number) => Array.from({ length: count }, () => event());

/** Makes one id for each name. */
export function ids(): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const id = known.get(name) ?? randomUUID();
    known.set(name, id);
    return id;
  };
}

export async function readStream(client: EventStoreDBClient, stream: string, options: ReadStreamOptions = {}) {
  const found: { id: string; revision: number }[] = [];
  for await (const { event: read } of client.readStream(stream, options)) {
    if (read) found.push({ id: read.id, revision: Number(read.revision) });
  }
  return found;
}

export async function readAll(client: EventStoreDBClient, options: ReadAllOptions = {}) {
  const found: NonNullable<AllStreamResolvedEvent['event']>[] = [];
  for await (const { event: read } of client.readAll(options)) if (read) found.push(read);
  return found;
}

export const revisions = (found: readonly { revision: number }[]): number[] => found.map(({ revision }) => revision);

export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it succeeded');
}

/** Whether the work is still pending at the end of this turn of the event loop. */
export async function isPending(work: Promise<unknown>): Promise<boolean> {
  const settled = work.then(
    () => false,
    () => false,
  );
  return Promise.race([settled, new Promise<boolean>((resolve) => setImmediate(resolve, true))]);
}
