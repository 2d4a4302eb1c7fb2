import { type Abstract, Inject, type Type } from '@nestjs/common';
import { type Command, CommandHandler, type CommandResult } from '@nestjs/cqrs';
import type { CommandContext, Decide } from '../kernel/deciding.js';
import type { DomainEvent } from '../kernel/event.js';
import { type CommandStream, Decisions } from './decisions.js';

interface Deciding<C extends Command<unknown>, State, Event extends DomainEvent, Context, Known, Source> {
  readonly stream: CommandStream<State, Event> | ((command: C) => CommandStream<State, Event>);
  readonly decide: Decide<C, State, Event, Context>;
  /** The provider that `facts` asks. */
  readonly uses?: Abstract<Source>;
  /** Facts about others (D4). Absent: the decision needs none. */
  readonly facts?: (command: C, source: Source) => Known | Promise<Known>;
  /** Adds facts that cost much to compute. Called only if the other facts do not make `decide` refuse the command. */
  readonly costlyFacts?: (command: C, facts: Known) => Promise<Known>;
  /** Makes the result of `execute` from the appended events and the facts. Absent: the result is nothing. */
  readonly answer?: (events: readonly Event[], facts: Known) => CommandResult<C>;
}

type Present = NonNullable<unknown>;

/** The parts that a command cannot do without. */
type Needed<C extends Command<unknown>, Context> = (undefined extends Context ? unknown : { readonly facts: Present }) &
  (CommandResult<C> extends void ? unknown : { readonly answer: Present });

/** Makes the handler of a command that is decided on one stream, and has no other effect. */
export function decidesOn<
  C extends Command<unknown> & { readonly by: CommandContext },
  State,
  Event extends DomainEvent,
  Context,
  Known extends Context,
  Source = undefined,
>(
  commandType: abstract new (...args: never[]) => C,
  declaration: Deciding<C, State, Event, Context, Known, Source> & Needed<C, Context>,
): Type<{ execute(command: C): Promise<CommandResult<C>> }> {
  const { stream, decide, uses, facts, costlyFacts, answer }: Deciding<C, State, Event, Context, Known, Source> =
    declaration;

  @CommandHandler(commandType)
  class DecidingHandler {
    constructor(
      @Inject(Decisions) private readonly decisions: Decisions,
      @Inject(uses ?? Decisions) private readonly source: Source,
    ) {}

    async execute(command: C): Promise<CommandResult<C>> {
      const on = typeof stream === 'function' ? stream(command) : stream;
      // `Needed` lets only undefined parts be left out.
      let context = (await facts?.(command, this.source)) as Known;
      if (costlyFacts) {
        await this.decisions.check(on, decide, command, context);
        context = await costlyFacts(command, context);
      }
      const { events } = await this.decisions.decide(on, decide, command, context);
      return answer?.(events, context) as CommandResult<C>;
    }
  }
  return DecidingHandler;
}

/** The first event of a command that always appends one. */
export function firstOf<Event>([first]: readonly Event[]): Event {
  if (!first) throw new Error('a command that makes something was neither carried out nor refused');
  return first;
}
