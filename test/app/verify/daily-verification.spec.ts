import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DailyVerification, isDue } from '../../../src/app/verify/daily-verification.js';
import { reportOf, SILENT_MS, verificationIn } from '../../../src/app/verify/verification.documents.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { eventually } from '../../support/eventually.js';
import { uploaded } from '../../support/requests/uploads.js';
import { withScratch } from '../../support/scratch.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

const at = (time: string): number => Date.parse(`2026-11-27T${time}Z`);
const HALF_PAST_THREE = 210;

/** A verification by itself leaves the processors to others: on a busy machine it hardly gets one. */
const VERIFIED_WITHIN_MS = 400_000;

describe('a verification a day', () => {
  it.each([
    ['before the time', at('03:29:59'), null, false],
    ['at the time', at('03:30:00'), null, true],
    ['a while later, as after a start', at('04:29:00'), null, true],
    ['an hour later', at('04:30:00'), null, false],
    ['if the last one was yesterday', at('03:31:00'), at('03:30:00') - 86_400_000, true],
    ['if there was one today', at('03:40:00'), at('03:30:05'), false],
  ])('is due %s: %#', (_, now, last, expected) => {
    expect(isDue(now, HALF_PAST_THREE, last)).toBe(expected);
  });

  it('is due around midnight, too', () => {
    expect(isDue(at('00:20:00'), 23 * 60 + 50, null)).toBe(true);
    expect(isDue(at('00:20:00'), 23 * 60 + 50, at('00:10:00'))).toBe(false);
    expect(isDue(at('00:55:00'), 23 * 60 + 50, null)).toBe(false);
  });

  it('is told to be interrupted if the process that ran it is silent', () => {
    const run = {
      _id: 'last',
      startedAt: 0,
      endedAt: null,
      aliveAt: 0,
      doing: null,
      percent: 7,
      result: null,
      said: [],
    } as const;
    expect(reportOf(run, SILENT_MS).result).toBe('running');
    expect(reportOf(run, SILENT_MS + 1).result).toBe('interrupted');
  });

  it.each([
    ['right', 'console.log("The log is right: 7 events")', ['The log is right: 7 events']],
    [
      'wrong',
      'console.log("Verifying: 12 %, 5 events/s"); console.error("event 3 differs"); process.exit(1)',
      ['event 3 differs'],
    ],
    ['interrupted', 'process.kill(process.pid, "SIGKILL")', []],
  ])('is made by one process of several, and told: %s', (result, program, said) =>
    withScratch(async (dataDirectory) => {
      const store = await SqliteDocumentStore.open(dataDirectory);
      const runs = join(dataDirectory, 'runs');
      const script = `require("node:fs").appendFileSync(${JSON.stringify(runs)}, "1"); ${program}`;
      const now = new Date();
      const options = {
        at: now.getUTCHours() * 60 + now.getUTCMinutes(),
        settings: { dataDirectory },
        checkpointsFile: join(dataDirectory, 'checkpoints'),
        program: [process.execPath, '-e', script],
        lookEvery: 5,
      };
      const processes = await Promise.all([1, 2, 3].map(() => DailyVerification.open(store, options)));
      for (const one of processes) one.start();
      await eventually(async () => expect(await verificationIn(store)).toMatchObject({ result, said }));
      await Promise.all(processes.map((one) => one.close()));
      expect(await readFile(runs, 'utf8')).toBe('1');
      await store.close();
    }),
  );
});

describe('a server that verifies its log by itself', () => {
  let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
  let server: RunningServer | null = null;

  beforeEach(async () => {
    data = await temporaryDataDirectory();
  });
  afterEach(async () => {
    await server?.kill();
    await data.remove();
  });

  it('says in its health that the log is right, or what is not', async () => {
    const verified = (): Promise<unknown> =>
      eventually(async () => {
        const verification = (await server?.health())?.verification;
        expect(['right', 'wrong']).toContain(verification?.result);
        return verification;
      }, VERIFIED_WITHIN_MS);
    server = await RunningServer.start(data.path);
    const { email, key } = await server.owner();
    const [, , , , file = ''] = (await uploaded(server.url, { email, apiKey: key })).split('/');
    await server.stop();
    await writeFile(join(data.path, 'uploads', file), 'other');
    server = await RunningServer.start(data.path, { ANNALS_VERIFY_AT: new Date().toISOString().slice(11, 16) });
    expect(await verified()).toMatchObject({
      result: 'wrong',
      startedAt: expect.stringMatching(/Z$/),
      endedAt: expect.stringMatching(/Z$/),
      said: expect.arrayContaining([expect.stringContaining(`changed: file ${file}`)]),
    });
    expect(server.printed).toContain(`changed: file ${file}`);
  }, 500_000);
});
