import { Inject, type Type } from '@nestjs/common';
import { type Command, CommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { type CommandStream, Decisions } from '../../../platform/commands/decisions.js';
import type { CommandContext, Decide } from '../../../platform/kernel/deciding.js';
import type { DomainEvent } from '../../../platform/kernel/event.js';
import type { MeasuredFile } from '../domain/upload-file.js';
import { PictureFiles } from '../services/picture-files.js';

interface DecidingOnPictures<C, State, Event extends DomainEvent, Context, Made> {
  readonly stream: CommandStream<State, Event> | ((command: C) => CommandStream<State, Event>);
  readonly decide: Decide<C, State, Event, Context>;
  /** Makes the pictures of the client's file. */
  readonly make: (command: C, pictures: PictureFiles) => Promise<Made>;
  /**
   * Gives the facts, and is asked twice. Before the pictures are made: no files, and null. Then the stored files, in the
   * order of the pictures.
   */
  readonly facts: (command: C, directory: Directory, files: readonly MeasuredFile[], made: Made | null) => Context;
}

/** Makes the handler of a command whose event names pictures that are stored before it. */
export function decidesOnPictures<
  C extends Command<unknown> & { readonly by: CommandContext },
  State,
  Event extends DomainEvent,
  Context,
  Made extends { readonly pictures: readonly Buffer[] },
>(
  commandType: abstract new (...args: never[]) => C,
  { stream, decide, make, facts }: DecidingOnPictures<C, State, Event, Context, Made>,
): Type<{ execute(command: C): Promise<void> }> {
  @CommandHandler(commandType)
  class PictureHandler {
    constructor(
      @Inject(Directory) private readonly directory: Directory,
      @Inject(Decisions) private readonly decisions: Decisions,
      @Inject(PictureFiles) private readonly pictures: PictureFiles,
    ) {}

    async execute(command: C): Promise<void> {
      const on = typeof stream === 'function' ? stream(command) : stream;
      // A client that may not sends no picture in vain.
      await this.decisions.check(on, decide, command, facts(command, this.directory, [], null));
      const made = await make(command, this.pictures);
      await this.pictures.stored(made.pictures, (files) =>
        this.decisions.decide(on, decide, command, facts(command, this.directory, files, made)),
      );
    }
  }
  return PictureHandler;
}
