import type { AllStreamResolvedEvent, ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { AwakeTimer } from '../../kernel/awake-time.js';
import { type Position, START } from '../../kernel/position.js';
import { unavailable } from './classify-errors.js';
import { toEnginePosition } from './codec.js';
import type { Connection, Link } from './connection.js';

/** Gives up after so many milliseconds of silence, and the connection with it. */
export class Reads {
  constructor(
    private readonly connection: Connection,
    private readonly silence: number,
  ) {}

  /**
   * The whole log from a position on.
   *
   * @param from forwards it is the first one, backwards the one before it is; one of an event, or of none any more
   * @param enough asked after each event; true ends the reading
   * @throws EventStoreUnavailable
   */
  all(
    from: Position | 'end',
    direction: 'forwards' | 'backwards',
    limit: number,
    enough?: (event: AllStreamResolvedEvent) => boolean,
  ): Promise<AllStreamResolvedEvent[]> {
    const fromPosition = from === START ? 'start' : from === 'end' ? 'end' : toEnginePosition(from);
    return this.collect((link) => link.api.readAll({ fromPosition, direction, maxCount: limit }), enough).catch(failed);
  }

  /** As `all`; rejects with the client's own errors, since a stream may be missing or deleted. */
  stream(
    stream: string,
    from: number | 'start' | 'end',
    direction: 'forwards' | 'backwards',
    limit: number | undefined,
    enough?: (event: ResolvedEvent) => boolean,
  ): Promise<ResolvedEvent[]> {
    const fromRevision = typeof from === 'number' ? BigInt(from) : from;
    const options = { fromRevision, direction, ...(limit === undefined ? {} : { maxCount: limit }) };
    return this.collect((link) => link.api.readStream(stream, options), enough);
  }

  private collect<E>(
    open: (link: Link) => StreamingRead<E>,
    enough: (event: E) => boolean = () => false,
  ): Promise<E[]> {
    return new Promise((resolve, reject) => {
      const { link } = this.connection;
      const call = open(link);
      const events: E[] = [];
      let isDone = false;
      const done = (settle: () => void, isAnswer = true) => {
        if (isDone) return;
        isDone = true;
        link.hasAnswered ||= isAnswer;
        timer.clear();
        settle();
      };
      const timer = new AwakeTimer(this.silence, () => {
        done(() => reject(new Error(`no answer for ${this.silence} ms`)), false);
        cancel(call);
        this.connection.replace(link, this.silence);
      });
      call.on('data', (event: E) => {
        if (isDone) return;
        timer.refresh();
        try {
          events.push(event);
          if (!enough(event)) return;
          done(() => resolve(events));
        } catch (error) {
          done(() => reject(error));
        }
        cancel(call);
      });
      // A call that ends because its client was disposed of looks like one that has read everything.
      call.on('end', () =>
        done(() => (this.connection.isCurrent(link) ? resolve(events) : reject(new Error('the connection was dead')))),
      );
      // It stays: what fails after the end would otherwise be thrown out of nowhere.
      call.on('error', (error) => done(() => reject(error), false));
    });
  }
}

/** Leaves a call that may not have begun, and never will. */
export function cancel(call: { cancel(): Promise<void> } | { unsubscribe(): Promise<void> }): void {
  ('cancel' in call ? call.cancel() : call.unsubscribe()).catch(() => {
    // It never began.
  });
}

const failed = (error: unknown): never => {
  throw unavailable(error);
};
