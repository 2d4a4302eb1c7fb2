import type { EventStoreDBClient, Filter } from '@eventstore/db-client';
import unpacking from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import ids from '@eventstore/db-client/dist/utils/grpcUUID.js';
import cancellation from '@eventstore/db-client/dist/utils/isClientCancellationError.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { CallOptions, Channel, Client as GrpcClient, Metadata } from '@grpc/grpc-js';
import { type Position, START } from '../../kernel/position.js';

// The private parts of the client that this adapter needs, as of 6.2.1, the client's last version. No other file reaches
// its private modules.

export type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
export type { ReadReq };

export const { Empty, UUID } = shared;
export const { BatchAppendResp } = streams;
export const { StreamsClient, StreamsService } = streamsService;
export const { ServerFeaturesClient } = featuresService;
export const { unpackToCommandError } = unpacking;
export const { parseUUID } = ids;
export const { isClientCancellationError } = cancellation;

/** Private members of a client. */
export interface ClientInternals {
  readonly execute: <C extends GrpcClient, T>(
    service: new (...args: never[]) => C,
    name: string,
    call: (client: C) => Promise<T>,
  ) => Promise<T>;
  readonly callArguments: (options: { deadline?: number }, callOptions?: CallOptions) => [Metadata, CallOptions];
  readonly GRPCStreamCreator: <C extends GrpcClient, S>(
    service: new (...args: never[]) => C,
    name: string,
    create: (client: C) => S,
  ) => () => Promise<S>;
  createChannel: () => Promise<Channel>;
  handleError: (client: GrpcClient, error: Error) => Promise<void>;
}

export const internalsOf = (client: EventStoreDBClient): ClientInternals => client as unknown as ClientInternals;

const { ReadReq: ReadRequest } = streams;
const { Options } = ReadRequest;
const { Expression } = Options.FilterOptions;

/** Makes the request of a subscription to the events after a position that pass the filter. */
export function subscriptionRequest(after: Position, filter: Filter): ReadReq {
  const all = new Options.AllOptions();
  if (after === START) all.setStart(new Empty());
  else {
    const commit = String(after);
    all.setPosition(new Options.Position().setCommitPosition(commit).setPreparePosition(commit));
  }
  return new ReadRequest().setOptions(
    new Options()
      .setAll(all)
      .setSubscription(new Options.SubscriptionOptions())
      .setResolveLinks(false)
      .setUuidOption(new Options.UUIDOption().setString(new Empty()))
      .setFilter(filterOptions(filter)),
  );
}

function filterOptions(filter: Filter): InstanceType<typeof Options.FilterOptions> {
  const expression = new Expression();
  if ('prefixes' in filter) expression.setPrefixList(filter.prefixes);
  else expression.setRegex(filter.regex);
  const options = new Options.FilterOptions().setCheckpointintervalmultiplier(filter.checkpointInterval);
  if (filter.filterOn === 'streamName') options.setStreamIdentifier(expression);
  else options.setEventType(expression);
  if (typeof filter.maxSearchWindow === 'number') options.setMax(filter.maxSearchWindow);
  else options.setCount(new Empty());
  return options;
}
