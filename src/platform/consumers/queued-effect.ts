import { Logger } from '@nestjs/common';
import type { DocumentDatabase, IndexSpec } from '../documents/document-store.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type { Batch } from '../log/event-store.js';
import type { Projection } from '../read-models/projection.js';
import type { NewTask, QueuedTask } from '../tasks/task.js';
import { TASK_INDEXES, TaskQueue, type TaskQueueOptions } from '../tasks/task-queue.js';
import { Consumer } from './consumer.js';
import type { FollowerParts, OpenFollower } from './follower.js';
import { knownThrough } from './known-documents.js';

const TASKS = 'tasks';
/** Events that the effect is not concerned with, before the checkpoint is stored: the next start looks at them again. */
const MOST_IDLE = 500;

/** The plain data of a queued effect. Its code is loaded when it is opened. */
export interface EffectDeclaration<Task extends QueuedTask>
  extends Pick<TaskQueueOptions<Task>, 'lanes' | 'together' | 'patience' | 'words'> {
  /** Name in the log and in the list of events that it has passed over. */
  readonly name: string;
  /** Name of the part of the server in the lines that it logs. */
  readonly logger: string;
  /** The database of the checkpoint. */
  readonly database: string;
  /** The database of the queue. Rebuilds leave it and the checkpoint's alone. */
  readonly queue: string;
  /** Indexes of the tasks, besides those of every queue. */
  readonly indexes?: readonly IndexSpec[];
  /** Projections whose documents are as far as an event before it is handled. */
  readonly reads: readonly Projection[];
}

/** Facts of the log in memory, such as the directory. */
interface FollowedFacts {
  start(): Promise<void>;
  /** Resolves when the facts reflect the log up to `position`. @throws UnavailableError if that takes too long */
  reach(position: Position): Promise<void>;
  close(): Promise<void>;
}

/** The code of a queued effect. */
export interface Effect<Task extends QueuedTask, E extends DomainEvent>
  extends Pick<TaskQueueOptions<Task>, 'perform' | 'recordRefusal' | 'finished'> {
  /** Facts that are as far as an event before it is handled, started and closed with the effect. */
  readonly facts?: FollowedFacts;
  /** Tells from an event's open data, before it is decoded, whether to handle it; default: every event. */
  readonly concerns?: (data: E['data']) => boolean;
  /** Adds an event's tasks to the queue. An event may be handled again, so the ids of its tasks are derived from it. */
  readonly on: { readonly [T in E['type']]: (event: Recorded<Extract<E, { type: T }>>) => Promise<void> };
  /** Lanes that are tried from the start, besides those of the declaration. */
  readonly openLanes?: () => Iterable<string>;
  /** Called when the facts are there, before the first event and the first task. @param database of the queue */
  readonly start?: (database: DocumentDatabase) => Promise<void>;
  /** Called when no more events are handled and no more tasks are tried. */
  readonly close?: () => Promise<void>;
}

/** The tasks of an effect. */
export interface EffectTasks<Task extends QueuedTask> {
  /** Adds a task, unless there is one with its id. It is tried when the events at hand are handled, or one has failed. */
  add(task: NewTask<Task>): Promise<void>;
  /** For searches, and to finish tasks that need no try any more. @throws Error before the start */
  readonly queue: TaskQueue<Task>;
  /** Aborts when the queue closes. */
  readonly signal: AbortSignal;
  readonly warn: (line: string) => void;
}

/**
 * Runs an effect outside the server (D16): follows the log, and has the tasks that events make tried until they are done.
 * A crash repeats events and tries, and a task enters the queue once. Without a checkpoint, it starts at the log's end.
 */
export class QueuedEffect<Task extends QueuedTask, E extends DomainEvent> implements OpenFollower, EffectTasks<Task> {
  readonly warn: (line: string) => void;
  private readonly effect: Effect<Task, DomainEvent>;
  private readonly consumer: Consumer;
  private readonly stopping = new AbortController();
  private database: DocumentDatabase | null = null;
  private opened: TaskQueue<Task> | null = null;
  /** Lanes of tasks that were added since they were last tried. */
  private readonly waking = new Set<string>();
  /** Events since the checkpoint was stored. */
  private idle = 0;

