import { describe, expect, it } from '@jest/globals';
import { knownThrough } from '../../../src/platform/consumers/known-documents.js';
import { DocumentsBehind, StallReporter } from '../../../src/platform/consumers/stall-reporter.js';
import { EventStoreUnavailable, LogReplaced } from '../../../src/platform/log/event-store.js';

const behind = new DocumentsBehind('personal is not as far as the event at 7');

function reporter() {
  const [said, reported]: [string[], unknown[]] = [[], []];
  let now = 0;
  const tells = new StallReporter({
    report: (error) => reported.push(error),
    say: (line) => said.push(line),
    clock: () => now * 1000,
  });
  return { tells, said, reported, later: (seconds: number) => (now += seconds) };
}

describe('an unavailable log', () => {
  it('is reported once per outage, while other errors are reported each time', () => {
    const { tells, reported } = reporter();
    const away = new EventStoreUnavailable('no answer', 'no');
    const replaced = new LogReplaced();
    const broken = new Error('broken');
    for (const error of [away, away, replaced, replaced, broken, broken]) tells.failed(error);
    tells.succeeded();
    for (const error of [away, away]) tells.failed(error);
    expect(reported).toEqual([away, replaced, broken, broken, away]);
  });
});

describe('a wait for documents', () => {
  it('is not reported while it is short', () => {
    const { tells, said, reported, later } = reporter();
    for (let attempt = 0; attempt < 14; attempt++) {
      tells.failed(behind);
      later(2);
    }
    tells.succeeded();
    expect({ said, reported }).toEqual({ said: [], reported: [] });
  });

  it('is logged once when it is long, and once when it is over', () => {
    const { tells, said, reported, later } = reporter();
    for (let attempt = 0; attempt < 40; attempt++) {
      tells.failed(behind);
      later(2);
    }
    tells.succeeded();
    tells.succeeded();
    expect(said).toEqual([
      `what decisions cause has waited for documents for 30 s: ${behind.message}`,
      'what decisions cause goes on: the documents are there after 80 s',
    ]);
    expect(reported).toEqual([]);
  });

  it('is measured anew after each success, while other errors are reported each time', () => {
    const { tells, said, reported, later } = reporter();
    const fault = new Error('gone');
    tells.failed(behind);
    later(20);
    tells.succeeded();
    tells.failed(behind);
    later(20);
    tells.failed(behind);
    tells.failed(fault);
    tells.failed(fault);
    expect({ said, reported }).toEqual({ said: [], reported: [fault, fault] });
  });

  it('ends with DocumentsBehind if the documents stay behind', async () => {
    const stays = { position: () => 3, waitFor: async () => {} } as unknown as Parameters<typeof knownThrough>[2];
    const waiting = knownThrough(7, [{ name: 'personal' } as Parameters<typeof knownThrough>[1][number]], stays);
    await expect(waiting).rejects.toBeInstanceOf(DocumentsBehind);
  });
});
