import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../../scripts/free-port.js';
import { ROOT } from '../../../scripts/transpile.js';
import { rememberBackup } from '../../../src/app/backup/backup.documents.js';
import { LagClock } from '../../../src/app/metrics/lag-clock.js';
import { DOCUMENT_STORE, type DocumentStore } from '../../../src/platform/documents/document-store.js';
import { isShared } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('the metrics of a server', () => {
  let annals: Annals;
  let owner: Member;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/metrics`;
    // No mail server is there.
    const ANNALS_SMTP_URL = `smtp://127.0.0.1:${await freePort()}`;
    annals = await Annals.start({ ANNALS_METRICS: `127.0.0.1:${port}`, ANNALS_SMTP_URL });
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  /** The values of a name by their labels, as they are written: `code="NOT_FOUND"`. */
  async function values(name: string): Promise<Record<string, number>> {
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    const rows = [...(await answer.text()).matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)];
    return Object.fromEntries(
      rows.flatMap(([, own, labels = '', value]) => (own === name ? [[labels, Number(value)]] : [])),
    );
  }

  it('count requests by declared route and status, and refusals by code', async () => {
    const message = { type: 'channel', to: 'nowhere', topic: 't', content: 'x' };
    await owner.api.post('/messages', message);
    await owner.api.get(`/messages/${2 ** 30}`);
    await owner.api.get('/made/up/by/a/client');
    await eventually(async () => {
      const counts = await values('annals_http_request_seconds_count');
      expect(counts['method="POST",route="/api/v1/messages",status="400"']).toBe(1);
      expect(counts['method="GET",route="/api/v1/messages/:message_id",status="400"']).toBe(1);
      expect(Object.keys(counts).filter((labels) => labels.includes('made'))).toEqual([]);
    });
    expect((await values('annals_refusals_total'))['code="STREAM_DOES_NOT_EXIST"']).toBe(1);
  });

  it('count the events that were appended, and how long each append took', async () => {
    const before = await values('annals_log_events_total');
    await owner.api.post('/messages', { type: 'direct', to: [owner.id], content: 'x' });
    const after = await values('annals_log_events_total');
    expect(Number(after[''])).toBeGreaterThan(Number(before['']));
    expect((await values('annals_log_append_seconds_sum'))['']).toBeGreaterThan(0);
  });

  it('count the syncs of the log, and how long each took', async () => {
    const figures = async () => [
      (await values('annals_log_sync_seconds_count'))[''] ?? Number.NaN,
      (await values('annals_log_sync_seconds_sum'))[''] ?? Number.NaN,
    ];
    const [before = 0, beforeInAll = 0] = await figures();
    await owner.api.post('/messages', { type: 'direct', to: [owner.id], content: 'x' });
    const after = await figures();
    // EventStoreDB does not tell of its syncs.
    if (isShared()) return expect(after).toEqual([0, 0]);
    expect(after[0]).toBeGreaterThan(before);
    expect(after[1]).toBeGreaterThan(beforeInAll);
  });

  it('tell the end of the log, and how far each projection is behind', async () => {
    await eventually(async () => {
      const end = (await values('annals_log_end'))[''];
      const positions = await values('annals_projection_position');
      expect(Object.keys(positions)).toContain('projection="messages"');
      expect(new Set(Object.values(positions))).toEqual(new Set([end]));
      expect(new Set(Object.values(await values('annals_projection_lag_seconds')))).toEqual(new Set([0]));
    });
    expect(await values('annals_ready')).toEqual({ '': 1 });
    expect(await values('annals_engine_reachable')).toEqual({ 'engine="log"': 1, 'engine="documents"': 1 });
  });

  it('tell who waits, and what is left of the disk', async () => {
    const queue = await EventQueue.register(owner.api);
    const poll = queue.poll();
    await eventually(async () => expect(await values('annals_waiting_polls')).toEqual({ '': 1 }));
    await owner.api.post('/messages', { type: 'direct', to: [owner.id], content: 'x' });
    await poll;
    expect(Object.keys(await values('annals_requests_waiting')).sort()).toEqual(
      ['commands', 'polls', 'reads', 'registrations'].map((line) => `line="${line}"`),
    );
    expect((await values('annals_disk_free_bytes'))['']).toBeGreaterThan(0);
    expect((await values('process_resident_memory_bytes'))['']).toBeGreaterThan(0);
  });

  it('count the event queues', async () => {
    const count = async () => (await values('annals_event_queues'))[''] ?? Number.NaN;
    await eventually(async () => expect(await count()).toBeGreaterThanOrEqual(0));
    const before = await count();
    // The number is some seconds old, so a queue of before may be counted only now.
    for (let queue = 0; queue < 3; queue += 1) await EventQueue.register(owner.api);
    await eventually(async () => expect(await count()).toBeGreaterThanOrEqual(before + 3));
  });

  it('tell when the last backup ended', async () => {
    expect(await values('annals_backup_timestamp_seconds')).toEqual({});
    const at = Date.now();
    await rememberBackup(annals.app.get<DocumentStore>(DOCUMENT_STORE), { at, through: 1, faults: 0 });
    await eventually(async () => expect(await values('annals_backup_timestamp_seconds')).toEqual({ '': at / 1000 }));
  });

  it('count mails that wait, and tries that have failed', async () => {
    const invited = { invitee_emails: 'a@example.com', stream_ids: '[]', invite_expires_in_minutes: 60 };
    const mails = async () => (await values('annals_tasks_waiting'))['tasks="mails"'];
    await eventually(async () => expect(await mails()).toBe(0));
    expect((await values('annals_task_tries_total'))['tasks="mails",outcome="given up"']).toBe(0);
    expect(await owner.api.post('/invites', invited)).toMatchObject({ status: 200 });
    await eventually(async () => {
      expect(await mails()).toBe(1);
      expect((await values('annals_task_tries_total'))['tasks="mails",outcome="later"']).toBeGreaterThan(0);
    });
  });

  it('have every name that the dashboard and the page for operators show', async () => {
    const shown = ['deploy/grafana-dashboard.json', 'docs/operations.md'].flatMap(
      (file) => readFileSync(join(ROOT, file), 'utf8').match(/\bannals_[a-z_]+[a-z]/g) ?? [],
    );
    const told = await (await fetch(url)).text();
    const names = [...told.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
    const missing = shown.filter((name) => !names.includes(name.replace(/_(bucket|count|sum)$/, '')));
    expect(missing).toEqual([]);
    const untold = names.filter((name) => name.startsWith('annals_') && !shown.includes(name));
    expect(untold).toEqual([]);
  });

  it('are nowhere else, and nothing else is there', async () => {
    expect((await fetch(url.replace('/metrics', '/health'))).status).toBe(404);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    expect((await owner.api.get('/metrics')).status).toBe(404);
  });
});

describe('a lag as a time', () => {
  it('begins when the log was first seen with an event behind the position', () => {
    let [end, now] = [5, 1000];
    const clock = new LagClock(
      () => end,
      () => now,
    );
    expect(clock.since(5)).toBe(0);
    [end, now] = [6, 2000];
    clock.look();
    [end, now] = [9, 5000];
    expect(clock.since(5)).toBe(3);
    expect(clock.since(6)).toBe(0);
    expect(clock.since(9)).toBe(0);
  });

  it('starts anew with a log that is shorter', () => {
    let end = 9;
    const clock = new LagClock(
      () => end,
      () => 0,
    );
    clock.look();
    end = 2;
    expect(clock.since(2)).toBe(0);
  });
});
