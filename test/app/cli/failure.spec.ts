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
  it('of settings that are wrong: all of them, and where they are explained', () => {
    const error = thrownBy(() => readConfig('start', {}, { ANNALS_PORT: 'x', ANNALS_LOG_LEVEL: 'y' }));
    const { message, exitCode } = failureOf(error);
    expect(exitCode).toBe(2);
    expect(message.split('\n')).toHaveLength(3);
    expect(message).toContain('annals start --help');
  });

  it('of a port that is taken: which, and how to choose another', async () => {
    const first = await listen(0);
    const { port } = first.address() as { port: number };
    const error = await listen(port).catch((reason: unknown) => reason);
    first.close();
    expect(failureOf(error)).toEqual({
      exitCode: 1,
      message: `127.0.0.1 port ${port} is taken by another program: stop it, or choose another port with --port or ANNALS_PORT`,
    });
  });

  it('of an address that this machine does not have: how to choose another', async () => {
    const error = await listen(0, '192.0.2.1').catch((reason: unknown) => reason);
    expect(failureOf(error).message).toMatch(/no address 192\.0\.2\.1: choose another with --host or ANNALS_HOST/);
  });

  it('of a log that is refused: what the log says', () => {
    const error = new LogRefused('locked', 'the log is open in another process: stop it first');
    expect(failureOf(error)).toEqual({ exitCode: 1, message: 'the log is open in another process: stop it first' });
  });

  it('of a start that is refused: what to change, and nothing that a driver said', () => {
    const cause = new Error('no way to mongodb://me:s3cret@localhost');
    expect(failureOf(new StartRefused('correct MONGODB_URL', { cause }))).toEqual({
      exitCode: 1,
      message: 'correct MONGODB_URL',
    });
  });

  it('of anything else: the message and its causes, never a stack', () => {
    const { message } = failureOf(new Error('cannot start', { cause: new Error('the disk is gone') }));
    expect(message).toBe('cannot start: the disk is gone');
    const told = new Error('cannot start: the disk is gone', { cause: new Error('the disk is gone') });
    expect(failureOf(told).message).toBe('cannot start: the disk is gone');
  });

  it('of what was typed wrong: nothing more than was said, and exit code 2', () => {
    expect(failureOf(new CommanderError(1, 'commander.unknownOption', 'unknown'))).toEqual({
      message: '',
      exitCode: 2,
    });
    expect(failureOf(new UsageError('no such projection'))).toEqual({ message: 'no such projection', exitCode: 2 });
  });

  it('of help: exit code 0', () => {
    expect(failureOf(new CommanderError(0, 'commander.helpDisplayed', 'help')).exitCode).toBe(0);
  });
});
