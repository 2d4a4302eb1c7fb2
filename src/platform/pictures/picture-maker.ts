import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { UnavailableError } from '../kernel/outcome-errors.js';
import { threadEntry } from '../threads/thread-entry.js';
import { EXIT_CODES, type PictureOutcome, type PictureTask } from './picture-task.js';

/** Pictures that are made at the same time. */
const MOST_AT_ONCE = 2;
/** Pictures that may wait. Clients that ask for more are told to come back. */
const MOST_WAITING = 200;
const DEADLINE_MS = 10_000;
/** The process ends itself at its deadline; this long after it, it is killed. */
const GRACE_MS = 2_000;

/** Makes pictures smaller, each in a process of its own: its memory is bounded, and a crash ends nothing else. */
export class PictureMaker {
  private atWork = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly deadline = DEADLINE_MS) {}

  /**
   * @param open opens the original when its turn has come
   * @throws UnavailableError if too many wait, and what `open` throws
   */
  async make(task: Omit<PictureTask, 'deadline'>, open: () => Promise<Readable>): Promise<PictureOutcome> {
    await this.turn();
    try {
      return await makePicture({ ...task, deadline: this.deadline }, await open());
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.atWork -= 1;
    }
  }

  private async turn(): Promise<void> {
    if (this.atWork < MOST_AT_ONCE) {
      this.atWork += 1;
      return;
    }
    if (this.waiting.length >= MOST_WAITING) throw new UnavailableError('too many pictures wait to be made');
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}

/** @throws the error of `original` */
async function makePicture(task: PictureTask, original: Readable): Promise<PictureOutcome> {
  const entry = threadEntry('src/platform/pictures/picture.process.js');
  // Neither settings nor secrets of the server are the process's business.
  const options = { env: {}, timeout: task.deadline + GRACE_MS, killSignal: 'SIGKILL' } as const;
  const maker = spawn(process.execPath, [entry, JSON.stringify(task)], options);
  const ended = new Promise<{ readonly code: number | null; readonly error?: Error }>((resolve) => {
    maker.once('error', (error) => resolve({ code: 1, error }));
    maker.once('close', (code) => resolve({ code }));
  });
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
