import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { eventRegistry, eventStreams } from '../../src/events/event-registry.js';
import type { Schema } from '../../src/platform/http/openapi/schema.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { bestExamples, exampleEvents } from '../support/events/event-examples.js';
import { eventReaders } from '../support/events/event-readers.js';
import { type EventType, eventTypes } from '../support/events/event-types.js';
import { eventWriters } from '../support/events/event-writers.js';
import { eventsPage, storedEvents } from '../support/events/events-page.js';

const FILE = new URL('../../docs/events.md', import.meta.url);
/** For the AsyncAPI document, which the server makes of it. */
const STORED = new URL('../../published/stored-events.json', import.meta.url);

describe('docs/events.md', () => {
  let types: ReadonlyMap<string, EventType>;
  let metadata: Schema;
  let events: readonly Recorded[];
  beforeAll(async () => {
    ({ events: types, metadata } = eventTypes());
    events = await exampleEvents();
  });

  it('has every event as it is declared, with its writers and readers', async () => {
    const [writers, readers] = [eventWriters(), await eventReaders(events)];
    const known = { types, metadata, examples: bestExamples(events), writers, readers };
    const [page, stored] = [eventsPage(known), storedEvents(known)];
    if (process.env.UPDATE_DOCS) {
      writeFileSync(FILE, page);
      writeFileSync(STORED, stored);
    }
    expect(readFileSync(FILE, 'utf8')).toBe(page);
    expect(readFileSync(STORED, 'utf8')).toBe(stored);
  });

  it('says truly which fields events have: recorded ones have them, and no others', () => {
    const ajv = new Ajv2020({ allowUnionTypes: true });
    const ofMetadata = ajv.compile(metadata);
    const ofData = new Map([...types].map(([type, { data }]) => [type, ajv.compile(data)]));
    const failures = events.flatMap(({ type, data, metadata }) => [
      ...(ofData.get(type)?.(data) ? [] : [`${type}: ${ajv.errorsText(ofData.get(type)?.errors)}`]),
      ...(ofMetadata(metadata) ? [] : [ajv.errorsText(ofMetadata.errors)]),
    ]);
    expect(failures).toEqual([]);
    expect([...types.keys()].sort()).toEqual([...eventRegistry.keys()].sort());
  });

  it('says truly which stream events are in', () => {
    const elsewhere = events.filter(({ type, stream }) => {
      const named = eventStreams.find(({ events }) => events.some((one) => one.type === type))?.name ?? '';
      return !new RegExp(`^${named.replace(/\{\w+\}/, '(\\d+|\\{\\w+\\})')}$`).test(stream);
    });
    expect(elsewhere).toEqual([]);
  });
});
