import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { copyClosed } from '../support/engines/copy-closed.js';
import { embeddedEngines, type OwnEngines } from '../support/engines/own-engines.js';
import { contents, EventQueue } from '../support/requests/event-queue.js';
import { Annals } from '../support/servers/annals.js';
import { run } from '../support/servers/command-line.js';

let engines: OwnEngines;
let annals: Annals;
let scratch: string;

beforeEach(async () => {
  engines = await embeddedEngines();
  scratch = await mkdtemp(join(tmpdir(), 'annals-'));
  annals = await Annals.on(engines);
});
afterEach(async () => {
  await annals.stop();
  await rm(scratch, { recursive: true, force: true });
});

const at = (name: string): string => join(scratch, name);
const CREDENTIALS = 'owner.zuliprc';
const settings = { ANNALS_ACCESS_DAYS: '0' };
const command = async (...words: string[]): Promise<void> =>
  expect(await run(words, { ...settings, ANNALS_DATA_DIR: engines.dataDirectory })).toMatchObject({ code: 0 });

async function say(count: number, content: string): Promise<void> {
  const { api, id } = await annals.owner();
  for (let n = 0; n < count; n++) await api.post('/messages', { type: 'direct', to: [id], content: `${content} ${n}` });
}

/** The whole folder, as a snapshot of the file system has it. */
async function replaceWith(folder: string): Promise<void> {
  await annals.close();
  await rm(engines.dataDirectory, { recursive: true });
  await cp(folder, engines.dataDirectory, { recursive: true });
}

/** What the client is answered now, and once the log has grown past its position. */
async function answers(queue: EventQueue): Promise<readonly unknown[]> {
  const { api } = await annals.owner();
  const poll = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true };
  const before = (await api.get('/events', poll)).body.code;
  await say(40, 'later');
  return [before, (await api.get('/events', poll)).body.code];
}
const ENDED = ['BAD_EVENT_QUEUE_ID', 'BAD_EVENT_QUEUE_ID'];

it('a client from before a restored backup registers anew, and misses nothing', async () => {
  const queue = await EventQueue.register((await annals.owner()).api, { event_types: ['message'] });
  await command('backup', at('backup'));
  await say(30, 'lost');
  expect(contents(await queue.drain())).toHaveLength(30);
  await annals.close();
  await cp(join(engines.dataDirectory, CREDENTIALS), at(CREDENTIALS));
  await rm(engines.dataDirectory, { recursive: true });
  await command('restore', at('backup'));
  await cp(at(CREDENTIALS), join(engines.dataDirectory, CREDENTIALS));
  annals = await Annals.on(engines);
  await say(10, 'new');
  expect(await answers(queue)).toEqual(ENDED);
  const again = await EventQueue.register((await annals.owner()).api, { event_types: ['message'] });
  await say(1, 'newest');
  expect(contents(await again.drain())).toHaveLength(1);
});

it('a client is told so even if everything was put back as it was, documents and all', async () => {
  const queue = await EventQueue.register((await annals.owner()).api, { event_types: ['message'] });
  await annals.close();
  await copyClosed(engines.dataDirectory, at('snapshot'));
  annals = await Annals.on(engines);
  queue.api = (await annals.owner()).api;
  await say(30, 'lost');
  expect(contents(await queue.drain())).toHaveLength(30);
  await replaceWith(at('snapshot'));
  annals = await Annals.on(engines);
  await say(10, 'new');
  expect(await answers(queue)).toEqual(ENDED);
});
