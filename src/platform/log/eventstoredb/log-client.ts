import type { CallOptions, ClientDuplexStream, ClientReadableStream, Metadata } from '@grpc/grpc-js';
import { type ReadReq, StreamsClient, StreamsService } from './client-internals.js';
import { type AppendAnswer, appendAnswerFrom, type ReadAnswer, readAnswerFrom } from './log-messages.js';

/** A call to read the log. */
export type ReadCall = ClientReadableStream<ReadAnswer>;
/** A call for appends. Takes encoded appends. */
export type AppendStream = ClientDuplexStream<Buffer, AppendAnswer>;

const { read, batchAppend } = StreamsService;

/** The client of the streams service, with our own codec for frequent messages. */
export class LogClient extends StreamsClient {
  readLog(request: ReadReq, metadata: Metadata, options: CallOptions): ReadCall {
    return this.makeServerStreamRequest(read.path, read.requestSerialize, readAnswerFrom, request, metadata, options);
  }

  appends(metadata: Metadata, options: CallOptions): AppendStream {
    return this.makeBidiStreamRequest(batchAppend.path, (bytes: Buffer) => bytes, appendAnswerFrom, metadata, options);
  }
}
