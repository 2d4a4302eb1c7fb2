import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { bundled } from '../../../scripts/bundle.js';
import { ownEngines } from '../engines/own-engines.js';
import { Api, ConnectionLost } from '../requests/api.js';
import { Annals } from './annals.js';
import { RunningServer } from './running-server.js';

const FAULTY = bundled('test/support/servers/faulty-server.ts');

/** A server, with a client of its owner. */
export interface Side {
  readonly api: Api;
  readonly dataDirectory: string;
  /** Names engines other than the embedded ones. */
  readonly environment: Readonly<Record<string, string>>;
  kill(): Promise<void>;
}

/** Steps around the death of a server. */
export interface Killing<Prepared> {
  /** Runs before the server may die. */
  prepare(side: Side): Promise<Prepared>;
  /** Ends with the server dead. */
  work(side: Side, prepared: Prepared): Promise<unknown>;
  /** Checks the files of the dead server. */
  left?(side: Side, prepared: Prepared): Promise<unknown>;
  /** Checks a new server, in this process, on the files of the dead one. */
  check(side: Side, prepared: Prepared): Promise<unknown>;
  /** Checks the files after the new server has stopped. */
  stopped?(side: Side, prepared: Prepared): Promise<unknown>;
}

/**
 * @param point where a server process kills itself: see `faulty-server.ts`
 * @param settings of both servers
 */
export async function killedAt<Prepared>(
  point: string,
  killing: Killing<Prepared>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const engines = await ownEngines();
  const { dataDirectory, environment } = engines;
  let annals: Annals | undefined;
  let faulty: RunningServer | undefined;
  try {
    faulty = await RunningServer.start(dataDirectory, { ...settings, ...environment }, { file: FAULTY, args: [point] });
    const server = faulty;
    await faulty.caughtUp();
    const side = { api: new Api(await faulty.owner()), dataDirectory, environment, kill: () => server.kill() };
    const prepared = await killing.prepare(side);
    await writeFile(join(dataDirectory, 'armed'), '');
    await killing.work(side, prepared);
    await faulty.ended();
    await rm(join(dataDirectory, 'armed'));
    await killing.left?.(side, prepared);
    annals = await Annals.on(engines, settings);
    await killing.check({ ...side, api: await annals.ownerApi() }, prepared);
    await annals.close();
    await killing.stopped?.(side, prepared);
  } finally {
    await faulty?.kill();
    await annals?.close();
    await engines.remove();
  }
}

/** Runs `work` against a server that is killed at `point` and so answers nothing, then `check` against a new server. */
export const killedDuring = (
  point: string,
  work: (api: Api) => Promise<unknown>,
  check: (api: Api) => Promise<void>,
  prepare: (api: Api) => Promise<void> = async () => {},
): Promise<void> =>
  killedAt(point, {
    prepare: ({ api }) => prepare(api),
    work: ({ api }) => expect(work(api)).rejects.toBeInstanceOf(ConnectionLost),
    check: ({ api }) => check(api),
  });

export const keyedMessage = { type: 'channel', to: 'general', topic: 'faults', content: 'exactly once' };

/**
 * Sends the message, kills the server at `point`, repeats the send, and expects the message to be there once. One process answers
 * a send before its documents are stored: then the answer that was given holds.
 */
export async function expectSentOnce(point: string): Promise<void> {
  const send = (api: Api) => api.post('messages', keyedMessage, { 'Idempotency-Key': 'the only one' });
  const answers: unknown[] = [];
  await killedAt(point, {
    prepare: async () => {},
    work: async ({ api }) => {
      const answer = await send(api).catch((error: unknown) => expect(error).toBeInstanceOf(ConnectionLost));
      if (answer) answers.push(answer);
    },
    check: async ({ api }) => {
      const first = await send(api);
      expect(first.msg).toBe('');
      for (const answer of [...answers, await send(api)]) expect(answer).toEqual(first);
      expect(await contentsIn(api)).toEqual([{ id: first.id, content: keyedMessage.content }]);
    },
  });
}

/** The messages that a reader gets, from the first. */
export async function contentsIn(api: Api): Promise<{ id: number; content: string }[]> {
  const answer = await api.get('messages', { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false });
  return (answer.messages as { id: number; content: string }[]).map(({ id, content }) => ({ id, content }));
}
