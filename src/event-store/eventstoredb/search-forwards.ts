import { AwakeTimer } from '../../kernel/awake-time.js';
import type { Position } from '../../kernel/position.js';
import { unavailable } from './classify-errors.js';
import type { Connection } from './connection.js';
import { serverFilter } from './filters.js';
import { subscribeToLog } from './log-subscription.js';
import { cancel } from './reads.js';

const BUFFERED = 64;

/**
 * Our newest event after a position, or that position: the server looks for it among the events of others, forwards, as
 * far as there are any now.
 *
 * @throws EventStoreUnavailable
 */
export function newestAfter(
  connection: Connection,
  streamPrefix: string,
  after: Position,
  silence: number,
): Promise<Position> {
  return new Promise((resolve, reject) => {
    const { link } = connection;
    const filter = serverFilter(streamPrefix, undefined, () => timer.refresh());
    const subscription = subscribeToLog(link, streamPrefix, after, filter, BUFFERED);
    let newest = after;
    const end = (settle: () => void) => {
      timer.clear();
      settle();
      cancel(subscription);
    };
    const fail = (error: unknown) => end(() => reject(unavailable(error)));
    const timer = new AwakeTimer(silence, () => {
      fail(new Error(`no answer for ${silence} ms`));
      connection.replace(link, silence);
    });
    let isAll = false;
    const endIfRead = () => {
      if (isAll && subscription.readableLength === 0) end(() => resolve(newest));
    };
    subscription.on('data', ({ position, event }) => {
      timer.refresh();
      if (event) newest = position;
      endIfRead();
    });
    subscription.on('caughtUp', () => {
      isAll = true;
      endIfRead();
    });
    subscription.on('error', fail);
    subscription.on('end', () => fail(new Error('the server has ended the search')));
  });
}
