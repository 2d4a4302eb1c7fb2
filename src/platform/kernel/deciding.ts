import type { Command as CqrsCommand } from '@nestjs/cqrs';
import type { DomainEvent, EventMetadata } from './event.js';

/** The cause of a command, for the metadata of its events (D6). */
export interface CommandContext {
  /** The acting user; null for the server itself. */
  readonly actorId: number | null;
  /** Name of the client program. */
  readonly client: string;
  /** Shared by all events that follow from one request. */
  readonly correlationId: string;
  /** Address of the client whose request this is. A consequence has none: its cause has it. */
  readonly address?: string;
  /** The operating system's user who gave the command on the command line. A consequence has none, either. */
  readonly operator?: string;
}

/** What every command says besides its own fields. */
interface Caused {
  readonly by: CommandContext;
}

/**
 * The base of a command with the fields `Fields`. `Result` is the type of `CommandBus.execute`'s result. Equal to Nest's
 * base class for the compiler, but loads nothing of Nest: the one member of Nest's class exists only as a type.
 */
export const Command = class {
  constructor(fields: object) {
    Object.assign(this, fields);
  }
} as unknown as abstract new <Fields extends object, Result = void>(
  fields: Fields & Caused,
) => CqrsCommand<Result> & Readonly<Fields> & Caused;

/**
 * The rule of one command: gives the events to append, `[]` if there is nothing to do; refuses by throwing DomainError
 * (`refuse`). Pure: time, randomness, ids and facts about other streams come in through `context` (D1, D4).
 */
export type Decide<Command, State, Event extends DomainEvent, Context = undefined> = (
  command: Command,
  state: State,
  context: Context,
) => readonly Event[];

/** An event that a state is folded from. One from the log says who caused it, and when; one decided just now does not yet. */
export type Folded<Event extends DomainEvent> = Event & { readonly metadata?: Pick<EventMetadata, 'actorId' | 'at'> };

/** Folds one stream. `evolve` never throws and never mutates what it is given. */
export interface Decider<State, Event extends DomainEvent> {
  readonly initialState: State;
  readonly evolve: (state: State, event: Folded<Event>) => State;
}

/**
 * Every refusal code, with the data that its message needs. Each table of refusals adds its own rows
 * (`interface RefusalCodes extends DataOf<typeof table> {}`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface RefusalCodes {}

export type RefusalCode = keyof RefusalCodes;
export type RefusalData = Readonly<Record<string, unknown>>;

/** A refusal: a stable code and its data. Knows no HTTP: the table of the code gives the status and message. */
export class DomainError extends Error {
  constructor(
    readonly code: RefusalCode,
    readonly data: RefusalData = {},
  ) {
    super(code);
    this.name = 'DomainError';
  }
}

/** @throws DomainError always. @param data the data that the code's message needs, and further entries of the answer */
export function refuse<Code extends RefusalCode>(
  code: Code,
  ...[data]: keyof RefusalCodes[Code] extends never ? [data?: RefusalData] : [data: RefusalCodes[Code] & RefusalData]
): never {
  throw new DomainError(code, data);
}
