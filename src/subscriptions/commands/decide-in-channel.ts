import type { CommandRunner, Outcome } from '../../command-runner/command-runner.js';
import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { type SubscriptionEvent, subscriptionsStream } from '../domain/subscriptions.events.js';
import { type SubscriptionsState, subscriptions } from '../domain/subscriptions.state.js';

/** Takes a command about one channel's subscriptions to its events; waits for nothing. */
export const decideInChannel = <Command extends { readonly channelId: number }, Event extends SubscriptionEvent>(
  runner: CommandRunner,
  decide: Decide<Command, SubscriptionsState, Event>,
  command: Command,
  by: CommandContext,
): Promise<Outcome<Event>> =>
  runner.decide({
    stream: subscriptionsStream(command.channelId),
    decider: subscriptions,
    decide,
    command,
    context: undefined,
    by,
  });
