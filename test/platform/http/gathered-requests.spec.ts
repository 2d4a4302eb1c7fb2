import { describe, expect, it } from '@jest/globals';
import { GatheredRequests, MANY, TOGETHER } from '../../../src/platform/http/gathered-requests.js';

const A_SECOND = 1000;
let time = 0;

/** Adds so many requests. @returns the numbers of those that have begun, in their order */
function addAll(gathered: GatheredRequests, count: number): number[] {
  const begun: number[] = [];
  for (let n = 0; n < count; n++) gathered.add(() => begun.push(n));
  return begun;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('requests that nobody waits for', () => {
  it('begin at once while few come', () => {
    const gathered = new GatheredRequests(() => time);
    for (let second = 0; second < 3; second++) {
      expect(addAll(gathered, MANY)).toEqual(upTo(MANY));
      time += A_SECOND;
    }
  });

  it('begin together when many come, in their order', () => {
    const gathered = new GatheredRequests(() => time);
    addAll(gathered, MANY);
    const begun = addAll(gathered, TOGETHER - 1);
    expect(begun).toEqual([]);
    gathered.add(() => begun.push(TOGETHER - 1));
    expect(begun).toEqual(upTo(TOGETHER));
  });

  it('begin after a while, even if too few come to fill the part', async () => {
    const gathered = new GatheredRequests(() => time);
    addAll(gathered, MANY);
    const begun: string[] = [];
    await new Promise<void>((resolve) => {
      gathered.add(() => begun.push('first'));
      gathered.add(() => {
        begun.push('second');
        resolve();
      });
    });
    expect(begun).toEqual(['first', 'second']);
  });

  it('may bring another request, which waits for the next part', async () => {
    const gathered = new GatheredRequests(() => time);
    addAll(gathered, MANY);
    await new Promise<void>((resolve) => {
      gathered.add(() => gathered.add(resolve));
    });
  });
});
