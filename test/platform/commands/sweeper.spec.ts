import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Sweeper } from '../../../src/platform/commands/sweeper.js';
import { eventually } from '../../support/eventually.js';

/** Fails with each of the texts in turn; null succeeds. */
class Failing extends Sweeper {
  runs = 0;

  constructor(private readonly failures: readonly (string | null)[]) {
    super({ name: 'Failing', failure: 'it could not be done', every: 1 });
  }

  sweep(): Promise<void> {
    const failure = this.failures[this.runs++] ?? null;
    return failure === null ? Promise.resolve() : Promise.reject(new Error(failure));
  }
}

describe('a sweeper', () => {
  afterEach(() => Logger.overrideLogger(false));

  it('tells a failure once, and again after a success', async () => {
    const told: string[] = [];
    const logger = { log() {}, error() {}, warn: (text: string) => void told.push(text) };
    Logger.overrideLogger(logger);
    const sweeper = new Failing([
      'is being built',
      'is being built',
      'is gone',
      'is being built',
      null,
      'is being built',
    ]);
    sweeper.onApplicationBootstrap();
    await eventually(() => expect(sweeper.runs).toBeGreaterThan(6));
    await sweeper.onApplicationShutdown();
    const building = 'it could not be done: Error: is being built';
    expect(told).toEqual([building, 'it could not be done: Error: is gone', building, building]);
  });
});
