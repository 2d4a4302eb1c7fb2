import { createServer, type Server } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { CommanderError } from 'commander';
import { failureOf, UsageError } from '../../../src/app/cli/failure.js';
import { readConfig } from '../../../src/app/config/read-config.js';
import { StartRefused } from '../../../src/platform/kernel/start-refused.js';
import { LogRefused } from '../../../src/platform/log/event-store.js';

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

const listen = (port: number, host = '127.0.0.1'): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });

describe('the message to an operator', () => {
  it('names all settings that are wrong, and the help that explains them', () => {
    const error = thrownBy(() => readConfig('start', {}, { ANNALS_PORT: 'x', ANNALS_LOG_LEVEL: 'y' }));
    const { message, exitCode } = failureOf(error);
    expect(exitCode).toBe(2);
    expect(message.split('\n')).toHaveLength(3);
    expect(message).toContain('annals start --help');
  });

  it('names a port that is taken, and how to choose another', async () => {
    const first = await listen(0);
    const { port } = first.address() as { port: number };
    const error = await listen(port).catch((reason: unknown) => reason);
    first.close();
    expect(failureOf(error)).toEqual({
      exitCode: 1,
      message: `127.0.0.1 port ${port} is taken by another program: stop it, or choose another port with --port or ANNALS_PORT`,
    });
  });

  it('names an address that this machine does not have, and how to choose another', async () => {
    const error = await listen(0, '192.0.2.1').catch((reason: unknown) => reason);
    expect(failureOf(error).message).toMatch(/no address 192\.0\.2\.1: choose another with --host or ANNALS_HOST/);
  });

  it("is the log's own message if the log is refused", () => {
    const error = new LogRefused('locked', 'the log is open in another process: stop it first');
    expect(failureOf(error)).toEqual({ exitCode: 1, message: 'the log is open in another process: stop it first' });
  });

  it("says what to change if the start is refused, and nothing of the driver's message", () => {
    const cause = new Error('no way to mongodb://me:s3cret@localhost');
    expect(failureOf(new StartRefused('correct MONGODB_URL', { cause }))).toEqual({
      exitCode: 1,
      message: 'correct MONGODB_URL',
    });
  });

  it('has the message and the causes of any other error, never a stack', () => {
    const { message } = failureOf(new Error('cannot start', { cause: new Error('the disk is gone') }));
    expect(message).toBe('cannot start: the disk is gone');
    const told = new Error('cannot start: the disk is gone', { cause: new Error('the disk is gone') });
    expect(failureOf(told).message).toBe('cannot start: the disk is gone');
  });

  it('adds nothing to the message of a usage error, and has exit code 2', () => {
    expect(failureOf(new CommanderError(1, 'commander.unknownOption', 'unknown'))).toEqual({
      message: '',
      exitCode: 2,
    });
    expect(failureOf(new UsageError('no such projection'))).toEqual({ message: 'no such projection', exitCode: 2 });
  });

  it('has exit code 0 if help was asked for', () => {
    expect(failureOf(new CommanderError(0, 'commander.helpDisplayed', 'help')).exitCode).toBe(0);
  });
});
