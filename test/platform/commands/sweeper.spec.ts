import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Sweeper } from '../../../src/platform/commands/sweeper.js';
import { NotBuiltYet } from '../../../src/platform/kernel/outcome-errors.js';
import { eventually } from '../../support/eventually.js';

/** Fails with each of these in turn; null succeeds. */
class Failing extends Sweeper {
  runs = 0;

  constructor(private readonly failures: readonly (string | Error | null)[]) {
    super({ name: 'Failing', failure: 'it could not be done', every: 1 });
  }

  sweep(): Promise<void> {
    const failure = this.failures[this.runs++] ?? null;
    return failure === null
      ? Promise.resolve()
      : Promise.reject(failure instanceof Error ? failure : new Error(failure));
  }
}

describe('a sweeper', () => {
  afterEach(() => Logger.overrideLogger(false));

  it('tells a failure once, and again after a success', async () => {
    const told: string[] = [];
    const logger = { log() {}, error() {}, warn: (text: string) => void told.push(text) };
    Logger.overrideLogger(logger);
    const sweeper = new Failing(['is not there', 'is not there', 'is gone', 'is not there', null, 'is not there']);
    sweeper.onApplicationBootstrap();
    await eventually(() => expect(sweeper.runs).toBeGreaterThan(6));
    await sweeper.onApplicationShutdown();
    const absent = 'it could not be done: Error: is not there';
    expect(told).toEqual([absent, 'it could not be done: Error: is gone', absent, absent]);
  });

  it('tells nothing of documents that a start has not built yet', async () => {
    const told: string[] = [];
    Logger.overrideLogger({ log() {}, error() {}, warn: (text: string) => void told.push(text) });
    const sweeper = new Failing([new NotBuiltYet('messages is being built'), 'is gone']);
    sweeper.onApplicationBootstrap();
    await eventually(() => expect(sweeper.runs).toBeGreaterThan(2));
    await sweeper.onApplicationShutdown();
    expect(told).toEqual(['it could not be done: Error: is gone']);
  });
});
