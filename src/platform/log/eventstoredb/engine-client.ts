import { convertToCommandError, EventStoreDBClient, type Filter } from '@eventstore/db-client';
import type { CallOptions, Channel, Metadata, ServiceError } from '@grpc/grpc-js';
import type { Position } from '../../kernel/position.js';
import {
  type ClientInternals,
  Empty,
  internalsOf,
  ServerFeaturesClient,
  type SupportedMethods,
} from './client-internals.js';
import { type AppendStream, LogClient, type ReadCall } from './log-client.js';
import { subscriptionRequest } from './log-request.js';

const UNIMPLEMENTED = 12;

/** One client of EventStoreDB, made so that none of its faults ends the process, and that it can be got rid of. */
export class EngineClient {
  readonly api: EventStoreDBClient;
  private readonly internals: ClientInternals;
  /** The newest; the client closes the one before when it makes another. */
  private channel: Channel | undefined;
  private isDisposed = false;

  /** @throws Error where the connection string is none, or names a file of certificates that is not there */
  constructor(url: string) {
    this.api = EventStoreDBClient.connectionString(url);
    this.internals = internalsOf(this.api);
    this.keepChannel();
    this.holdErrors();
  }

  /**
   * Undefined where the server does not tell. The client asks too, without a deadline: a call that is never answered
   * would keep the connection, and the process, for ever.
   */
  serverVersion(milliseconds: number): Promise<string | undefined> {
    return this.internals.execute(ServerFeaturesClient, 'version', (client) => {
      const [metadata, options] = this.internals.callArguments({ deadline: milliseconds });
      return new Promise((resolve, reject) => {
        const answered = (error: ServiceError | null, methods?: SupportedMethods) => {
          if (!error) resolve(methods?.getEventStoreServerVersion());
          else if (error.code === UNIMPLEMENTED) resolve(undefined);
          else reject(convertToCommandError(error));
        };
        client.getSupportedMethods(new Empty(), metadata, options, answered);
      });
    });
  }

  /** A stream of appends of its own; it ends with an `error` event. */
  openAppendStream(): Promise<AppendStream> {
    return this.openStream((client, metadata, options) => client.appends(metadata, options));
  }

  /** All that comes behind a position and passes the filter; it ends with an `error` event. */
  openLog(after: Position, filter: Filter): Promise<ReadCall> {
    const request = subscriptionRequest(after, filter);
    return this.openStream((client, metadata, options) => client.readLog(request, metadata, options));
  }

  /** Ends every call, and the connections: a client that comes after must not be given a connection that is dead. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    // It waits for the ends of the calls; nobody else has to.
    void this.api.dispose();
    this.channel?.close();
  }

  private openStream<S>(call: (client: LogClient, metadata: Metadata, options: CallOptions) => S): Promise<S> {
    const open = this.internals.GRPCStreamCreator(LogClient, 'log', (client) =>
      call(client, ...this.internals.callArguments({}, { deadline: Number.POSITIVE_INFINITY })),
    );
    return open();
  }

  private keepChannel(): void {
    const create = this.internals.createChannel;
    this.internals.createChannel = async () => {
      const channel = await create();
      if (this.isDisposed) channel.close();
      else this.channel = channel;
      return channel;
    };
  }

  /** The client handles errors of calls aside; what fails there would be a rejection that nobody handles. */
  private holdErrors(): void {
    const handle = this.internals.handleError;
    this.internals.handleError = async (client, error) => {
      try {
        await handle(client, error);
      } catch {
        // The next call finds the same fault, and its caller hears of it.
      }
    };
  }
}
