import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkAnswer, checkpointIn, verifierKey } from '../../../bin/verify.mjs';
import type { JsonObject } from '../../../src/platform/kernel/json.js';
import { PublishedTree } from '../../../src/platform/transparency/published-tree.js';
import { ownEngines } from '../../support/engines/own-engines.js';
import { appendReleasedLog } from '../../support/events/released-log.js';
import { Annals } from '../../support/servers/annals.js';

type Entry = {
  readonly [name: string]: unknown;
  readonly kind: string;
  readonly id: string;
  readonly data: JsonObject;
};
type Path = readonly (string | number)[];

/** What a single event cannot prove: other events, or the server, have it. */
const NOT_IN_THE_EVENT = [
  'actor.email',
  'actor.email_today',
  'actor.name',
  'actor.name_today',
  'address',
  'channels.name',
  'channels.name_today',
  'position',
];

/** The paths to all values that are no objects, and to all empty objects. */
function* leaves(value: unknown, path: Path = []): Generator<Path> {
  const inside = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (inside.length === 0) yield path;
  for (const [name, part] of inside) yield* leaves(part, [...path, Array.isArray(value) ? Number(name) : name]);
}

function altered(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? '1999-01-01T00:00:00.000Z' : `${value}x`;
  return Array.isArray(value) ? [0] : 'x';
}

/** A copy with another value at the path. */
function changedAt(value: unknown, [name, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  if (Array.isArray(value)) return value.map((part, at) => (at === name ? changedAt(part, rest, change) : part));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, part]) => [key, key === name ? changedAt(part, rest, change) : part]),
  );
}

const nameOf = (path: Path): string => path.filter((part) => typeof part === 'string').join('.');

// The first version has events of old forms, the last one every type of event.
describe.each(['0.1.0', '0.6.0'])('an answer of the audit about a log of version %s', (version) => {
  let annals: Annals;
  let events: readonly Entry[];
  let check: (answer: unknown) => { readonly faults: readonly string[]; readonly unproved: readonly string[] };

  beforeAll(async () => {
    const engines = await ownEngines();
    annals = await Annals.on(engines, await appendReleasedLog(engines.settings, version));
    const owner = await annals.user('another-owner', 100);
    const { body } = await owner.api.get('/audit/events', { proofs: true, limit: 1000, order: 'oldest' });
    events = body.events;
    const key = verifierKey((await annals.app.get(PublishedTree).head())?.verifier ?? '');
    check = (answer) => checkAnswer(answer, (note) => checkpointIn(note, key, { keys: [], quorum: 0 }));
  });
  afterAll(() => annals.stop());

  it('is proved, but for what is in no single event', () => {
    const { faults, unproved } = check({ events });
    expect(faults).toEqual([]);
    expect(NOT_IN_THE_EVENT).toEqual(expect.arrayContaining([...unproved]));
    expect(events.length).toBeGreaterThan(20);
  });

  it('has no other field that can be altered, taken away or added', () => {
    const byKind = new Map(events.map((event) => [event.kind, event]));
    for (const event of byKind.values()) {
      const { proof: _, ...shown } = event;
      for (const path of leaves(shown)) {
        if (NOT_IN_THE_EVENT.includes(nameOf(path))) continue;
        const changed = changedAt(event, path, altered);
        const { faults, unproved } = check([changed]);
        // Words that are shown where the event has sealed ones are said to be unproved.
        const isSaid = faults.length === 1 || unproved.includes(nameOf(path.slice(0, 2)));
        expect([event.kind, nameOf(path), isSaid]).toEqual([event.kind, nameOf(path), true]);
        expect(faults[0] ?? event.id).toContain(event.id);
      }
      for (const name of Object.keys(shown).filter((name) => !NOT_IN_THE_EVENT.includes(name))) {
        const { [name]: __, ...less } = event;
        expect([event.kind, name, check([less]).faults]).toEqual([event.kind, name, [expect.stringContaining(name)]]);
      }
      expect(check([{ ...event, mood: 'angry' }]).unproved).toContain('mood');
      expect(check([{ ...event, data: { ...event.data, mood: 'angry' } }]).faults).toEqual([
        expect.stringContaining('data.mood'),
      ]);
    }
  });

  it('is read as an answer, as a list, and alone', () => {
    const [first] = events;
    for (const answer of [{ events: [first] }, [first], first]) expect(check(answer).faults).toEqual([]);
    for (const nothing of [{}, [], { events: [] }, { proofs: [] }])
      expect(() => check(nothing)).toThrow('there are no proofs');
    expect(check([{ ...first, proof: undefined }]).faults).toEqual(['there is no proof (c2sp.org/tlog-proof@v1)']);
  });
});
