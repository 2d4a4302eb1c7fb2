import type { Filter } from '@eventstore/db-client';
import { type Position, START } from '../../kernel/position.js';
import { Empty, type ReadReq, ReadRequest } from './client-internals.js';

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
