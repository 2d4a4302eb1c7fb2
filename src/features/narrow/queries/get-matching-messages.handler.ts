import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Query } from '../../../platform/kernel/command.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { AlertWords } from '../../personal/queries/alert-words.js';
import type { NarrowTerm } from '../domain/narrow.js';
import { searchOf } from '../domain/narrow-resolve.js';
import { OwnFlags } from './flags/own-flags.js';
import { ReadStates } from './flags/read-states.js';
import { readableView } from './message-view.js';
import { readMovedIn } from './moved-in.js';
import { readableNarrow } from './readable-narrow.js';
import { topicPoliciesFor } from './topic-policies.js';

/** The messages among `messageIds` that a page of the narrow would show the reader. */
export class GetMatchingMessages extends Query<MatchingMessages> {
  constructor(
    readonly reader: UserRecord,
    readonly messageIds: readonly number[],
    readonly narrow: readonly NarrowTerm[],
  ) {
    super();
  }
}

export interface MatchingMessages {
  /** By id. */
  readonly messages: readonly MessageDocument[];
  /** The searched text; null if the narrow does not search. */
  readonly search: string | null;
}

@QueryHandler(GetMatchingMessages)
export class GetMatchingMessagesHandler implements IQueryHandler<GetMatchingMessages> {
  constructor(
    private readonly directory: Directory,
    private readonly readStates: ReadStates,
    private readonly alertWords: AlertWords,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** @throws DomainError BAD_NARROW */
  async execute({ reader, messageIds, narrow: terms }: GetMatchingMessages): Promise<MatchingMessages> {
    const { directory, readModels } = this;
    const collection = readModels.collection<MessageDocument>(messages, MESSAGES);
    const narrow = await readableNarrow(terms, reader, directory, collection);
    const topics = await topicPoliciesFor(narrow, reader, directory, readModels);
    const through = readModels.position(messages);
    const state = await this.readStates.of(reader._id, through);
    const own = new OwnFlags(reader, state, directory, await this.alertWords.of(reader._id, through));
    const view = readableView(narrow, reader, own, directory, await readMovedIn(this.readModels), topics);
    const found = await collection.find({ _id: { $in: [...new Set(messageIds)] } }, { sort: { _id: 1 } });
    return { messages: found.filter(view.includes), search: searchOf(narrow) };
  }
}
