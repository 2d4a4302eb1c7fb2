import type { FileStore } from '../file-store/file-store.js';
import type { CommandContext, Decide } from '../kernel/deciding.js';
import type { DomainEvent } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type { CommandRunner } from './command-runner.js';
import type { Outcome, SealedWith } from './decision-request.js';
import type { ReadYourWrites } from './read-your-writes.js';
import type { DecidedStream } from './stream-states.js';

/** A stream that commands are decided on, and the key of content that they add to existing content. */
export interface CommandStream<State, Event extends DomainEvent> extends DecidedStream<State, Event> {
  readonly sealedWith?: SealedWith<State>;
}

/** Decides on a stream, then waits until the caller can read the result. */
export class Decisions {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly files: Pick<FileStore, 'remove'>,
  ) {}

  /**
   * Decides and appends nothing: asked before facts are computed that cost much, so that a command which is refused
   * anyway costs little.
   *
   * @throws DomainError if `decide` refuses
   */
  async check<Command extends { readonly by: CommandContext }, State, Event extends DomainEvent, Context>(
    stream: CommandStream<State, Event>,
    decide: Decide<Command, State, Event, Context>,
    command: Command,
    context: Context,
  ): Promise<void> {
    await this.runner.check({ ...stream, decide, command, context, by: command.by });
  }

  /** @throws DomainError if `decide` refuses */
  async decide<Command extends { readonly by: CommandContext }, State, Event extends DomainEvent, Context>(
    stream: CommandStream<State, Event>,
    decide: Decide<Command, State, Event, Context>,
    command: Command,
    context: Context,
  ): Promise<Outcome<Event>> {
    return this.settled(await this.runner.decide({ ...stream, decide, command, context, by: command.by }));
  }

  /** The same on facts that are computed for each attempt, as of the state or later. */
  async decideAsOf<Command extends { readonly by: CommandContext }, State, Event extends DomainEvent, Context>(
    stream: CommandStream<State, Event>,
    decide: Decide<Command, State, Event, Context>,
    command: Command,
    contextAsOf: (position: Position) => Promise<Context>,
  ): Promise<Outcome<Event>> {
    return this.settled(await this.runner.decide({ ...stream, decide, command, contextAsOf, by: command.by }));
  }

  private async settled<Event extends DomainEvent>(outcome: Outcome<Event>): Promise<Outcome<Event>> {
    const { events, position } = outcome;
    const { keyIds, fileIds } = this.runner.endedBy(events);
    if (keyIds.length + fileIds.length === 0) await this.readYourWrites.waitFor(position, events);
    else
      await this.readYourWrites.waitForDeletion(position, events, async () => {
        if (fileIds.length > 0) await this.files.remove(fileIds);
        await this.runner.destroyKeys(keyIds);
      });
    return outcome;
  }
}
