import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus, BusUnavailable } from '../../src/platform/bus/bus.js';
import type { JsonObject } from '../../src/platform/kernel/json.js';
import { eventually } from '../support/eventually.js';

export interface OpenedBuses {
  readonly bus: Bus;
  /** The errors that listeners of `bus` threw. */
  readonly failures: readonly unknown[];
  /** The same bus in another process. Absent if the adapter works within one process. */
  readonly other?: Bus;
  cleanup(): Promise<void>;
}

let topics = 0;
const newTopic = (): string => `topic ${++topics}`;

/** Collects the messages of a topic, in order. */
function heardBy(bus: Bus, topic: string): JsonObject[] {
  const heard: JsonObject[] = [];
  bus.subscribe(topic, (message) => heard.push(message));
  return heard;
}

/** The contract of the Bus port, for every adapter. */
export function busContract(name: string, open: () => Promise<OpenedBuses>): void {
  describe(`bus ${name}`, () => {
    let opened: OpenedBuses;
    let bus: Bus;
    beforeAll(async () => {
      opened = await open();
      bus = opened.bus;
    });
    afterAll(() => opened.cleanup());
    /** Collects the messages of a topic in the publishing process and, if there is one, in another process. */
    const everywhere = (topic: string) => [bus, opened.other ?? bus].map((each) => heardBy(each, topic));

    it('delivers to subscribers of its own process before publish returns', async () => {
      const topic = newTopic();
      const heard = heardBy(bus, topic);
      const published = bus.publish(topic, { typing: true });
      expect(heard).toEqual([{ typing: true }]);
      await published;
    });

    it('delivers each message to each subscriber once, in the order of publication', async () => {
      const topic = newTopic();
      const heard = everywhere(topic);
      const messages = Array.from({ length: 200 }, (_, n) => ({ n }));
      await Promise.all(messages.slice(0, 100).map((message) => bus.publish(topic, message)));
      for (const message of messages.slice(100, 110)) await bus.publish(topic, message);
      await Promise.all(messages.slice(110).map((message) => bus.publish(topic, message)));

      await eventually(() => expect(heard.map((each) => each.length)).toEqual([200, 200]));
      // A message that is delivered twice has arrived when one more message arrives.
      await bus.publish(topic, { last: true });
      await eventually(() => expect(heard.map((each) => each.at(-1))).toEqual([{ last: true }, { last: true }]));
      for (const each of heard) expect(each).toEqual([...messages, { last: true }]);
    });

    it('keeps topics apart', async () => {
      const [one, another] = [newTopic(), newTopic()];
      const heard = everywhere(one);
      await bus.publish(another, { of: 'another' });
      await bus.publish(one, { of: 'one' });
      await eventually(() => {
        for (const each of heard) expect(each).toEqual([{ of: 'one' }]);
      });
    });

    it('delivers any JSON unchanged', async () => {
      const topic = newTopic();
      const heard = everywhere(topic);
      const message = {
        'a.b': { $set: { $x: 1 } },
        '': null,
        numbers: [0, -1.5, 1e300, 2 ** 53],
        text: '\u0000 🜁 "\\',
        deep: [[{ empty: {} }]],
      };
      await bus.publish(topic, message);
      await eventually(() => {
        for (const each of heard) expect(each).toEqual([message]);
      });
    });

    it('stops calling an unsubscribed listener, and goes on calling the others', async () => {
      const topic = newTopic();
      const stays = everywhere(topic);
      const leaves: JsonObject[] = [];
      const listener = (message: JsonObject): void => void leaves.push(message);
      const stop = bus.subscribe(topic, listener);
      const stopOther = opened.other?.subscribe(topic, listener);
      await bus.publish(topic, { n: 1 });
      await eventually(() => expect(leaves).toHaveLength(opened.other ? 2 : 1));
      stop();
      stopOther?.();
      await bus.publish(topic, { n: 2 });
      await eventually(() => {
        for (const each of stays) expect(each).toHaveLength(2);
      });
      expect(leaves).toHaveLength(opened.other ? 2 : 1);
    });

    it('calls a listener once for each of its subscriptions', async () => {
      const topic = newTopic();
      let calls = 0;
      const listener = (): void => void calls++;
      const stop = bus.subscribe(topic, listener);
      bus.subscribe(topic, listener);
      await bus.publish(topic, {});
      expect(calls).toBe(2);
      stop();
      await bus.publish(topic, {});
      expect(calls).toBe(3);
    });

    it('calls the other listeners when a listener throws, and does not fail the publisher', async () => {
      const topic = newTopic();
      bus.subscribe(topic, () => {
        throw new Error('this listener fails');
      });
      const heard = everywhere(topic);
      await bus.publish(topic, { n: 1 });
      expect(String(opened.failures.at(-1))).toContain('this listener fails');
      await bus.publish(topic, { n: 2 });
      await eventually(() => {
        for (const each of heard) expect(each).toEqual([{ n: 1 }, { n: 2 }]);
      });
    });

    it('delivers a message that a listener publishes', async () => {
      const [question, answer] = [newTopic(), newTopic()];
      (opened.other ?? bus).subscribe(
        question,
        ({ n }) => void (opened.other ?? bus).publish(answer, { n: n ?? null }),
      );
      const heard = everywhere(answer);
      await bus.publish(question, { n: 5 });
      await eventually(() => {
        for (const each of heard) expect(each).toEqual([{ n: 5 }]);
      });
    });

    it('neither accepts nor delivers messages after it is closed', async () => {
      const closing = await open();
      const topic = newTopic();
      const heard = heardBy(closing.bus, topic);
      await closing.bus.publish(topic, { n: 1 });
      await closing.bus.close();
      await closing.bus.close();
      await expect(closing.bus.publish(topic, { n: 2 })).rejects.toThrow(BusUnavailable);
      await closing.other?.publish(topic, { n: 3 });
      expect(heard).toEqual([{ n: 1 }]);
      await closing.cleanup();
    });
  });
}
