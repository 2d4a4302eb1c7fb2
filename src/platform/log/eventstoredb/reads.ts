import type { AllStreamResolvedEvent, ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { AwakeTimer } from '../../kernel/awake-time.js';
import { type Position, START } from '../../kernel/position.js';
import { unavailable } from './classify-errors.js';
import { toEnginePosition } from './codec.js';
import type { EngineConnection, Link } from './connection.js';

/** Reads from the server. After `silence` ms without an event, gives up the read and replaces the connection. */
export class Reads {
  constructor(
    private readonly connection: EngineConnection,
    private readonly silence: number,
  ) {}

  /**
   * Reads the whole log, from a position on.
   *
   * @param from included forwards, excluded backwards; the event there may have been scavenged
   * @param enough is asked after each event; true ends the read
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

  /** Reads a stream, as `all` does. @throws the client's own errors: the stream may be missing or deleted */
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
      // A call whose client was disposed of ends like a call that has read everything.
      call.on('end', () =>
        done(() => (this.connection.isCurrent(link) ? resolve(events) : reject(new Error('the connection was dead')))),
      );
      // This listener stays: an error after the end would otherwise be thrown outside of any promise.
      call.on('error', (error) => done(() => reject(error), false));
    });
  }
}

/** Cancels a call, even if it has not begun. */
export function cancel(call: { cancel(): Promise<void> } | { unsubscribe(): Promise<void> }): void {
  ('cancel' in call ? call.cancel() : call.unsubscribe()).catch(() => {
    // The call never began.
  });
}

const failed = (error: unknown): never => {
  throw unavailable(error);
};
