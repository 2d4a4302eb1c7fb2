import { Instrument } from '../kernel/instrument.js';

/** Appends that were acknowledged. `seconds`: until the events were on disk. */
export const appends = new Instrument<{ readonly stream: string; readonly events: number; readonly seconds: number }>();

/** Tells of an append, if somebody counts them. */
export const timed = <Result>(stream: string, events: number, append: Promise<Result>): Promise<Result> =>
  appends.isHeard ? measured(stream, events, append) : append;

async function measured<Result>(stream: string, events: number, append: Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const result = await append;
  appends.tell({ stream, events, seconds: (performance.now() - begun) / 1000 });
  return result;
}
