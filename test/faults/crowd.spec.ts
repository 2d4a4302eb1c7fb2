import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readCredentials } from '../../src/app/config/owner-credentials.js';
import { readConfig } from '../../src/app/config/read-config.js';
import { type RunningServer, startServer } from '../../src/app/server.js';
import { eventRegistry } from '../../src/events/event-registry.js';
import { MESSAGES_STREAM, type MessageSent } from '../../src/events/messages/messages.events.js';
import { CONTENT_KEYS, type ContentKeys } from '../../src/platform/content-keys/content-keys.js';
import { openEngines } from '../../src/platform/engines/open-engines.js';
import { Admission } from '../../src/platform/kernel/admission.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { EventCodec } from '../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/log/event-store.js';
import { withOwnEngines } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';

const AT_ONCE = 512;
const MOST_WAITING = 200;
/** One caller may have half of the waiting commands. */
const ADMITTED = AT_ONCE + MOST_WAITING / 2;
const REFUSED = 76;
const LONGEST_WAIT_MS = 10_000;

it('every client of a crowd is answered truly: its message is stored, or it is refused and not stored', async () => {
  await withOwnEngines(async ({ environment, dataDirectory }) => {
    const doors = new Doors();
    const settings = { ANNALS_LOG_LEVEL: 'error', ANNALS_PORT: '0', ANNALS_WAITING_COMMANDS: `${MOST_WAITING}` };
    const config = readConfig('start', {}, { ...settings, ...environment });
    const server = await startServer(config, { open: async (engines) => doors.before(await openEngines(engines)) });
    try {
      const send = await sender(server, dataDirectory);
      await eventually(async () => expect((await send('first')).status).toBe(200));

      doors.shut();
      let answered = 0;
      const crowd = Array.from({ length: ADMITTED + REFUSED }, async (_, n) => {
        const content = `message ${n}`;
        const answer = await send(content);
        answered += 1;
        return { content, ...answer };
      });
      await eventually(() => expect(answered).toBeGreaterThanOrEqual(REFUSED));
      doors.open();
      const told = await Promise.all(crowd);

      const stored = told.filter(({ status }) => status === 200);
      const refused = told.filter(({ status }) => status === 503);
      // If this process stood still for longer than a command may wait, those that waited have been sent away, too.
      const late = refused.filter(({ ms }) => ms >= LONGEST_WAIT_MS).length;
      expect(stored.length + refused.length).toBe(ADMITTED + REFUSED);
      expect(stored.length).toBe(ADMITTED - Math.min(late, refused.length - REFUSED));
      expect(stored.length).toBeGreaterThanOrEqual(AT_ONCE);
      expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['2']));
      const inLog = await messagesIn(server);
      expect(inLog.map(({ id, content }) => `${id} ${content}`).sort()).toEqual(
        stored.map(({ id, content }) => `${id} ${content}`).sort(),
      );

      // Stored and refused commands have both left their places.
      expect((await send(' ')).status).toBe(400);
      const later = told.reduce((sum, { refusedLater }) => sum + refusedLater, 0);
      const { refused: counted, ...load } = server.app.get(Admission).load;
      expect(load).toEqual({ atWork: 0, waiting: 0 });
      expect(counted).toBeGreaterThanOrEqual(refused.length);
      expect(counted).toBeLessThanOrEqual(refused.length + later);
    } finally {
      doors.open();
      await server.close();
    }
  });
});

/** Holds messages back before they reach the log, while it is shut. */
class Doors {
  private passed: Promise<void> = Promise.resolve();
  open: () => void = () => {};

  shut(): void {
    this.passed = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  before<E extends { readonly eventStore: EventStore }>(engines: E): E {
    const { eventStore } = engines;
    const append: EventStore['append'] = async (stream, events, expected) => {
      if (stream === MESSAGES_STREAM) await this.passed;
      return eventStore.append(stream, events, expected);
    };
    const get = (target: EventStore, name: keyof EventStore): unknown => {
      const value = name === 'append' ? append : target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    };
    return {
      ...engines,
      eventStore: new Proxy(eventStore, { get: (target, name) => get(target, name as keyof EventStore) }),
    };
  }
}

async function sender({ url }: RunningServer, dataDirectory: string) {
  const owner = await readCredentials(join(dataDirectory, 'owner.zuliprc'));
  const headers = { authorization: `Basic ${btoa(`${owner?.email}:${owner?.key}`)}` };
  return async (content: string) => {
    const body = new URLSearchParams({ type: 'channel', to: '"general"', topic: 'crowd', content });
    const since = performance.now();
    const request = { method: 'POST', body, headers: { ...headers, 'Idempotency-Key': randomUUID() } };
    const attempt = async () => {
      const answer = await fetch(`${url}/api/v1/messages`, request);
      const { id, code } = (await answer.json()) as { readonly id?: number; readonly code?: string };
      const ms = performance.now() - since;
      return { id, code, ms, status: answer.status, retryAfter: answer.headers.get('retry-after') };
    };
    const first = await attempt();
    if (first.code !== 'OUTCOME_UNKNOWN') return { ...first, refusedLater: 0 };
    // A log in another process may answer too late. As the refusal says, the same request tells.
    let refusedLater = -1;
    return eventually(async () => {
      const again = await attempt();
      refusedLater += 1;
      expect(again.status).toBe(200);
      return { ...again, refusedLater };
    });
  };
}

/** The messages in the log, without the first. */
async function messagesIn({
  app,
}: RunningServer): Promise<{ readonly id: number; readonly content: string | undefined }[]> {
  const events = await app.get<EventStore>(EVENT_STORE).readStream(MESSAGES_STREAM, { from: 1 });
  const codec = new EventCodec(app.get<ContentKeys>(CONTENT_KEYS), eventRegistry);
  const sent = (await codec.decode(events)) as Recorded<MessageSent>[];
  return sent.map(({ revision, data }) => ({ id: revision + 1, content: data.content?.text }));
}
