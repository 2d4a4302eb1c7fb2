import { expect } from '@jest/globals';
import { ACCESSES_STREAM } from '../../../src/events/accesses/accesses.events.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { KeyAddresses } from '../../../src/features/accesses/http/key-addresses.js';
import { AccessLog } from '../../../src/features/accesses/services/access-log.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import type { Annals } from '../servers/annals.js';

const KEY_USE = 'KeyUsedElsewhere';

/** The accesses in the log, with their addresses. Every spec uses keys, so the events of such uses are left out. */
export async function accessesInLog(annals: Annals) {
  return (await allInLog(annals)).filter(({ type }) => type !== KEY_USE);
}

async function allInLog({ app }: Annals) {
  const { events } = await app
    .get<EventStore>(EVENT_STORE)
    .readAll({ after: 0, limit: 1000, filter: { streamPrefixes: [ACCESSES_STREAM] } });
  const codec = new EventCodec(app.get<ContentKeys>(CONTENT_KEYS), eventRegistry);
  return (await codec.decodeWithAddresses(events)).map(({ type, data, metadata: { actorId, client, address } }) => ({
    type,
    data,
    metadata: { actorId, client, address },
  }));
}

/** All accesses until now. */
export async function recordedAccesses(annals: Annals) {
  await annals.app.get(AccessLog).flush();
  return accessesInLog(annals);
}

/** Repeats as one: on a slow engine or a busy machine, they are in several events. */
export function together<A extends { readonly data: object }>(accesses: readonly A[]): A[] {
  const found = new Map<string, A>();
  for (const access of accesses) {
    const {
      count,
      firstAt: _firstAt,
      lastAt: _lastAt,
      ...what
    } = access.data as { count: number; firstAt: number; lastAt: number };
    const key = JSON.stringify({ ...access, data: what });
    const known = found.get(key);
    const sum = count + (known ? Reflect.get(known.data, 'count') : 0);
    found.set(key, { ...access, data: { ...access.data, count: sum } });
  }
  return [...found.values()];
}

/** All uses of keys from new addresses until now, and the number of the others. */
export async function recordedKeyUses(annals: Annals) {
  await annals.app.get(KeyAddresses).settled();
  await annals.app.get(AccessLog).flush();
  const isOf = (data: object): boolean => Reflect.get(data, 'of') === KEY_USE;
  return (await allInLog(annals)).filter(({ type, data }) => type === KEY_USE || isOf(data));
}

export const times = (count: number) => ({ count, firstAt: expect.any(Number), lastAt: expect.any(Number) });
