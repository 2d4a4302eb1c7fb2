import type { Filter } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { type Position, START } from '../../kernel/position.js';

const { Options } = streams.ReadReq;
const { Expression } = Options.FilterOptions;

/** Asks for all that comes behind a position and passes the filter, for as long as the call lasts. */
export function subscriptionRequest(after: Position, filter: Filter): ReadReq {
  const all = new Options.AllOptions();
  if (after === START) all.setStart(new shared.Empty());
  else {
    const commit = String(after);
    all.setPosition(new Options.Position().setCommitPosition(commit).setPreparePosition(commit));
  }
  return new streams.ReadReq().setOptions(
    new Options()
      .setAll(all)
      .setSubscription(new Options.SubscriptionOptions())
      .setResolveLinks(false)
      .setUuidOption(new Options.UUIDOption().setString(new shared.Empty()))
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
  else options.setCount(new shared.Empty());
  return options;
}
