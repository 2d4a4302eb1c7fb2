import { createHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { appends } from '../commands/appends.js';
import { PeriodicTask } from '../kernel/periodic-task.js';
import { LastMinute, type Percentiles } from './last-minute.js';

/** How much a process does, and what it takes. Counts are since its start. */
export interface ProcessFigures {
  /** Milliseconds since 1970. Counts of an answer with another time are another process's. */
  readonly startedAt: number;
  readonly messagesSent: number;
  /** Answered requests, polls among them; null: the process answers no clients. */
  readonly requests: number | null;
  /** Milliseconds until the answer had left, in the last minute; null: there was no request. Polls that waited do not count. */
  readonly requestMs: Percentiles | null;
  /** Event queues of all processes, as of 5 s ago; null: not known. */
  readonly eventQueues: number | null;
  readonly residentBytes: number;
  /** What JavaScript uses of it, on the thread that answers. */
  readonly heapBytes: number;
  /** Milliseconds by which timers of the last minute were late; null: not known yet. */
  readonly eventLoopDelayMs: Percentiles | null;
}

export interface MeteredProcess {
  /** The stream whose events are messages. */
  readonly messages: string;
  /** Set for a process that answers clients. */
  readonly eventQueues?: () => Promise<number>;
}

const TURN_MS = 30_000;
const COUNT_MS = 5000;
/** Each look wakes the process: ten a second cost a thousandth of a processor. */
const DELAY_LOOK_MS = 100;
const MICROSECONDS = { lowest: 1, highest: 3_600_000_000, figures: 2 };

/** Measures a process at all times, so each measurement has to cost next to nothing. */
export class ProcessMeter {
  private readonly startedAt = Math.round(performance.timeOrigin);
  private readonly times = new LastMinute(() => createHistogram(MICROSECONDS));
  private readonly delays = new LastMinute(() => monitorEventLoopDelay({ resolution: DELAY_LOOK_MS }));
  private readonly turns = setInterval(() => this.turn(), TURN_MS).unref();
  private readonly counting: PeriodicTask;
  private readonly stopListening: () => void;
  private messagesSent = 0;
  private requests = 0;
  private eventQueues: number | null = null;

  constructor(private readonly metered: MeteredProcess) {
    this.stopListening = appends.listen(({ stream, events }) => {
      if (stream === metered.messages) this.messagesSent += events;
    });
    for (const delay of this.delays.both) delay.enable();
    this.counting = new PeriodicTask({
      every: COUNT_MS,
      firstAfter: 0,
      ref: false,
      work: async () => {
        this.eventQueues = (await metered.eventQueues?.().catch(() => null)) ?? null;
      },
    });
  }

  /** Begins to count event queues, which the documents tell. */
  start(): void {
    this.counting.start();
  }

  /** @param ms milliseconds until the answer had left; null: the time says nothing about the server */
  answered(ms: number | null): void {
    this.requests++;
    if (ms === null) return;
    const value = Math.max(1, Math.round(ms * 1000));
    const [one, other] = this.times.both;
    one.record(value);
    other.record(value);
  }

  figures(): ProcessFigures {
    const { rss, heapUsed } = process.memoryUsage();
    const isAsked = this.metered.eventQueues !== undefined;
    return {
      startedAt: this.startedAt,
      messagesSent: this.messagesSent,
      requests: isAsked ? this.requests : null,
      requestMs: this.times.percentiles((microseconds) => hundredths(microseconds / 1000)),
      eventQueues: this.eventQueues,
      residentBytes: rss,
      heapBytes: heapUsed,
      eventLoopDelayMs: this.delays.percentiles((nanoseconds) => hundredths(nanoseconds / 1e6 - DELAY_LOOK_MS)),
    };
  }

  /** Forgets times of more than a minute ago. */
  turn(): void {
    this.times.turn();
    this.delays.turn();
  }

  async close(): Promise<void> {
    clearInterval(this.turns);
    this.stopListening();
    for (const delay of this.delays.both) delay.disable();
    await this.counting.stop();
  }
}

const hundredths = (value: number): number => Math.max(0, Math.round(value * 100) / 100);
