import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProjectionRunner } from '../../../projections/runner/projection-runner.js';
import { BuildReport } from '../../../src/app/cli/build-report.js';
import { ReadyWatch } from '../../../src/app/cli/ready-watch.js';
import type { QueueDeleted } from '../../../src/events/event-queues/event-queues.events.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import type { Position } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { insert, projection } from '../../../src/platform/read-models/projection.js';
import { threadEntry } from '../../../src/platform/threads/thread-entry.js';

describe('a server that starts behind its log', () => {
  let folder: string;
  let engines: Engines;
  let runner: ProjectionRunner;
  let goOn: () => void;
  let head: Position;
  let shown: string;

  const newRunner = (): ProjectionRunner => {
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    // Holds each event until `goOn` is called.
    const slow = projection<QueueDeleted>({
      name: 'slow',
      version: 1,
      collections: { seen: {} },
      on: { QueueDeleted: ({ data }) => gate.then(() => [insert('seen', { _id: data.queueId })]) },
    });
    return new ProjectionRunner({
      eventStore: engines.eventStore,
      documentStore: engines.documentStore,
      codec: new EventCodec(engines.contentKeys, eventRegistry),
      projections: [slow],
      rebuild: { engines: { dataDirectory: folder }, projectionsModule: threadEntry('projections/index.js') },
    });
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ready-'));
    engines = await openEngines({ dataDirectory: folder });
    const first = newRunner();
    await first.start();
    await first.close();
    const metadata = { actorId: null, client: 'test', at: 1, correlationId: 'c', causationId: null };
    const deleted = { id: randomUUID(), type: 'QueueDeleted', version: 1, data: { queueId: 'q' }, metadata };
    head = (await engines.eventStore.append('eventQueues', [deleted], 'any')).position;
    runner = newRunner();
    await runner.start();
    shown = '';
  });

  afterEach(async () => {
    goOn();
    await runner.close();
    await engines.close();
    await rm(folder, { recursive: true });
  });

  const watch = (onWrite: () => void): ReadyWatch => {
    const write = (text: string): void => {
      shown += text;
      onWrite();
    };
    return new ReadyWatch(new BuildReport({ write }));
  };

  it('is ready once its documents have reached the log, and shows progress until then', async () => {
    const { signal } = new AbortController();
    await watch(() => goOn()).ready(runner, head, signal);
    expect(shown).toMatch(/^Building slow: 0 %/);
    expect(runner.status()).toMatchObject([{ name: 'slow', position: head }]);
  });

  it('stops waiting when it is told to stop', async () => {
    const stopping = new AbortController();
    await watch(() => stopping.abort()).ready(runner, head, stopping.signal);
    expect(runner.status()[0]?.position).toBeLessThan(head);
  });

  it('does not wait if its documents have reached the log', async () => {
    goOn();
    await runner.waitFor([{ name: 'slow', version: 1, collections: {}, on: {} }], head);
    const { signal } = new AbortController();
    await watch(() => {}).ready(runner, head, signal);
    expect(shown).toBe('');
  });
});
