import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audit } from '../../../projections/audit/audit.projection.js';
import { Registry } from '../../../projections/runner/registry.js';
import { ROOT } from '../../../scripts/transpile.js';
import { failureOf } from '../../../src/app/cli/failure.js';
import { type AuditOptions, printAudit } from '../../../src/app/cli/print-audit.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { PublishedTree } from '../../../src/platform/transparency/published-tree.js';
import { csvRecords } from '../../support/csv.js';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('annals audit', () => {
  let engines: OwnEngines;
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let channel: number;
  let messageId: number;

  beforeAll(async () => {
    engines = await ownEngines();
    annals = await Annals.on(engines);
    owner = await annals.owner();
    iris = await annals.user('iris');
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: '=1+1' }], principals: [iris.id] });
    channel = (await owner.api.get('/get_stream_id', { stream: '=1+1' })).body.stream_id;
    const message = { type: 'channel', to: channel, topic: 'plans, "old"', content: 'secret words' };
    messageId = (await iris.api.post('/messages', message)).body.id;
    await iris.api.patch(`/messages/${messageId}`, { content: 'other words' });
    await owner.api.patch(`/messages/${messageId}`, { topic: 'ideas', propagate_mode: 'change_all' });
    for (let at = 0; at < 120; at++) await iris.api.post('/messages', { ...message, topic: `topic ${at}` });
    await annals.api.as(iris).patch('/settings', { full_name: '-Iris' });
  });
  afterAll(() => annals.stop());

  const print = async (options: Partial<AuditOptions> = {}): Promise<string> => {
    let text = '';
    const output = new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        done();
      },
    });
    await printAudit(
      engines.settings,
      { order: 'newest', format: 'json', ...options },
      { output, errors: process.stderr },
    );
    return text;
  };
  const ask = async (question: object) =>
    (await owner.api.get('/audit/events', { limit: 1000, ...question })).body.events;

  it('answers as the endpoint does, beside the server and without it', async () => {
    const { metadata } = (await annals.events()).at(-1) ?? { metadata: { client: '', at: 0 } };
    const second = Math.floor(metadata.at / 1000);
    const questions: [object, Partial<AuditOptions>][] = [
      [{}, {}],
      [{ message_id: messageId }, { message: messageId }],
      [
        { channel_id: channel, order: 'oldest' },
        { channel, order: 'oldest' },
      ],
      [
        { channel_id: channel, topic: 'Ideas' },
        { channel, topic: 'Ideas' },
      ],
      [{ subject_user_id: iris.id }, { subject: iris.id }],
      [{ actor: 'iris' }, { actor: 'iris' }],
      [{ kind: ['MessageEdited', 'MessagesMoved'] }, { kind: ['MessageEdited', 'MessagesMoved'] }],
      [
        { client: metadata.client, limit: 3 },
        { client: metadata.client, limit: 3 },
      ],
      [{ address: '::ffff:127.0.0.1' }, { address: '127.0.0.1' }],
      [{ since: second }, { since: second * 1000 }],
      [{ until: second - 1 }, { until: second * 1000 - 1 }],
    ];
    const answers: object[][] = [];
    for (const [question] of questions) answers.push(await ask(question));
    for (const [at, [, options]] of questions.entries()) expect(JSON.parse(await print(options))).toEqual(answers[at]);
    expect(answers[0]?.length).toBeGreaterThan(200);
    expect(answers[1]).toHaveLength(3);
    for (const answer of answers.slice(1, 10)) expect(answer).not.toHaveLength(0);
    await annals.restart(async () => {
      for (const [at, [, options]] of questions.entries())
        expect(JSON.parse(await print(options))).toEqual(answers[at]);
    });
  });

  it('prints JSON lines, CSV that no spreadsheet runs, and text', async () => {
    const entries = await ask({ channel_id: channel });
    const lines = (await print({ channel, format: 'jsonl' })).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(entries);
    const [header = [], ...records] = csvRecords(await print({ message: messageId, format: 'csv', order: 'oldest' }));
    const values = records.map((record) => Object.fromEntries(header.map((name, at) => [name, record[at]])));
    const [sent, edited] = await ask({ message_id: messageId, order: 'oldest' });
    expect(values).toHaveLength(3);
    expect(values[0]).toMatchObject({ kind: 'MessageSent', actor_name: 'iris', actor_name_today: "'-Iris" });
    expect(JSON.parse(values[0]?.topics ?? '')).toEqual([{ channel_id: channel, topic: 'plans, "old"' }]);
    expect(JSON.parse(values[1]?.data ?? '')).toEqual(edited.data);
    const text = await print({ message: messageId, format: 'text', order: 'oldest' });
    expect(text).toContain(
      `${sent.position}  ${sent.time}  messages@${sent.revision}  MessageSent  iris <${iris.email}>`,
    );
    const done = text.split('\n').filter((line) => line.startsWith('    '));
    expect(done).toEqual([
      `    sent message ${messageId} to =1+1 > plans, "old"`,
      '    actor (today -Iris)',
      `    edited message ${messageId} in =1+1 > plans, "old"`,
      '    actor (today -Iris)',
      '    moved 1 message from =1+1 > plans, "old" to =1+1 > ideas',
    ]);
    expect(await print({ kind: ['OrganizationCreated'], format: 'text' })).toMatch(
      /OrganizationCreated {2}server {2}\S+\n/,
    );
    const words = await print({ message: messageId, format: 'text', order: 'oldest', limit: 1, words: true });
    expect(words).toContain('    content: "secret words"\n');
    expect(text).not.toContain('words');
    for (const account of [{ actor: 'nobody' }, { subject: 999_999 }]) {
      const message = `no such account: ${Object.values(account)[0]}`;
      expect(await print(account).catch(failureOf)).toEqual({ exitCode: 2, message });
    }
  });

  it('tells what a message was at a time, as the endpoint does', async () => {
    const { metadata } = (await annals.events()).find(({ type }) => type === 'MessageEdited') ?? {
      metadata: { at: 0 },
    };
    for (const asOf of [metadata.at, Date.now()]) {
      const asked = { message_id: messageId, as_of: new Date(asOf).toISOString() };
      const { result: _result, msg: _msg, ...answer } = (await owner.api.get('/audit/message', asked)).body;
      expect(JSON.parse(await print({ message: messageId, asOf }))).toEqual(answer);
    }
    const told = await print({ message: messageId, asOf: metadata.at, words: true, format: 'text' });
    const [heading, ...lines] = told.trimEnd().split('\n    ');
    expect(heading).toBe(`message ${messageId}, as of ${new Date(metadata.at).toISOString()}`);
    expect(lines).toEqual([
      expect.stringMatching(/^iris <iris@.*> sent it on 20.*Z$/),
      expect.stringMatching(/^iris <iris@.*> edited it on 20.*Z; its words were revision 1$/),
      'it was in =1+1 > plans, "old"',
      'it said "other words"',
      'it could be read by 2 accounts: Owner (1), iris (2)',
    ]);
    expect(await print({ message: messageId, asOf: Date.now(), format: 'text' })).toContain('its words are sealed');
    const failed = await print({ message: messageId, asOf: 1 }).catch(failureOf);
    expect(failed).toMatchObject({ message: `there was no message ${messageId} then` });
  });

  it('prints OCSF events that have all that the schema requires', async () => {
    const events = (await print({ format: 'ocsf' }))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const entries = await ask({});
    expect(events).toHaveLength(entries.length);
    for (const [at, event] of events.entries()) {
      const activity = event.activity_id;
      expect([1, 2, 3, 4]).toContain(activity);
      // Required by base_event, application, api_activity, api, metadata and product, and the constraints of actor, user, network_endpoint.
      expect(event).toMatchObject({
        category_uid: 6,
        class_uid: 6003,
        type_uid: 600300 + activity,
        time: Date.parse(entries[at].time),
        severity_id: 1,
        api: { operation: entries[at].kind },
        metadata: { version: '1.3.0', uid: entries[at].id, product: { name: 'Annals', vendor_name: 'Annals' } },
      });
      expect(event.actor).toMatchObject(
        entries[at].actor ? { user: { uid: String(entries[at].actor.user_id) } } : { app_name: expect.any(String) },
      );
      const { ip, svc_name } = event.src_endpoint;
      expect(ip ?? null).toBe(entries[at].address);
      expect(ip ?? svc_name).toEqual(expect.stringMatching(/./));
    }
    const activities = Object.fromEntries(events.map(({ api, activity_id }) => [api.operation, activity_id]));
    expect(activities).toMatchObject({ MessageSent: 1, UserCreated: 1, MessageEdited: 3, MessagesMoved: 3 });
  });

  it('proves the events, as verify.mjs finds', async () => {
    const events = await ask({ message_id: messageId });
    for (const format of ['json', 'jsonl'] as const) {
      const text = await print({ message: messageId, proofs: true, format });
      const proved =
        format === 'json'
          ? JSON.parse(text)
          : text
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line));
      expect(proved).toEqual(events.map((event: object) => ({ ...event, proof: expect.anything() })));
      const file = join(engines.dataDirectory, 'proved.json');
      await writeFile(file, JSON.stringify(proved));
      const key = (await annals.app.get(PublishedTree).head())?.verifier ?? '';
      const { stdout } = await promisify(execFile)(process.execPath, [
        join(ROOT, 'bin/verify.mjs'),
        file,
        '--key',
        key,
      ]);
      for (const { id } of events) expect(stdout).toContain(id);
    }
  });

  it('says that a server has to complete the documents', async () => {
    const incomplete = 'the documents of the audit do not have all of the log';
    await annals.restart(async () => {
      await annals.removeDocuments();
      await expect(print()).rejects.toThrow(incomplete);
    });
    await expect(print({ limit: 1 })).resolves.toContain('UserRenamed');
  });

  it('says why the documents do not have all of the log', async () => {
    await annals.restart(async () => {
      const { eventStore, documentStore, close } = await openEngines(engines.settings);
      const registry = await Registry.open(documentStore);
      try {
        const record = await registry.load(audit.name);
        const [renamed] = (await eventStore.readStream('users', { direction: 'backwards' })).filter(
          ({ type }) => type === 'UserRenamed',
        );
        if (!record || !renamed) throw new Error('there is nothing to begin with');
        await eventStore.append('users', [{ ...renamed, id: newEventId() }], 'any');
        const message = 'this event is refused';
        const error = { message, position: null, eventId: null, eventType: null, at: 1 };
        await registry.put({ ...record, state: 'failed', error });
        const failure = await print().catch(failureOf);
        expect(failure).toMatchObject({ exitCode: 1, message: expect.stringContaining(`of the log: ${message}`) });
        await registry.put(record);
      } finally {
        await registry.close();
        await close();
      }
    });
  });
});
