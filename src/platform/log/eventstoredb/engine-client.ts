import { convertToCommandError, EventStoreDBClient, type Filter } from '@eventstore/db-client';
import type { CallOptions, Channel, Metadata, ServiceError } from '@grpc/grpc-js';
import type { Position } from '../../kernel/position.js';
import {
  type ClientInternals,
  Empty,
  internalsOf,
  ServerFeaturesClient,
  type SupportedMethods,
  subscriptionRequest,
} from './client-internals.js';
import { type AppendStream, LogClient, type ReadCall } from './log-client.js';

const UNIMPLEMENTED = 12;

/** One client of EventStoreDB. Its faults do not end the process, and it can be disposed of at any time. */
export class EngineClient {
  readonly api: EventStoreDBClient;
  private readonly internals: ClientInternals;
  /** The newest channel. The client itself closes the one before. */
  private channel: Channel | undefined;
  private isDisposed = false;

  /** @throws Error if the connection string is malformed, or names a missing file of certificates */
  constructor(url: string) {
    this.api = EventStoreDBClient.connectionString(url);
    this.internals = internalsOf(this.api);
    this.keepChannel();
    this.holdErrors();
  }

  /**
   * Asks for the server's version; undefined if the server does not tell. The client's own call has no deadline: without
   * an answer, it would keep the connection and the process for ever.
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

  /** Opens a new stream of appends. It ends with an `error` event. */
  openAppendStream(): Promise<AppendStream> {
    return this.openStream((client, metadata, options) => client.appends(metadata, options));
  }

  /** Opens a stream of the events after a position that pass the filter. It ends with an `error` event. */
  openLog(after: Position, filter: Filter): Promise<ReadCall> {
    const request = subscriptionRequest(after, filter);
    return this.openStream((client, metadata, options) => client.readLog(request, metadata, options));
  }

  /** Ends every call and closes the channel: the next client must not get a dead connection. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    // The client waits until its calls have ended; this method does not.
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

  /** Catches failures of the client's own error handling: they would be unhandled rejections. */
  private holdErrors(): void {
    const handle = this.internals.handleError;
    this.internals.handleError = async (client, error) => {
      try {
        await handle(client, error);
      } catch {
        // The next call fails in the same way, and rejects.
      }
    };
  }
}
