import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Logger } from '@nestjs/common';
import { type DocumentDatabase, type DocumentStore, DuplicateKey } from '../../platform/documents/document-store.js';
import type { EngineSettings } from '../../platform/engines/engines.js';
import { DAY_MS } from '../../platform/kernel/durations.js';
import { PeriodicTask } from '../../platform/kernel/periodic-task.js';
import { processEnvironment } from '../config/environment.js';
import {
  RUNS,
  VERIFICATION_DATABASE,
  type VerificationDocument,
  verificationCollections,
} from './verification.documents.js';

interface DailyVerificationOptions {
  /** Minutes after midnight, UTC. */
  readonly at: number;
  readonly settings: EngineSettings;
  readonly checkpointsFile: string;
  /** The program that serves, with the arguments of Node before it: it has the command that verifies. */
  readonly program: readonly string[];
  /** Milliseconds between two looks at the clock. */
  readonly lookEvery?: number;
}

const LOOK_EVERY_MS = 10_000;
/** A server that was down at the time does it within an hour, and otherwise the next day. */
const WINDOW_MS = 3600 * 1000;
const MOST_SAID = 20;
const PROGRESS = /^(\w[\w ]*): (\d+) %/;

/**
 * Runs `annals verify --files` once a day, in a process of low priority, in one process of all that share the engines.
 * What was interrupted goes on where it was the next day.
 */
export class DailyVerification {
  private readonly looking: PeriodicTask;
  private readonly log = new Logger('Verification');
  private child: ChildProcess | null = null;
  private isClosing = false;

  private constructor(
    private readonly database: DocumentDatabase,
    private readonly options: DailyVerificationOptions,
  ) {
    const { lookEvery = LOOK_EVERY_MS } = options;
    this.looking = new PeriodicTask({ every: lookEvery, ref: false, work: () => this.look() });
  }

  static async open(documentStore: DocumentStore, options: DailyVerificationOptions): Promise<DailyVerification> {
    const database = await documentStore.database(VERIFICATION_DATABASE);
    await database.ensure(verificationCollections);
    return new DailyVerification(database, options);
  }

  start(): void {
    this.looking.start();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.child?.kill('SIGTERM');
    await this.looking.stop();
    await this.database.close();
  }

  private async look(): Promise<void> {
    try {
      const now = Date.now();
      const last = await this.runs.findOne({ _id: 'last' });
      if (isDue(now, this.options.at, last?.startedAt ?? null) && (await this.claim(last, now))) await this.run(now);
    } catch (error) {
      if (!this.isClosing) this.log.warn(`the log is not verified, trying again: ${String(error)}`);
    }
  }

  private get runs() {
    return this.database.collection<VerificationDocument>(RUNS);
  }

  /** @returns false if another process does it */
  private async claim(last: VerificationDocument | null, now: number): Promise<boolean> {
    const claimed: VerificationDocument = {
      _id: 'last',
      startedAt: now,
      endedAt: null,
      aliveAt: now,
      doing: null,
      percent: null,
      result: null,
      said: [],
    };
    if (last !== null)
      return (await this.runs.replaceOne({ _id: 'last', startedAt: last.startedAt }, claimed)).matched === 1;
    try {
      await this.runs.insertOne(claimed);
      return true;
    } catch (error) {
      if (error instanceof DuplicateKey) return false;
      throw error;
    }
  }

  private async run(startedAt: number): Promise<void> {
    const [command = process.execPath, ...before] = this.options.program;
    const state = join(this.options.settings.dataDirectory, 'verifying');
    const child = spawn(command, [...before, 'verify', '--files', '--state', state], {
      env: { ...processEnvironment(), NODE_OPTIONS: '', ...this.environment() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    const said: string[] = [];
    let progress: Pick<VerificationDocument, 'doing' | 'percent'> = { doing: null, percent: null };
    const ended = once(child, 'close');
    // A process that could not be started has no exit code.
    child.once('error', (error) => said.push(String(error)));
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        const [, doing, percent] = PROGRESS.exec(line) ?? [];
        if (doing !== undefined) progress = { doing, percent: Number(percent) };
        else if (said.length < MOST_SAID) said.push(line);
      });
    const alive = new PeriodicTask({
      every: LOOK_EVERY_MS,
      ref: false,
      work: () => this.store(startedAt, { aliveAt: Date.now(), ...progress }).catch(() => {}),
    });
    alive.start();
    const [code] = await ended.finally(() => alive.stop());
    this.child = null;
    const result = code === 0 ? 'right' : this.isClosing || code === null ? 'interrupted' : 'wrong';
    const percent = result === 'right' ? null : progress.percent;
    await this.store(startedAt, { endedAt: Date.now(), ...progress, percent, result, said });
    const text = `the log was verified by itself: ${said.join(' ')}`;
    if (result === 'wrong') this.log.error(text);
    else if (result === 'right') this.log.log(text);
  }

  private async store(startedAt: number, fields: Partial<VerificationDocument>): Promise<void> {
    await this.runs.updateOne({ _id: 'last', startedAt }, { $set: fields });
  }

  private environment(): Record<string, string> {
    const { dataDirectory, distributed } = this.options.settings;
    return {
      ANNALS_DATA_DIR: dataDirectory,
      ANNALS_CHECKPOINTS_FILE: this.options.checkpointsFile,
      ...(distributed && {
        EVENTSTORE_URL: distributed.eventStoreUrl,
        MONGODB_URL: distributed.mongodbUrl,
        ANNALS_STREAM_PREFIX: distributed.streamPrefix,
      }),
    };
  }
}

/** Whether a verification is due. @param at minutes after midnight, UTC @param lastAt the last one's start; null: never */
export function isDue(now: number, at: number, lastAt: number | null): boolean {
  const sinceMidnight = now % DAY_MS;
  const since = (sinceMidnight - at * 60_000 + DAY_MS) % DAY_MS;
  return since < WINDOW_MS && (lastAt === null || lastAt < now - since);
}
