import { statfs } from 'node:fs/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { appends } from '../../platform/commands/appends.js';
import { PeriodicTask } from '../../platform/kernel/periodic-task.js';
import { syncs } from '../../platform/log/syncs.js';
import { runningQueues, triedTasks } from '../../platform/tasks/task.js';
import type { Health } from '../health/health.js';
import { LagClock } from './lag-clock.js';

/** A line in which requests wait for their turn. */
interface Line {
  readonly name: string;
  readonly load: () => { readonly atWork: number; readonly waiting: number };
}

/** What a process lets be measured. */
export interface MeasuredProcess {
  readonly health: Health;
  readonly dataDirectory: string;
  /** Of a process that answers clients. */
  readonly lines?: readonly Line[];
  readonly waitingPolls?: () => number;
}

interface AnsweredRequest {
  readonly method: string;
  /** As it is declared, never as it was asked for: a client cannot make up names. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

const OUTCOMES = ['done', 'later', 'refused', 'given up'] as const;
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LOOK_MS = 1000;
const COUNT_MS = 5000;

/** Counts what a process does, and reads the rest when it is asked. The names are in docs/operations.md. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests = this.histogram('annals_http_request_seconds', 'Requests until the answer has left', [
    'method',
    'route',
    'status',
  ]);
  private readonly refusals = this.counter('annals_refusals_total', 'Refused requests by the code of the domain', [
    'code',
  ]);
  private readonly appended = this.counter('annals_log_events_total', 'Events that this process has appended', []);
  private readonly appendTimes = this.histogram(
    'annals_log_append_seconds',
    'Appends until the events are on disk',
    [],
  );
  private readonly syncTimes = this.histogram(
    'annals_log_sync_seconds',
    'Commits of the log in SQLite, each of which syncs a group of appends',
    [],
  );
  private readonly tries = this.counter('annals_task_tries_total', 'Tries of mails, notifications and calls of bots', [
    'tasks',
    'outcome',
  ]);
  /** Of each queue, how many tasks are not finished, as far as was known lately. */
  private readonly tasks = new Map<string, number>();
  private readonly lag: LagClock;
  private readonly counting = new PeriodicTask({
    every: COUNT_MS,
    firstAfter: 0,
    ref: false,
    work: () => this.countTasks(),
  });
  private readonly looks: NodeJS.Timeout;
  private readonly endings: (() => void)[];

  constructor(private readonly measured: MeasuredProcess) {
    collectDefaultMetrics({ register: this.registry });
    this.lag = new LagClock(() => measured.health.report().logEnd);
    this.looks = setInterval(() => this.lag.look(), LOOK_MS).unref();
    this.endings = [
      appends.listen(({ events, seconds }) => {
        this.appended.inc(events);
        this.appendTimes.observe(seconds);
      }),
      syncs.listen(({ seconds }) => this.syncTimes.observe(seconds)),
      triedTasks.listen((labels) => this.tries.inc(labels)),
    ];
    this.readLog();
    this.readProjections();
    this.readFollowers();
    this.readWaiting();
    this.readTasks();
    this.readDisk();
    this.counting.start();
  }

  answered({ seconds, status, ...labels }: AnsweredRequest): void {
    this.requests.observe({ ...labels, status: String(status) }, seconds);
  }

  refused(code: string): void {
    this.refusals.inc({ code });
  }

  async close(): Promise<void> {
    clearInterval(this.looks);
    await this.counting.stop();
    for (const end of this.endings) end();
    this.registry.clear();
  }

  private readLog(): void {
    const { health } = this.measured;
    this.gauge('annals_ready', 'Whether the process can do its work', [], (set) => set(Number(health.report().ready)));
    this.gauge('annals_log_end', 'Position of the newest event of the log', [], (set) => set(health.report().logEnd));
    this.gauge('annals_engine_reachable', 'Whether an engine answers', ['engine'], (set) => {
      for (const [engine, { reachable }] of Object.entries(health.report().engines)) set(Number(reachable), { engine });
    });
  }

