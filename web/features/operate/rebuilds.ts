import { signal } from '@preact/signals';
import { request } from '../../platform/api.js';

/** `POST /projections/{projection}/rebuild` */
interface Begun {
  /** The documents that are read until the new ones are there. */
  readonly database: string | null;
}

/** A projection, as far as it tells how a rebuild goes on. */
interface Followed {
  readonly name: string;
  readonly state: string;
  readonly database: string | null;
  readonly progress: object | null;
  readonly buildError: { readonly message: string } | null;
}

/** The databases that were read when rebuilds began, by projection, until they have ended. */
const underWay = new Map<string, string | null>();

/** How the last rebuild ended that was asked for here. */
export const ended = signal('');

/** @throws Refused */
export async function beginRebuild(name: string): Promise<void> {
  const { database } = await request<Begun>('POST', `/projections/${name}/rebuild`);
  underWay.set(name, database);
  ended.value = '';
}

/** Whether one is under way, as far as it was asked for here. */
export const awaitsRebuild = (): boolean => underWay.size > 0;

/** Finds out which have ended. */
export function followRebuilds(projections: readonly Followed[]): void {
  for (const { name, database, progress, state, buildError } of projections) {
    if (!underWay.has(name)) continue;
    const isDone = database !== underWay.get(name);
    if (!isDone && (progress || state === 'rebuilding')) continue;
    underWay.delete(name);
    ended.value = isDone
      ? `${name} has been built anew`
      : `${name} was NOT built anew, and is as before: ${buildError?.message ?? 'the log of the server says why'}`;
  }
}
