import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CHANNELS, USERS } from '../data/organization.js';
import { Connection } from '../driver/connection.js';
import { p50, p99 } from '../driver/figures.js';
import { requestOf, successOf } from '../driver/request.js';
import { inRepository } from '../root.js';
import type { Bench } from './bench.js';
import type { Result } from './result.js';

const PAGE_MS = 20;
const PROVED_PAGE_MS = 50;
const PROOF_MS = 5;
const VERIFIED_A_SECOND = 100_000;

const OWNER = 1;
/** A tree of a million events takes a minute. */
const BUILT_WITHIN_MS = 600_000;

interface Checkpointed {
  readonly size: number;
}

/** Measures pages of the audit, proofs of events, and how fast a log is verified. */
export async function measureAudit({ organization, big, effort, say }: Bench): Promise<Result> {
  const result: Result = { rows: [], targets: [] };
  const owner = organization.account(OWNER);
  const connection = await Connection.open(big.port);
  const ask = async (path: string, parameters: Record<string, string>) => {
    const request = requestOf('GET', path, owner, parameters);
    const startedAt = performance.now();
    const answer = await connection.send(request);
    const ms = performance.now() - startedAt;
    successOf(answer);
    return ms;
  };
  const tell = async (what: string, limit: number, question: (n: number) => Promise<number>) => {
    const times = [];
    for (let n = 0; n <= effort.registrations; n++) times.push(await question(n));
    // The first finds nothing remembered.
    const row = { what, unit: 'ms', value: p50(times.slice(1)), p50: p50(times.slice(1)), p99: p99(times.slice(1)) };
    result.rows.push({ ...row, note: `the first ${times[0]?.toFixed(1)} ms` });
    result.targets.push({ what, value: row.value, unit: 'ms', bound: 'at most', limit });
  };
  const messageId = (n: number) => String(1 + ((n * 7919) % big.messages));

  try {
    say('the tree of the log is built');
    const { size } = await built(big.port, big.messages);
    say(`audit: pages of 100 in ${size.toLocaleString('en-US')} events`);
    await tell('audit, newest 100', PAGE_MS, () => ask('/audit/events', {}));
    await tell('audit, newest 100 with proofs', PROVED_PAGE_MS, () => ask('/audit/events', { proofs: 'true' }));
    await tell('audit, 100 of an actor', PAGE_MS, (n) => ask('/audit/events', { actor: String(2 + n) }));
    await tell('audit, 100 of a channel', PAGE_MS, () => ask('/audit/events', { channel_id: String(CHANNELS.busy) }));
    await tell('audit, a message', PAGE_MS, (n) => ask('/audit/events', { message_id: messageId(n) }));
    await tell('audit, sends by an actor in a channel', PAGE_MS, () =>
      ask('/audit/events', {
        actor: String(USERS.busySender),
        channel_id: String(CHANNELS.busy),
        kind: '["MessageSent"]',
      }),
    );
    await tell('proof of a message', PROOF_MS, (n) => ask('/audit/proof', { message_id: messageId(n) }));
  } finally {
    connection.close();
  }

  say('annals verify beside the server');
  const words = [inRepository('bin/annals.js'), 'verify', '--data-dir', big.dataDirectory];
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 26 });
  const value = Number(/([\d,]+) events a second/.exec(stdout)?.[1]?.replaceAll(',', ''));
  result.rows.push({ what: 'annals verify', unit: 'events/s', value });
  result.targets.push({ what: 'annals verify', value, unit: 'events/s', bound: 'at least', limit: VERIFIED_A_SECOND });
  return result;
}

/** Waits until the tree has at least so many events. */
async function built(port: number, least: number): Promise<Checkpointed> {
  for (const end = performance.now() + BUILT_WITHIN_MS; ; ) {
    const answer = await fetch(`http://127.0.0.1:${port}/transparency/checkpoint`);
    const size = answer.ok ? Number((await answer.text()).split('\n')[1]) : 0;
    if (size > least) return { size };
    if (performance.now() > end) throw new Error(`the tree has ${size} events after ${BUILT_WITHIN_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
