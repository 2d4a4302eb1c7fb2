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
import { searchOf } from '../domain/narrow-resolve.js';
import { arrivalsIn } from './arrivals.js';
import { readableView } from './message-view.js';
import { readableNarrow } from './readable-narrow.js';
import { topicPoliciesFor } from './topic-policies.js';

/** Those of the messages that a page of the narrow would show the reader. */
export class GetMatchingMessages {
  constructor(
    readonly reader: UserRecord,
    readonly messageIds: readonly number[],
    readonly narrow: readonly NarrowTerm[],
  ) {}
}

export interface MatchingMessages {
  /** By id. */
  readonly messages: readonly MessageDocument[];
  /** The words that they hold; null where none were searched. */
  readonly search: string | null;
}

@QueryHandler(GetMatchingMessages)
export class GetMatchingMessagesHandler implements IQueryHandler<GetMatchingMessages, MatchingMessages> {
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
    const view = readableView(narrow, reader, own, directory, await arrivalsIn(this.readModels), topics);
    const found = await collection.find({ _id: { $in: [...new Set(messageIds)] } }, { sort: { _id: 1 } });
    return { messages: found.filter(view.includes), search: searchOf(narrow) };
  }
}
