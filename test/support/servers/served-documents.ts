import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { copyClosed } from '../engines/copy-closed.js';
import { embeddedEngines, type OwnEngines } from '../engines/own-engines.js';
import { Api } from '../requests/api.js';
import { Annals } from './annals.js';
import { RunningServer } from './running-server.js';

const SENT = ['one', 'two', 'three'];
const DONE = { result: 'success' };
const EVERYBODY = { narrow: [], anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };

/** A data directory that a server has served and left. */
export async function servedDocuments(): Promise<OwnEngines> {
  const engines = await embeddedEngines();
  const annals = await Annals.on(engines, { ANNALS_LOG_LEVEL: 'fatal' });
  const { api } = await annals.owner();
  for (const content of SENT) await api.post('/messages', { type: 'channel', to: 'general', topic: 't', content });
  await api.post('/drafts', { drafts: [{ type: 'stream', to: [1], topic: 't', content: 'draft' }] });
  await api.post('/register', {});
  await annals.close();
  return engines;
}

export async function copyOf(engines: OwnEngines): Promise<OwnEngines> {
  const copy = await embeddedEngines();
  await copyClosed(engines.dataDirectory, copy.dataDirectory);
  return copy;
}

/** Paths of all databases of documents. */
export async function documentFiles({ dataDirectory }: OwnEngines): Promise<readonly string[]> {
  const folder = join(dataDirectory, 'documents');
  return (await readdir(folder)).filter((name) => name.endsWith('.sqlite')).map((name) => join(folder, name));
}

/** Starts the program, expects right answers to reads and writes, and stops it. @returns its warnings */
export async function warningsOf({ dataDirectory }: OwnEngines): Promise<readonly string[]> {
  const server = await RunningServer.start(dataDirectory);
  try {
    await server.caughtUp();
    const api = new Api(await server.owner());
    expect(await api.post('messages', { type: 'channel', to: 'general', topic: 't', content: 'four' })).toMatchObject(
      DONE,
    );
    const { messages } = await api.get('messages', EVERYBODY);
    expect((messages as { content: string }[]).map(({ content }) => content)).toEqual([...SENT, 'four']);
    expect(await api.get('drafts')).toMatchObject({ ...DONE, count: 1 });
    expect(await api.post('register')).toMatchObject({ ...DONE, unread_msgs: { count: 4 } });
  } finally {
    await server.stop();
  }
  return server.printed.split('\n').filter((line) => line.startsWith('{'));
}
