import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuditOptions, printAudit } from '../../src/app/cli/print-audit.js';
import { type LogOptions, printLog } from '../../src/app/cli/print-log.js';
import { embeddedEngines, type OwnEngines } from '../support/engines/own-engines.js';
import type { Answer, Client } from '../support/requests/http.js';
import { accessesInLog } from '../support/requests/recorded-accesses.js';
import { Annals, type Member } from '../support/servers/annals.js';

const SETTINGS = { ANNALS_ACCESS_DAYS: '30' };
const KEY_MISSING = { keyMissing: true };
/** More events of a message than are read at once for its end. */
const REACTIONS = ['tada', 'heart', 'smile', 'wave', 'octopus', 'eyes', 'rocket', 'cat', 'dog', 'fire', 'car', 'house'];

describe('a message whose key is missing without a deletion', () => {
  let engines: OwnEngines;
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  /** Its key is missing. */
  let lost: number;
  /** Its key is destroyed. */
  let deleted: number;
  /** Sent with the lost keys. */
  let kept: number;

  const copied = async (from: string, to: string): Promise<void> => {
    for (const suffix of ['', '-wal', '-shm']) {
      const file = (name: string) => join(engines.dataDirectory, `${name}${suffix}`);
      await rm(file(to), { force: true });
      await cp(file(from), file(to)).catch(() => {});
    }
  };
  const started = async (settings = {}): Promise<void> => {
    annals = await Annals.on(engines, { ...SETTINGS, ...settings });
    owner = await annals.owner();
  };
  const client = (): Client => annals.api.as(iris);
  const send = async (content: string): Promise<number> =>
    (await client().post('/messages', { type: 'direct', to: [iris.id], content })).body.id;
  const done = async (answer: Promise<Answer>): Promise<void> =>
    expect((await answer).body).toMatchObject({ result: 'success' });

  beforeAll(async () => {
    engines = await embeddedEngines();
    await started();
    iris = await annals.user('iris');
    kept = await send('kept words');
    await annals.close();
    await copied('keys.sqlite', 'older');
    await started();
    lost = await send('lost words');
    await done(client().patch(`/messages/${lost}`, { content: 'lost words, edited' }));
    deleted = await send('deleted words');
    await done(client().patch(`/messages/${deleted}`, { content: 'deleted words, edited' }));
    for (const id of [lost, deleted])
      for (const emoji_name of REACTIONS) {
        await done(client().post(`/messages/${id}/reactions`, { emoji_name }));
        await done(client().ask('DELETE', `/messages/${id}/reactions`, { emoji_name }));
      }
    await done(client().delete(`/messages/${deleted}`));
    await done(owner.api.post('/drafts', { drafts: '[{"type":"","to":[],"topic":"","content":"lost draft"}]' }));
    await done(owner.api.post('/drafts', { drafts: '[{"type":"","to":[],"topic":"","content":"deleted draft"}]' }));
    await done(owner.api.delete('/drafts/2'));
    await annals.close();
    await copied('older', 'keys.sqlite');
    const refusal = await Annals.on(engines, SETTINGS).then(String, String);
    const accepted = /--accept-missing-keys (\S+) /.exec(refusal)?.[1];
    await started({ ANNALS_ACCEPT_MISSING_KEYS: accepted });
  });
  afterAll(() => annals.stop());

  const asked = async (path: string, question: object) => {
    const { status, body } = await owner.api.get(path, { words: true, ...question });
    expect([status, body.msg]).toEqual([200, '']);
    return body;
  };
  const contents = async (message_id: number) => {
    const { events } = await asked('/audit/events', {
      message_id,
      order: 'oldest',
      kind: '["MessageSent","MessageEdited"]',
    });
    return events.map(({ data }: { data: { content: unknown } }) => data.content);
  };
  const printed = async (print: (output: Writable) => Promise<void>): Promise<string> => {
    const written: string[] = [];
    await print(
      new Writable({
        decodeStrings: false,
        write(chunk, _encoding, done) {
          written.push(chunk);
          done();
        },
      }),
    );
    return written.join('');
  };
  const log = (options: LogOptions) =>
    printed((output) => printLog(engines.settings, { words: true, ...options }, output));
  const audit = (options: Partial<AuditOptions>) =>
    printed((output) =>
      printAudit(
        engines.settings,
        { order: 'oldest', format: 'text', words: true, ...options },
        { output, errors: process.stderr },
      ),
    );
  const shownIn = (text: string): readonly string[] => text.match(/\((?:gone|key missing|sealed)\)/g) ?? [];

  it('is told from a deleted one in GET /audit/events', async () => {
    expect(await contents(lost)).toEqual([KEY_MISSING, KEY_MISSING]);
    expect(await contents(deleted)).toEqual([null, null]);
    expect(await contents(kept)).toMatchObject([{ text: 'kept words' }]);
    const { events } = await asked('/audit/events', { kind: '["DraftCreated"]', order: 'oldest' });
    expect(events.map(({ data }: { data: { words: unknown } }) => data.words)).toEqual([KEY_MISSING, null]);
  });

  it('is told from a deleted one in GET /audit/message', async () => {
    expect((await asked('/audit/message', { message_id: lost })).content).toEqual(KEY_MISSING);
    expect((await asked('/audit/message', { message_id: deleted })).content).toBeNull();
    expect((await asked('/audit/message', { message_id: kept })).content).toMatchObject({ text: 'kept words' });
  });

  it('is told from a deleted one in annals log', async () => {
    expect(shownIn(await log({ message: lost }))).toEqual(['(key missing)', '(key missing)']);
    expect(shownIn(await log({ message: deleted }))).toEqual(['(gone)', '(gone)']);
    const lines = (await log({ type: ['MessageSent'], json: true })).trimEnd().split('\n');
    const [, ...later] = lines.map((line) => JSON.parse(line).data.content).slice(-3);
    expect(later).toEqual([KEY_MISSING, null]);
  });

  it('is told from a deleted one in annals audit', async () => {
    expect(shownIn(await audit({ message: lost }))).toEqual(['(key missing)', '(key missing)']);
    expect(shownIn(await audit({ message: deleted }))).toEqual(['(gone)', '(gone)']);
    expect(await audit({ message: lost, asOf: Date.now() })).toContain(
      'its words cannot be read: their key is missing, and no event tells that it was destroyed\n',
    );
    expect(await audit({ message: deleted, asOf: Date.now() })).toContain(
      'its words are gone: their key is destroyed\n',
    );
  });

  it('leaves no trace of a reading, because nobody has read its words', async () => {
    for (const id of [kept, lost, deleted]) await contents(id);
    const read = (await accessesInLog(annals)).filter(({ type }) => type === 'AuditWordsRead');
    const ids = read.flatMap(({ data }) => Reflect.get(data, 'messageIds'));
    expect(new Set(ids)).toEqual(new Set([kept]));
  });

  it('is gone once it is deleted, and is not edited before', async () => {
    const { status, body } = await client().patch(`/messages/${lost}`, { content: 'other words' });
    expect([status, body.msg]).toEqual([400, 'Invalid message(s)']);
    await done(client().delete(`/messages/${lost}`));
    expect(await contents(lost)).toEqual([null, null]);
  });
});
