import { describe, expect, it } from '@jest/globals';
import { BatchQueue } from '../../../src/platform/mongodb/batch-queue.js';

/** A queue whose writes end when the test ends them. `writes` holds the batches so far. */
function heldQueue(most = 10) {
  const writes: { readonly batch: readonly number[]; end(error?: Error): void }[] = [];
  const queue = new BatchQueue<number, string>(
    (batch) =>
      new Promise((done, failed) => {
        const end = (error?: Error): void => (error ? failed(error) : done(batch.map((each) => `wrote ${each}`)));
        writes.push({ batch, end });
      }),
    most,
  );
  /** Waits for two turns of the event loop: the queue collects in one, and writes in the other. */
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, writes, settled };
}

describe('a queue of writes', () => {
  it('writes the items of one turn in one batch, and those added during a write in the next, in order', async () => {
    const { queue, writes, settled } = heldQueue();
    const first = [queue.add(1), queue.add(2)];
    await settled();
    const second = [queue.add(3), queue.add(4), queue.add(5)];
    await settled();
    expect(writes.map(({ batch }) => batch)).toEqual([[1, 2]]);
    writes[0]?.end();
    expect(await Promise.all(first)).toEqual(['wrote 1', 'wrote 2']);
    await settled();
    expect(writes.map(({ batch }) => batch)).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    writes[1]?.end();
    expect(await Promise.all(second)).toEqual(['wrote 3', 'wrote 4', 'wrote 5']);
  });

  it('fails the items of a write that fails, and goes on with the others', async () => {
    const { queue, writes, settled } = heldQueue(2);
    const asked = Promise.allSettled([queue.add(1), queue.add(2), queue.add(3)]);
    await settled();
    writes[0]?.end(new Error('refused'));
    await settled();
    writes[1]?.end();
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  it('is idle when all items are written', async () => {
    const { queue, writes, settled } = heldQueue(1);
    await queue.idle();
    const asked = [queue.add(1), queue.add(2)];
    let isIdle = false;
    const idle = queue.idle().then(() => (isIdle = true));
    await settled();
    writes[0]?.end();
    await settled();
    expect(isIdle).toBe(false);
    writes[1]?.end();
    await Promise.all([...asked, idle]);
    expect(isIdle).toBe(true);
  });
});
