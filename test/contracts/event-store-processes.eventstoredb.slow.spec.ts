import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compiled } from '../../scripts/transpile.js';
import { EventStoreDbEventStore } from '../../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { idsOf } from '../support/engines/event-store-events.js';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';
import { eventually } from '../support/eventually.js';

const APPENDER = compiled('test/support/engines/eventstoredb-appender.ts');

/** A line of the appender's output. */
interface Appended {
  readonly id: string;
  readonly revision?: number;
}

/** Another process, which appends large events, many at a time. */
class Appender {
  readonly appended: Appended[] = [];
  private readonly process: ChildProcess;
  private readonly exit: Promise<unknown[]>;
  private errors = '';

  constructor(url: string, streamPrefix: string, stream: string) {
    this.process = spawn(process.execPath, [APPENDER, url, streamPrefix, stream]);
    this.exit = once(this.process, 'close');
    const lines = createInterface({ input: this.process.stdout as NodeJS.ReadableStream });
    lines.on('line', (line) => {
      if (line !== '"open"') this.appended.push(JSON.parse(line));
    });
    this.process.stderr?.on('data', (chunk) => {
      this.errors += chunk;
    });
  }

  /** Waits until the appends under way have their outcome. @returns exit code and standard error */
  async end(): Promise<{ readonly code: unknown; readonly errors: string }> {
    this.process.stdin?.end();
    const [code] = await this.exit;
    return { code, errors: this.errors };
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }
}

describe('processes that append to EventStoreDB', () => {
  let server: EventStoreDbServer;
  beforeAll(async () => {
    server = await EventStoreDbServer.start();
  });
  afterAll(() => server.stop());

  it('survive kills of their server under full load, and find each event once at its revision', async () => {
    const appenders = ['one', 'two'].map(() => new Appender(server.url, 'load-', 'messages'));
    try {
      for (let kill = 1; kill <= 2; kill += 1) {
        await eventually(() => {
          for (const { appended } of appenders) expect(appended.length).toBeGreaterThan(kill * 30);
        });
        // The first kill hits a running server, the second one a server with all calls in its socket.
        if (kill === 2) server.freeze();
        await server.restart();
      }
      await eventually(() => {
        for (const { appended } of appenders) expect(appended.length).toBeGreaterThan(100);
      });
      // The processes end by themselves: no work goes on, and no error was thrown outside of a promise.
      for (const ended of await Promise.all(appenders.map((appender) => appender.end()))) {
        expect(ended).toEqual({ code: 0, errors: '' });
      }
    } finally {
      for (const appender of appenders) appender.kill();
    }

    const store = await EventStoreDbEventStore.open({ url: server.url, streamPrefix: 'load-', readOnly: true });
    const stored = idsOf(await store.readStream('messages'));
    await store.close();
    expect(new Set(stored).size).toBe(stored.length);
    const appended = appenders.flatMap((appender) => appender.appended);
    for (const { id, revision } of appended) expect(stored[revision ?? -1]).toBe(id);
    expect(stored).toHaveLength(appended.length);
  });
});