  private readProjections(): void {
    const { health } = this.measured;
    const labels = ['projection'];
    const each =
      (read: (status: ReturnType<Health['report']>['projections'][number]) => number | null) =>
      (set: (value: number, labels: Record<string, string>) => void) => {
        for (const status of health.report().projections) {
          const value = read(status);
          if (value !== null) set(value, { projection: status.name });
        }
      };
    this.gauge(
      'annals_projection_position',
      'Position up to which documents are made',
      labels,
      each(({ position }) => position),
    );
    this.gauge(
      'annals_projection_lag_seconds',
      'For how long the log has had an event that the documents lack',
      labels,
      each(({ position }) => this.lag.since(position)),
    );
    this.gauge(
      'annals_projection_failed',
      'Whether documents have failed or make no headway',
      labels,
      each(({ error }) => Number(error !== null)),
    );
    this.gauge(
      'annals_projection_build_ratio',
      'How far a build under way is, 0 to 1',
      labels,
      each(({ progress }) => (progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : null)),
    );
  }

  private readFollowers(): void {
    const { health } = this.measured;
    this.gauge('annals_passed_over_events', 'Events that followers of the log could not handle', [], (set) =>
      set(health.report().passedOver?.count ?? 0),
    );
    this.gauge('annals_damaged_files', 'Stored files that are not as the log says', [], (set) =>
      set(health.report().damagedFiles.length),
    );
    this.gauge('annals_signed_events', 'Events in the newest signed checkpoint of the log', [], (set) =>
      set(health.report().checkpoints?.size ?? 0),
    );
    this.gauge(
      'annals_verified_timestamp_seconds',
      'When the last verification ended, by its result',
      ['result'],
      (set) => {
        const { result, endedAt } = health.report().verification ?? {};
        if (result && endedAt) set(Date.parse(endedAt) / 1000, { result });
      },
    );
    this.gauge('annals_verification_ratio', 'How far the step of a verification under way is, 0 to 1', [], (set) => {
      const { result, percent } = health.report().verification ?? {};
      if (result === 'running' && percent != null) set(percent / 100);
    });
    this.gauge('annals_backup_timestamp_seconds', 'When the last backup ended', [], (set) => {
      const { backup } = health.report();
      if (backup) set(Date.parse(backup.endedAt) / 1000);
    });
  }

  private readTasks(): void {
    this.gauge('annals_tasks_waiting', 'Mails, notifications and calls of bots that are not done', ['tasks'], (set) => {
      for (const [tasks, waiting] of this.tasks) set(waiting, { tasks });
    });
  }

  /** Counts beside the answers, which do not wait for an engine that is away. */
  private async countTasks(): Promise<void> {
    const counted = new Map<string, number>();
    for (const queue of runningQueues) {
      // Outcomes that never were are told, too: a rise from nothing would not be seen.
      for (const outcome of OUTCOMES) this.tries.inc({ tasks: queue.name, outcome }, 0);
      const waiting = await queue.waiting().catch(() => null);
      if (waiting !== null) counted.set(queue.name, (counted.get(queue.name) ?? 0) + waiting);
    }
    this.tasks.clear();
    for (const [tasks, waiting] of counted) this.tasks.set(tasks, waiting);
  }

  private readWaiting(): void {
    const { health, lines, waitingPolls } = this.measured;
    if (waitingPolls)
      this.gauge('annals_waiting_polls', 'Polls that wait for events', [], (set) => set(waitingPolls()));
    if (!lines) return;
    this.gauge(
      'annals_event_queues',
      'Event queues that clients have registered and that have not ended',
      [],
      (set) => {
        const queues = health.report().process?.eventQueues ?? null;
        if (queues !== null) set(queues);
      },
    );
    this.gauge('annals_requests_at_work', 'Requests that have their turn, by line', ['line'], (set) => {
      for (const { name, load } of lines) set(load().atWork, { line: name });
    });
    this.gauge('annals_requests_waiting', 'Requests that wait for their turn, by line', ['line'], (set) => {
      for (const { name, load } of lines) set(load().waiting, { line: name });
    });
  }

  private readDisk(): void {
    this.gauge('annals_disk_free_bytes', 'Free bytes of the disk of the data directory', [], async (set) => {
      const { bavail, bsize } = await statfs(this.measured.dataDirectory);
      set(bavail * bsize);
    });
  }

  private gauge(
    name: string,
    help: string,
    labelNames: string[],
    read: (set: (value: number, labels?: Record<string, string>) => void) => void | Promise<void>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        // Values of what is no longer there would stay.
        this.reset();
        // Without labels, a reset one is 0, which would be told for what is not known.
        if (labelNames.length === 0) this.remove();
        await read((value, labels = {}) => this.set(labels, value));
      },
    });
  }

  private counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }
}
