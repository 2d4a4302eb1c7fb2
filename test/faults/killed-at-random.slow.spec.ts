import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnEngines, ownEngines } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import { Api, ConnectionLost } from '../support/requests/api.js';
import { RunningServer } from '../support/servers/running-server.js';

/** `killed-at-a-point.slow.spec.ts` kills at each known point. Random kills find others over many runs. */
const KILLS = 10;
/** Fewer kills, because a process waits some seconds before it takes over from a killed one. */
const KILLS_ON_SHARED_ENGINES = 6;
const SENDERS = 8;
const LONGEST_LIFE_MS = 250;

interface Attempt {
  readonly content: string;
  /** Sent as Idempotency-Key; null for a send without one. */
  readonly key: string | null;
}

/** The memory of a client over the server's deaths. */
class Witness {
  readonly acknowledged = new Map<string, number>();
  readonly unanswered: Attempt[] = [];
  /** Message ids in the order in which the queue delivered them. */
  readonly delivered: number[] = [];
  queue: { id: string; lastEventId: number } | null = null;
  private verifiedUpTo = 0;
  private readonly seen = new Set<string>();

  async send(api: Api, attempt: Attempt): Promise<boolean> {
    const headers: Record<string, string> = attempt.key === null ? {} : { 'Idempotency-Key': attempt.key };
    try {
      const answer = await api.post(
        'messages',
        { type: 'channel', to: 'general', topic: 'storm', content: attempt.content },
        headers,
      );
      expect(answer.msg).toBe('');
      this.acknowledged.set(attempt.content, answer.id as number);
      return true;
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      this.unanswered.push(attempt);
      return false;
    }
  }

  async poll(api: Api, block: boolean): Promise<number> {
    if (!this.queue) {
      const { queue_id, last_event_id } = await api.post('register', { event_types: ['message'] });
      this.queue = { id: queue_id as string, lastEventId: last_event_id as number };
    }
    const answer = await api.get('events', {
      queue_id: this.queue.id,
      last_event_id: this.queue.lastEventId,
      dont_block: !block,
    });
    expect(answer.msg).toBe('');
    const events = answer.events as { id: number; type: string; message?: { id: number } }[];
    for (const event of events) {
      expect(event.id).toBeGreaterThanOrEqual(this.queue.lastEventId);
      this.queue.lastEventId = event.id;
      if (event.message) this.delivered.push(event.message.id);
    }
    return events.filter((event) => event.type !== 'heartbeat').length;
  }

  /** Repeats the sends without an answer, after a restart, and compares the server's messages with the acknowledged ones. */
  async verify(api: Api): Promise<void> {
    const repeated = this.unanswered.splice(0);
    for (const attempt of repeated) if (attempt.key !== null) expect(await this.send(api, attempt)).toBe(true);

    for (;;) {
      const page = await api.get('messages', {
        anchor: this.verifiedUpTo,
        include_anchor: false,
        num_before: 0,
        num_after: 1000,
        apply_markdown: false,
        narrow: [['channel', 'general']],
      });
      const messages = page.messages as { id: number; content: string }[];
      for (const { id, content } of messages) {
        expect(id).toBe(this.verifiedUpTo + 1);
        expect(this.seen.has(content)).toBe(false);
        this.seen.add(content);
        if (this.acknowledged.has(content)) expect(this.acknowledged.get(content)).toBe(id);
        this.verifiedUpTo = id;
      }
      if (page.found_newest) break;
    }
    for (const content of this.acknowledged.keys()) expect(this.seen.has(content)).toBe(true);

    while ((await this.poll(api, false)) > 0);
    expect(this.delivered).toEqual(Array.from({ length: this.verifiedUpTo }, (_, index) => index + 1));
  }

  get total(): number {
    return this.verifiedUpTo;
  }
}

describe('a server that is killed during sends', () => {
  let engines: OwnEngines;
  let server: RunningServer | undefined;
  beforeAll(async () => {
    engines = await ownEngines();
  });
  afterAll(async () => {
    await server?.kill();
    await engines.remove();
  });

  async function start(): Promise<RunningServer> {
    server = await RunningServer.start(engines.dataDirectory, engines.environment);
    return server.caughtUp();
  }

  it('loses no acknowledged message, stores no message twice, and continues every queue', async () => {
    const witness = new Witness();
    const kills = engines.settings.distributed ? KILLS_ON_SHARED_ENGINES : KILLS;
    let running = await start();
    await witness.poll(new Api(await running.owner()), false);

    for (let kill = 0; kill < kills; kill++) {
      const api = new Api(await running.owner());
      let number = 0;
      const senders = Array.from({ length: SENDERS }, async (_, sender) => {
        for (;;) {
          const content = `kill ${kill}, sender ${sender}, message ${number++}`;
          if (!(await witness.send(api, { content, key: sender % 2 === 0 ? content : null }))) return;
        }
      });
      const poller = (async () => {
        for (;;) {
          try {
            await witness.poll(api, true);
          } catch (error) {
            if (error instanceof ConnectionLost) return;
            throw error;
          }
        }
      })();
      // Every other server has answered before its last moments begin: on a slow machine, the others die before that.
      const before = witness.acknowledged.size;
      if (kill % 2 === 0) await eventually(() => expect(witness.acknowledged.size).toBeGreaterThan(before));
      await pause(20 + Math.random() * LONGEST_LIFE_MS);
      await running.kill();
      await Promise.all([...senders, poller]);

      running = await start();
      await witness.verify(new Api(await running.owner()));
    }
    expect(witness.total).toBeGreaterThan(kills);

    await running.stop();
    const live = await engines.documents();
    await engines.removeDocuments();
    running = await start();
    await running.stop();
    expect(await engines.documents()).toEqual(live);
  }, 480_000);
});
