import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DocumentDatabase } from '../../../src/platform/documents/document-store.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import {
  PushQueue,
  type PushTask,
  TASK_INDEXES,
  TASKS,
  type TaskResult,
} from '../../../src/platform/push/push-queue.js';
import { eventually } from '../../support/eventually.js';
import { type OwnEngines, ownEngines } from '../../support/own-engines.js';

interface Noted extends PushTask {
  readonly note?: string;
  readonly withdrawn?: boolean;
}

const DAY_MS = 86_400_000;
const later: TaskResult<Noted> = { outcome: 'later', reason: 'busy', retryAfterMs: null };
const done: TaskResult<Noted> = { outcome: 'done' };

describe('the queue of notifications', () => {
  let own: OwnEngines;
  let engines: Engines;
  let database: DocumentDatabase;
  let queue: PushQueue<Noted>;
  let now = 1_700_000_000_000;
  let tried: string[] = [];
  let lastTries: string[] = [];
  let finished: Noted[] = [];
  let warned: string[] = [];
  let perform: (task: Noted) => Promise<TaskResult<Noted>>;

  beforeEach(async () => {
    [tried, lastTries, finished, warned] = [[], [], [], []];
    perform = async () => done;
    own = await ownEngines();
    engines = await openEngines(own.settings);
    database = await engines.documentStore.database('pushes');
    await database.ensure({ [TASKS]: { indexes: [...TASK_INDEXES] } });
    queue = start();
  });
  afterEach(async () => {
    await queue.close();
    await database.close();
    await engines.close();
    await own.remove();
  });

  function start(): PushQueue<Noted> {
    const opened = new PushQueue<Noted>(database, {
      lanes: ['a', 'b'],
      perform: async (task, isLastTry) => {
        tried.push(task._id);
        if (isLastTry) lastTries.push(task._id);
        return perform(task);
      },
      finished: async (task) => {
        finished.push(task);
      },
      warn: (line) => warned.push(line),
      now: () => now,
      firstPause: 1000,
    });
    opened.start();
    return opened;
  }

  const add = async (_id: string, lane = 'a'): Promise<void> => {
    await queue.add({ _id, lane });
    queue.wake();
  };
  const pass = (ms: number): void => {
    now += ms;
    queue.wake();
  };

  it('tries a task once, also if it is added again, and after a restart', async () => {
    await add('one');
    await eventually(() => expect(finished.map(({ _id }) => _id)).toEqual(['one']));
    await add('one');
    await queue.close();
    queue = start();
    await add('two');
    await eventually(() => expect(finished.map(({ _id }) => _id)).toEqual(['one', 'two']));
    expect(tried).toEqual(['one', 'two']);
  });

  it('tries a task that was waiting at a restart', async () => {
    await queue.close();
    await queue.add({ _id: 'waiting', lane: 'a' });
    queue = start();
    await eventually(() => expect(tried).toEqual(['waiting']));
  });

  it('tries again after a pause, doubled or as long as the service says', async () => {
    let result: TaskResult<Noted> = later;
    perform = async () => result;
    const dueIn = async (): Promise<number> => ((await queue.tasks.findOne({ _id: 'one' }))?.dueAt ?? 0) - now;
    await add('one');
    await eventually(async () => expect(await dueIn()).toBe(1000));
    pass(1000);
    await eventually(async () => expect(await dueIn()).toBe(2000));
    result = { outcome: 'later', reason: 'busy', retryAfterMs: 60_000 };
    pass(2000);
    await eventually(async () => expect(await dueIn()).toBe(60_000));
    result = done;
    pass(60_000);
    await eventually(() => expect(finished).toHaveLength(1));
    expect(tried).toHaveLength(4);
  });

  it('gives a task up after a day, and says so', async () => {
    perform = async () => later;
    await add('one');
    await eventually(() => expect(warned).toHaveLength(1));
    pass(DAY_MS);
    await eventually(() => expect(warned.at(-1)).toMatch(/^one is given up after 2 tries: busy/));
    expect(lastTries).toEqual(['one']);
    expect((await queue.tasks.findOne({ _id: 'one' }))?.dueAt).toBeUndefined();
  });

  it('does not let one lane wait for another', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    perform = async ({ lane }) => {
      if (lane === 'a') await held;
      return done;
    };
    await add('stuck', 'a');
    await eventually(() => expect(tried).toEqual(['stuck']));
    await add('free', 'b');
    await eventually(() => expect(finished.map(({ _id }) => _id)).toEqual(['free']));
    release();
    await eventually(() => expect(finished.map(({ _id }) => _id)).toEqual(['free', 'stuck']));
  });

  it('keeps what others noted while a task was tried', async () => {
    perform = async (task) => {
      await queue.finish(task, { withdrawn: true });
      return { outcome: 'done', changes: { note: 'sent' } };
    };
    await add('one');
    await eventually(() => expect(finished).toEqual([expect.objectContaining({ withdrawn: true, note: 'sent' })]));
  });

  it('does not try a task again that was finished meanwhile', async () => {
    perform = async (task) => {
      await queue.finish(task);
      return later;
    };
    await add('one');
    await eventually(() => expect(warned).toHaveLength(1));
    await queue.close();
    expect((await queue.tasks.findOne({ _id: 'one' }))?.dueAt).toBeUndefined();
  });
});
