import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DocumentDatabase } from '../../../src/platform/documents/document-store.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { Deferred } from '../../../src/platform/kernel/deferred.js';
import type { QueuedTask, TaskRefusal, TaskResult } from '../../../src/platform/tasks/task.js';
import { TASK_INDEXES, TaskQueue } from '../../../src/platform/tasks/task-queue.js';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';

interface Noted extends QueuedTask {
  readonly note?: string;
  readonly secret?: string;
  readonly withdrawn?: boolean;
}

const TASKS = 'tasks';
const DAY_MS = 86_400_000;
const later: TaskResult<Noted> = { outcome: 'later', reason: 'busy' };
const done: TaskResult<Noted> = { outcome: 'done' };

describe('a queue of tasks', () => {
  let own: OwnEngines;
  let engines: Engines;
  let database: DocumentDatabase;
  let queue: TaskQueue<Noted>;
  let now = 1_700_000_000_000;
  let tried: string[] = [];
  let lastTries: string[] = [];
  let finished: Noted[] = [];
  let warned: string[] = [];
  let perform: (task: Noted) => Promise<TaskResult<Noted>>;
  let record: (task: Noted, refusal: TaskRefusal) => Promise<void>;

  beforeEach(async () => {
    [tried, lastTries, finished, warned] = [[], [], [], []];
    perform = async () => done;
    record = async () => {};
    own = await ownEngines();
    engines = await openEngines(own.settings);
    database = await engines.documentStore.database('queue');
    await database.ensure({ [TASKS]: { indexes: [...TASK_INDEXES] } });
    queue = start();
  });
  afterEach(async () => {
    await queue.close();
    await database.close();
    await engines.close();
    await own.remove();
  });

  function start(): TaskQueue<Noted> {
    const opened = new TaskQueue<Noted>({
      tasks: database.collection<Noted>(TASKS),
      lanes: { a: 2, b: 2 },
      patience: { firstPause: 1000, longestPause: 5000, longestTrying: DAY_MS, closing: 2000 },
      perform: async (task, isLastTry) => {
        tried.push(task._id);
        if (isLastTry) lastTries.push(task._id);
        return perform(task);
      },
      recordRefusal: (task, refusal) => record(task, refusal),
      erase: async ({ secret: _, ...kept }) => kept,
      finished: async (task) => {
        finished.push(task);
      },
      warn: (line) => warned.push(line),
      words: { task: (id) => `task ${id}`, tasks: 'tasks', receiver: 'the receiver' },
      now: () => now,
    });
    opened.start();
    return opened;
  }

  const add = async (_id: string, lane = 'a'): Promise<void> => {
    await queue.add({ ...queue.entering(), _id, lane });
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
    await queue.add({ ...queue.entering(), _id: 'waiting', lane: 'a' });
    queue = start();
    await eventually(() => expect(tried).toEqual(['waiting']));
  });

  it('tries again after a pause, doubled up to a limit, or as long as the receiver says', async () => {
    let result: TaskResult<Noted> = later;
    perform = async () => result;
    const dueIn = async (): Promise<number> => ((await queue.tasks.findOne({ _id: 'one' }))?.dueAt ?? 0) - now;
    await add('one');
    await eventually(async () => expect(await dueIn()).toBe(1000));
    pass(1000);
    await eventually(async () => expect(await dueIn()).toBe(2000));
    for (const [passed, next] of [
      [2000, 4000],
      [4000, 5000],
    ] as const) {
      pass(passed);
      await eventually(async () => expect(await dueIn()).toBe(next));
    }
    result = { outcome: 'later', reason: 'busy', retryAfterMs: 60_000 };
    pass(5000);
    await eventually(async () => expect(await dueIn()).toBe(60_000));
    result = done;
    pass(60_000);
    await eventually(() => expect(finished).toHaveLength(1));
    expect(tried).toHaveLength(6);
    expect(warned[0]).toBe('task one is tried again in 1 s: busy');
  });

  it('tries a task again whose try fails in a way that nobody foresaw, and others meanwhile', async () => {
    perform = async ({ _id }) => (_id === 'odd' ? Promise.reject(new Error('odd')) : done);
    await add('odd');
    await add('even');
    await eventually(() => expect(finished.map(({ _id }) => _id)).toEqual(['even']));
    expect(warned).toEqual(['task odd is tried again in 1 s: Error: odd']);
  });

  it('does not let a task wait for one that has to wait', async () => {
    perform = async ({ _id }) => (_id === 'busy' ? later : done);
    for (const id of ['busy', 'free']) await add(id);
    await eventually(() => expect(finished.map(({ _id }) => _id)).toEqual(['free']));
    pass(1000);
    await eventually(() => expect(tried).toEqual(['busy', 'free', 'busy']));
  });

  it('tries no more tasks of a lane at the same time than it is told to', async () => {
    const release = new Deferred<void>();
    let most = 0;
    let current = 0;
    perform = async () => {
      current += 1;
      most = Math.max(most, current);
      await release.promise;
      current -= 1;
      return done;
    };
    for (const id of ['one', 'two', 'three']) await queue.add({ ...queue.entering(), _id: id, lane: 'a' });
    queue.wake();
    await eventually(() => expect(tried).toHaveLength(2));
    release.resolve();
    await eventually(() => expect(finished).toHaveLength(3));
    expect(most).toBe(2);
  });

  it('gives up a task that is refused, and keeps nothing of its content', async () => {
    const recorded: [string, TaskRefusal][] = [];
    record = async ({ _id }, refusal) => void recorded.push([_id, refusal]);
    perform = async () => ({ outcome: 'refused', reason: 'never', code: 550, changes: { note: 'seen' } });
    await queue.add({ ...queue.entering(), _id: 'one', lane: 'a', secret: 'words' });
    queue.wake();
    const kept = { _id: 'one', lane: 'a', queuedAt: now, tries: 0, finishedAt: now, note: 'seen' };
    await eventually(() => expect(finished).toEqual([kept]));
    expect(await queue.tasks.findOne({ _id: 'one' })).toEqual(kept);
    expect(recorded).toEqual([['one', { reason: 'refused', code: 550 }]]);
    expect(warned).toEqual(['task one is given up, because the receiver refuses it: never']);
  });

  it('has a refusal recorded before it forgets the task, however long that takes, and does not try it again', async () => {
    const recorded: TaskRefusal[] = [];
    perform = async () => later;
    record = () => Promise.reject(new Error('away'));
    await add('one');
    await eventually(() => expect(warned).toHaveLength(1));
    pass(DAY_MS);
    await eventually(() =>
      expect(warned.at(-1)).toBe('that task one is given up cannot be recorded, trying again in 2 s: Error: away'),
    );
    record = async (_, refusal) => void recorded.push(refusal);
    await queue.close();
    now += 2000;
    queue = start();
    await eventually(() => expect(finished).toHaveLength(1));
    expect(recorded).toEqual([{ reason: 'given up', code: null }]);
    expect(tried).toHaveLength(2);
  });

  it('has a refusal recorded after a restart, and does not try the task again, even if the process ends meanwhile', async () => {
    perform = async () => ({ outcome: 'refused', reason: 'never', changes: { note: 'why' } });
    const recorded: unknown[] = [];
    record = () => new Promise(() => {});
    await add('one');
    await eventually(async () => expect(await queue.tasks.findOne({ _id: 'one' })).toHaveProperty('refusal'));
    record = async ({ note, tries }) => void recorded.push({ note, tries });
    // The first queue is left as it is, as by a process that is killed.
    const second = start();
    await eventually(() => expect(recorded).toEqual([{ note: 'why', tries: 0 }]));
    await second.close();
    expect(tried).toEqual(['one']);
  });

  it('counts no try that the end of the queue interrupts', async () => {
    const closing = new Deferred<void>();
    perform = async () => {
      await closing.promise;
      return { outcome: 'interrupted' };
    };
    await add('one');
    await eventually(() => expect(tried).toEqual(['one']));
    const closed = queue.close();
    closing.resolve();
    await closed;
    expect(await queue.tasks.findOne({ _id: 'one' })).toMatchObject({ tries: 0, dueAt: now });
    expect([tried, warned]).toEqual([['one'], []]);
    perform = async () => done;
    queue = start();
    await eventually(() => expect(finished.map(({ _id }) => _id)).toEqual(['one']));
  });

  it('gives a task up after a day, and says so', async () => {
    perform = async () => later;
    await add('one');
    await eventually(() => expect(warned).toHaveLength(1));
    pass(DAY_MS);
    await eventually(() => expect(warned.at(-1)).toMatch(/^task one is given up after 2 tries: busy/));
    expect(lastTries).toEqual(['one']);
    expect((await queue.tasks.findOne({ _id: 'one' }))?.dueAt).toBeUndefined();
  });

  it('does not let one lane wait for another', async () => {
    const release = new Deferred<void>();
    perform = async ({ lane }) => {
      if (lane === 'a') await release.promise;
      return done;
    };
    await add('stuck', 'a');
    await eventually(() => expect(tried).toEqual(['stuck']));
    await add('free', 'b');
    await eventually(() => expect(finished.map(({ _id }) => _id)).toEqual(['free']));
    release.resolve();
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
