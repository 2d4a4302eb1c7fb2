import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { AwakeTimer } from '../kernel/awake-time.js';
import type { Asker } from '../kernel/client-connection.js';
import { threadEntry } from '../threads/thread-entry.js';
import { PictureQueue, type PictureQueueBounds } from './picture-queue.js';
import {
  EXIT_CODES,
  type MeasureTask,
  type PictureHeader,
  type PictureOutcome,
  type PictureTask,
} from './picture-task.js';

const DEADLINE_MS = 10_000;
/** The process ends itself at its deadline; this long after it, it is killed. */
const GRACE_MS = 2_000;

/** A picture that somebody asks for. */
export interface PictureOrder {
  readonly asker: Asker;
  readonly task: Omit<PictureTask, 'deadline'>;
  /** Opens the original when its turn has come. */
  readonly open: () => Promise<Readable>;
  /** Names the picture, if several may ask for it: it is made once for all who ask meanwhile. */
  readonly key?: string;
  /** Uses the outcome, such as to store it, once for all of them and before any of them has it. */
  readonly finish?: (outcome: PictureOutcome) => Promise<void>;
}

/** Makes pictures smaller, each in a process of its own: its memory is bounded, and a crash ends nothing else. */
export class PictureMaker {
  private readonly queue: PictureQueue<PictureOutcome>;
  private readonly deadline: number;

  /** @param deadline milliseconds for one picture */
  constructor({ deadline = DEADLINE_MS, bounds }: { deadline?: number; bounds?: PictureQueueBounds } = {}) {
    this.queue = new PictureQueue(bounds);
    this.deadline = deadline;
  }

  /** Requests that wait for their turn. */
  get waiting(): number {
    return this.queue.waiting;
  }

  /**
   * @throws DomainError RATE_LIMIT_HIT if too many of the account wait; Overloaded if too many wait in all, or the client
   * has hung up; errors of `open` and `finish`
   */
  make({ asker, task, open, key, finish }: PictureOrder): Promise<PictureOutcome> {
    return this.queue.run(key ?? Symbol('own'), asker, async () => {
      const outcome = await makePicture({ ...task, deadline: this.deadline }, await open());
      await finish?.(outcome);
      return outcome;
    });
  }

  /**
   * Reads the header of a picture.
   * @returns `unreadable` if it is no picture of a supported format; `unknown` if the process took too long or does not work
   * @throws as `make`
   */
  async measure({
    asker,
    open,
  }: Pick<PictureOrder, 'asker' | 'open'>): Promise<PictureHeader | 'unreadable' | 'unknown'> {
    const { deadline } = this;
    const work = async () => makePicture({ measures: true, deadline }, await open());
    const outcome = await this.queue.run(Symbol('own'), asker, work);
    if (outcome.kind === 'made') return JSON.parse(outcome.bytes.toString('utf8'));
    return outcome.kind === 'unreadable' ? 'unreadable' : 'unknown';
  }
}

/** @throws the error of `original` */
async function makePicture(task: PictureTask | MeasureTask, original: Readable): Promise<PictureOutcome> {
  const entry = threadEntry('src/platform/pictures/picture.process.js');
  // Neither settings nor secrets of the server are the process's business.
  const maker = spawn(process.execPath, [entry, JSON.stringify(task)], { env: {} });
  // While the machine stands still, nothing is made.
  const deadline = new AwakeTimer(task.deadline + GRACE_MS, () => maker.kill('SIGKILL'));
  const ended = new Promise<{ readonly code: number | null; readonly error?: Error }>((resolve) => {
    maker.once('error', (error) => resolve({ code: 1, error }));
    maker.once('close', (code) => resolve({ code }));
  }).finally(() => deadline.clear());
  let broken: Error | null = null;
  original.once('error', (error) => {
    broken = error;
    maker.kill('SIGKILL');
  });
  // The process may end before it has read everything.
  maker.stdin.on('error', () => {}).once('close', () => original.destroy());
  original.pipe(maker.stdin);
  const [bytes, problem, { code, error }] = await Promise.all([
    // A process that could not be started breaks its streams off.
    buffer(maker.stdout).catch(() => Buffer.alloc(0)),
    text(maker.stderr).catch(() => ''),
    ended,
  ]);
  if (broken) throw broken;
  return outcomeOf(code, bytes, error?.message ?? problem);
}

function outcomeOf(code: number | null, bytes: Buffer, problem: string): PictureOutcome {
  switch (code) {
    case EXIT_CODES.made:
      return { kind: 'made', bytes };
    case EXIT_CODES.small:
      return { kind: 'small' };
    case EXIT_CODES.unreadable:
      return { kind: 'unreadable' };
    case EXIT_CODES.excessive:
    // Killed: by its deadline, by the system for its memory, or by a fault in the library.
    case null:
      return { kind: 'excessive' };
    default:
      return { kind: 'failed', reason: problem.trim() };
  }
}
