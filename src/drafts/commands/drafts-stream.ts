import { Injectable } from '@nestjs/common';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { drafts as draftDocuments } from '../../../projections/drafts.projection.js';
import { CommandRunner, type Outcome } from '../../command-runner/command-runner.js';
import { PartByPart } from '../../command-runner/part-by-part.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { may } from '../../directory/permissions.js';
import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { MAX_MESSAGE_LENGTH } from '../../messages/domain/message-content.js';
import { personalStream } from '../../personal/domain/personal.events.js';
import type { DraftEvent } from '../domain/drafts.events.js';
import { type DraftsState, drafts } from '../domain/drafts.state.js';
import type { DraftFacts, WrittenDraft } from '../domain/written-draft.js';

/** Takes a command about a user's drafts to its events, until what they leave is all that anybody can read. */
@Injectable()
export class DraftsStream {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async decide<
    Command extends { readonly userId: number; readonly by: CommandContext },
    Event extends DraftEvent,
    Context,
  >(
    decide: Decide<Command, DraftsState, Event, Context>,
    command: Command,
    context: Context,
  ): Promise<readonly Event[]> {
    const parts = new PartByPart();
    const stored = ({ events }: Outcome<Event>): boolean => events.length > 0;
    const outcome = await parts.do(
      () =>
        this.runner.decide({
          stream: personalStream(command.userId),
          decider: drafts,
          decide,
          command,
          context,
          by: command.by,
          sealedAlone: ({ data }) => ('words' in data ? data.keyId : undefined),
        }),
      stored,
    );
    await parts.do(
      () => this.finish(outcome),
      () => true,
    );
    return outcome.events;
  }

  /** What the user may name in their drafts. */
  factsFor(userId: number, written: readonly WrittenDraft[]): DraftFacts {
    const { directory } = this;
    const user = directory.user(userId) ?? refuse('USER_NOT_FOUND');
    const named = (type: WrittenDraft['type']): number[] =>
      written.flatMap((draft) => (draft.type === type ? draft.to : []));
    const channels = named('channel').flatMap((id) => directory.channel(id) ?? []);
    const open = channels.filter((channel) => !channel.isArchived && may(user, { channel, to: 'read' }, directory));
    return {
      now: Date.now(),
      longestText: MAX_MESSAGE_LENGTH,
      channelIds: new Set(open.map(({ _id }) => _id)),
      people: new Map(
        named('direct')
          .flatMap((id) => directory.user(id) ?? [])
          .map((person) => [person._id, person]),
      ),
    };
  }

  private async finish({ events, position }: Outcome<DraftEvent>): Promise<void> {
    const gone = events.flatMap((event) => keyThatGoes(event) ?? []);
    const read = [draftDocuments, clientEvents];
    if (gone.length === 0) return this.readYourWrites.wait(position, read);
    await this.readYourWrites.waitForDeletion(position, read, () => this.runner.destroyKeys(gone));
  }
}

function keyThatGoes({ type, data }: DraftEvent): string | null {
  if (type === 'DraftEdited') return data.previousKeyId;
  return type === 'DraftDeleted' ? data.keyId : null;
}