  constructor(
    private readonly declared: EffectDeclaration<Task>,
    private readonly parts: FollowerParts,
    open: (tasks: EffectTasks<Task>) => Effect<Task, E>,
  ) {
    const log = new Logger(declared.logger);
    this.warn = (line) => log.warn(line);
    // The consumer delivers the types of `on` alone.
    this.effect = open(this) as unknown as Effect<Task, DomainEvent>;
    const { effect } = this;
    const { name, database } = declared;
    this.consumer = new Consumer({
      ...parts,
      name,
      database,
      types: Object.keys(effect.on),
      startAfter: async (checkpoint) => {
        if (checkpoint !== null) return checkpoint;
        const head = await parts.eventStore.head();
        await this.consumer.storeCheckpoint(head);
        return head;
      },
      prepare: async ({ events, position }) => {
        if (effect.concerns && events.length > 0) await effect.facts?.reach(position);
      },
      concerns: ({ data }) => effect.concerns?.(data) ?? true,
      handle: (events, batch) => this.handle(events, batch),
      again: async (event) => {
        await this.knownThrough(event.position);
        await this.attempt(event);
        this.wake();
      },
    });
  }

  async start(): Promise<void> {
    const { declared, effect } = this;
    await effect.facts?.start();
    this.database = await this.parts.documentStore.database(declared.queue);
    await this.database.ensure({ [TASKS]: { indexes: [...TASK_INDEXES, ...(declared.indexes ?? [])] } });
    await effect.start?.(this.database);
    this.opened = new TaskQueue<Task>({
      ...declared,
      perform: effect.perform.bind(effect),
      ...(effect.recordRefusal && { recordRefusal: effect.recordRefusal.bind(effect) }),
      tasks: this.database.collection<Task>(TASKS),
      finished: async (task) => {
        await effect.finished?.(task);
        this.wake();
      },
      warn: this.warn,
    });
    this.opened.start();
    for (const lane of effect.openLanes?.() ?? []) this.opened.openLane(lane);
    await this.consumer.start();
  }

  async close(): Promise<void> {
    await this.consumer.close();
    this.stopping.abort();
    await this.opened?.close();
    await this.effect.close?.();
    await this.effect.facts?.close();
    await this.database?.close();
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  get queue(): TaskQueue<Task> {
    if (!this.opened) throw new Error(`the queue of ${this.declared.words.tasks} is not started`);
    return this.opened;
  }

  async add(task: NewTask<Task>): Promise<void> {
    const entering = { ...task, ...this.queue.entering() } as unknown as Task;
    await this.queue.add(entering);
    this.waking.add(entering.lane);
  }

  private async handle(events: readonly Recorded[], batch: Batch): Promise<void> {
    if (events.length > 0) await this.knownThrough(batch.position);
    try {
      for (const event of events) {
        if (this.consumer.signal.aborted) return;
        await this.attempt(event);
        this.consumer.markHandled(event.position);
      }
    } finally {
      this.wake();
    }
    this.idle += batch.events.length;
    if (events.length === 0 && this.idle < MOST_IDLE) return;
    await this.consumer.storeCheckpoint(batch.position, batch.events.at(-1));
    this.idle = 0;
  }

  private async knownThrough(position: Position): Promise<void> {
    await knownThrough(position, this.declared.reads, this.parts.readModels);
    await this.effect.facts?.reach(position);
  }

  private attempt(event: Recorded): Promise<boolean> {
    return this.consumer.attempt(event, async () => this.effect.on[event.type]?.(event));
  }

  private wake(): void {
    if (this.signal.aborted) return;
    for (const lane of this.waking) this.opened?.openLane(lane);
    this.waking.clear();
  }
}
