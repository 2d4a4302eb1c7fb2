import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JoinMailLimit } from '../../../../src/features/invitations/http/join.controller.js';
import { SqliteDocumentStore } from '../../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { DEAD_LINKS, LinkGuesses } from '../../../../src/platform/http/logins/link-guesses.js';
import { inMinute, SharedLimits } from '../../../../src/platform/http/logins/shared-limits.js';
import { DomainError, refuse } from '../../../../src/platform/kernel/deciding.js';

const HOUR_MS = 3_600_000;
const TOKEN = 'b'.repeat(24);

describe('a limit', () => {
  let folder: string;
  let store: SqliteDocumentStore;
  let now: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'annals-'));
    store = await SqliteDocumentStore.open(folder);
    now = 1000 * HOUR_MS;
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  /** The limits of one process: each has its own counts, and shares the documents. */
  const process = () => SharedLimits.open(store, () => now);
  const codeOf = async (attempt: Promise<unknown>): Promise<string> => {
    try {
      await attempt;
      return 'passed';
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  };
  /** How often so many attempts end in the same way. */
  const outcomes = async (times: number, attempt: (index: number) => Promise<unknown>) => {
    const counts: Record<string, number> = {};
    for (let index = 0; index < times; index += 1) {
      const code = await codeOf(attempt(index));
      counts[code] = (counts[code] ?? 0) + 1;
    }
    return counts;
  };

  it('of mails for an address is one over all processes, and ends with the minute', async () => {
    const processes = [await process(), await process()] as const;
    const ask = (index: number) => processes[index % 2 ? 1 : 0].consume(inMinute('reset from 192.0.2.1', 10));
    expect(await outcomes(30, ask)).toEqual({ passed: 10, RATE_LIMIT_HIT: 20 });
    await expect(ask(0)).rejects.toMatchObject({ data: { 'retry-after': 60 } });
    now += 60_000;
    expect(await outcomes(30, ask)).toEqual({ passed: 10, RATE_LIMIT_HIT: 20 });
  });

  it('stays when the process starts again, and is kept by the process alone while the documents are away', async () => {
    const limit = inMinute('reset from 192.0.2.1', 10);
    const before = await process();
    expect(await outcomes(8, () => before.consume(limit))).toEqual({ passed: 8 });
    await before.onApplicationShutdown();
    const after = await process();
    expect(await outcomes(1, () => after.consume(limit))).toEqual({ passed: 1 });
    await store.close();
    expect(await outcomes(3, () => after.consume(limit))).toEqual({ passed: 1, RATE_LIMIT_HIT: 2 });
    expect(await outcomes(11, () => after.consume(inMinute('another', 10)))).toEqual({ passed: 10, RATE_LIMIT_HIT: 1 });
  });

  it('of dead links is one over all processes, by the network of the client, and lets a good link open', async () => {
    const guesses = [new LinkGuesses(await process()), new LinkGuesses(await process())] as const;
    const dead = async () => refuse('LINK_UNUSABLE');
    const open = (index: number) =>
      guesses[index % 2 ? 1 : 0].counted(`2001:db8::${index}`, index % 3 ? TOKEN : 'no token', dead);
    expect(await outcomes(DEAD_LINKS + 20, open)).toEqual({ LINK_UNUSABLE: DEAD_LINKS, RATE_LIMIT_HIT: 20 });
    for (const one of guesses) expect(await one.counted('2001:db8::1', TOKEN, async () => 'opened')).toBe('opened');
    expect(await codeOf(guesses[0].counted('2001:db8:1::1', TOKEN, dead))).toBe('LINK_UNUSABLE');
  });

  it('of mails by links for many is one over all processes', async () => {
    const mails = [new JoinMailLimit(await process()), new JoinMailLimit(await process())] as const;
    const ask = (index: number) => mails[index % 2 ? 1 : 0].consume('192.0.2.1');
    expect(await outcomes(120, ask)).toEqual({ passed: 100, RATE_LIMIT_HIT: 20 });
  });
});
