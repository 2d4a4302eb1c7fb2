import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { AlertWords } from '../../personal/queries/alert-words.js';
import { OwnFlags } from '../../read-state/queries/own-flags.js';
import { ReadStates } from '../../read-state/queries/read-states.js';
import type { NarrowTerm } from '../domain/narrow.js';
import { isInNarrow } from '../domain/narrow-match.js';
import { searchOf } from '../domain/narrow-resolve.js';
import type { FlaggedMessage } from './get-messages.handler.js';
import { journeysOf } from './journeys.js';
import { messageFlags } from './message-flags.js';
import { flagsOf } from './message-view.js';
import { mayRead } from './readable-messages.js';
import { readableNarrow } from './readable-narrow.js';
import { topicPoliciesFor } from './topic-policies.js';

/** Those of the messages that the reader may read and that are in the narrow; by id. */
export class GetMessagesById {
  constructor(
    readonly reader: UserRecord,
    readonly messageIds: readonly number[],
    readonly narrow: readonly NarrowTerm[] = [],
  ) {}
}

@QueryHandler(GetMessagesById)
export class GetMessagesByIdHandler implements IQueryHandler<GetMessagesById, readonly FlaggedMessage[]> {
  constructor(
    private readonly directory: Directory,
    private readonly readStates: ReadStates,
    private readonly alertWords: AlertWords,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** @throws DomainError BAD_NARROW */
  async execute({ reader, messageIds, narrow: terms }: GetMessagesById): Promise<readonly FlaggedMessage[]> {
    const { directory } = this;
    const collection = this.readModels.collection<MessageDocument>(messages, MESSAGES);
    const narrow = await readableNarrow(terms, reader, directory, collection);
    const topics = await topicPoliciesFor(narrow, reader, directory, this.readModels);
    const found = await collection.find({ _id: { $in: [...new Set(messageIds)] } }, { sort: { _id: 1 } });
    const through = this.readModels.position(messages);
    const state = await this.readStates.of(reader._id, through);
    const own = new OwnFlags(reader, state, directory, await this.alertWords.of(reader._id, through));
    const search = searchOf(narrow);
    const told = found.filter(
      (message) => isInNarrow(narrow, message, flagsOf(message, own, topics)) && mayRead(reader, message, directory),
    );
    const journeys = await journeysOf(told, this.readModels);
    return told.map((message) => ({
      message,
      journey: journeys.get(message.journey ?? ''),
      flags: messageFlags(reader, message, own, directory),
      search,
    }));
  }
}
