import { createHistogram } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import { appends } from '../../../src/platform/commands/appends.js';
import { LastMinute } from '../../../src/platform/meter/last-minute.js';
import { type MeteredProcess, ProcessMeter } from '../../../src/platform/meter/process-meter.js';
import { eventually } from '../../support/eventually.js';

const asIs = (value: number): number => value;

describe('the values of the last minute', () => {
  const record = (values: LastMinute<ReturnType<typeof createHistogram>>, ...all: readonly number[]): void => {
    for (const value of all) for (const one of values.both) one.record(value);
  };

  it('are told as percentiles', () => {
    const values = new LastMinute(() => createHistogram());
    expect(values.percentiles(asIs)).toBeNull();
    record(values, ...Array.from({ length: 100 }, (_, index) => index + 1));
    expect(values.percentiles(asIs)).toEqual({ p50: 50, p99: 99 });
    expect(values.percentiles((value) => value * 2)).toEqual({ p50: 100, p99: 198 });
  });

  it('stay for one turn, and are forgotten at the next', () => {
    const values = new LastMinute(() => createHistogram());
    record(values, 10);
    values.turn();
    expect(values.percentiles(asIs)).toEqual({ p50: 10, p99: 10 });
    record(values, 30);
    expect(values.percentiles(asIs)).toEqual({ p50: 10, p99: 30 });
    values.turn();
    expect(values.percentiles(asIs)).toEqual({ p50: 30, p99: 30 });
    values.turn();
    expect(values.percentiles(asIs)).toBeNull();
  });
});

describe('the meter of a process', () => {
  let meter: ProcessMeter;
  const metering = (metered: Partial<MeteredProcess> = {}): ProcessMeter => {
    meter = new ProcessMeter({ messages: 'messages', ...metered });
    return meter;
  };
  afterEach(() => meter.close());

  it('counts the events of the stream of messages, until it is closed', async () => {
    metering();
    appends.tell({ stream: 'messages', events: 2, seconds: 1 });
    appends.tell({ stream: 'channels', events: 5, seconds: 1 });
    expect(meter.figures().messagesSent).toBe(2);
    await meter.close();
    appends.tell({ stream: 'messages', events: 2, seconds: 1 });
    expect(meter.figures().messagesSent).toBe(2);
  });

  it('counts requests, and times those that did not wait for an event', () => {
    metering({ eventQueues: async () => 0 });
    expect(meter.figures()).toMatchObject({ requests: 0, requestMs: null });
    for (const ms of [2, null, 2, 40_000, null]) meter.answered(ms);
    const { requests, requestMs } = meter.figures();
    expect(requests).toBe(5);
    // The buckets are finer than a hundredth.
    expect(requestMs?.p50).toBeCloseTo(2, 1);
    expect(Math.abs(Number(requestMs?.p99) - 40_000)).toBeLessThan(400);
    meter.turn();
    meter.turn();
    expect(meter.figures()).toMatchObject({ requests: 5, requestMs: null });
  });

  it('counts event queues in the background, and does not know their number while they cannot be counted', async () => {
    let count = async (): Promise<number> => 7;
    metering({ eventQueues: () => count() });
    expect(meter.figures().eventQueues).toBeNull();
    meter.start();
    await eventually(() => expect(meter.figures().eventQueues).toBe(7));
    count = () => Promise.reject(new Error('away'));
    await eventually(() => expect(meter.figures().eventQueues).toBeNull());
  });

  it('tells of no requests or queues where no client is answered', async () => {
    metering().start();
    expect(meter.figures()).toMatchObject({ messagesSent: 0, requests: null, requestMs: null, eventQueues: null });
  });

  it('tells memory, and by how much timers are late, which is never less than nothing', async () => {
    metering();
    await eventually(() => expect(meter.figures().eventLoopDelayMs).not.toBeNull());
    const { eventLoopDelayMs, residentBytes, heapBytes, startedAt } = meter.figures();
    expect(eventLoopDelayMs?.p50).toBeGreaterThanOrEqual(0);
    expect(eventLoopDelayMs?.p99).toBeGreaterThanOrEqual(eventLoopDelayMs?.p50 ?? Number.NaN);
    expect(residentBytes).toBeGreaterThan(heapBytes);
    expect(startedAt).toBe(Math.round(performance.timeOrigin));
  });
});
