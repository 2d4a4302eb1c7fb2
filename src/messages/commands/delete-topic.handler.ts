import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import type { Outcome } from '../../command-runner/command-runner.js';
import { PartByPart } from '../../command-runner/part-by-part.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import type { CommandContext } from '../../kernel/command-context.js';
import { DomainError, PartlyDoneError, refuse, WordsRemainError } from '../../kernel/domain-error.js';
import { OwnFlags } from '../../read-state/queries/own-flags.js';
import { ReadState } from '../../read-state/queries/read-state.js';
import { DeleteTopic } from '../domain/delete-topic.js';
import type { MessageDeleted } from '../domain/message.events.js';
import { inChannel } from '../domain/narrow-resolve.js';
import { mayRead } from '../queries/readable-messages.js';
import { MessageRows } from '../queries/rows/message-rows.js';
import { NarrowedRows } from '../queries/rows/narrowed-rows.js';
import { Deletions } from './deletions.js';

/** Messages whose words are gone before the next ones are looked at. */
const BATCH = 100;
/** Deleted at once. */
const HANDS = 16;

@CommandHandler(DeleteTopic)
export class DeleteTopicHandler implements ICommandHandler<DeleteTopic, boolean> {
  constructor(
    private readonly directory: Directory,
    private readonly rows: MessageRows,
    private readonly deletions: Deletions,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /**
   * @returns whether nothing is left, as far as the log goes that this process has seen
   * @throws DomainError INVALID_CHANNEL_ID, ADMINISTRATOR_REQUIRED
   */
  async execute({ userId, channelId, topic, until, by }: DeleteTopic): Promise<boolean> {
    const { directory } = this;
    const user = directory.user(userId) ?? refuse('USER_NOT_FOUND');
    const channel = directory.channel(channelId);
    if (!channel || channel.isArchived || !may(user, { channel, to: 'read' }, directory)) refuse('INVALID_CHANNEL_ID');
    if (!may(user, { channel, to: 'can_delete_any_message_group' }, directory)) refuse('ADMINISTRATOR_REQUIRED');
    const through = directory.position;
    await this.readModels.waitFor([messages], through);
    // What was acknowledged before, and is not in the documents yet, is found by a repeat.
    const isKnown = this.readModels.position(messages) >= through;
    const place = this.rowsOf(channelId, topic, user);
    const parts = new PartByPart();
    for (let newest = Number.MAX_SAFE_INTEGER; ; ) {
      const batch = await place.take(BATCH, -1, { from: 0, to: newest });
      const last = batch.at(-1);
      if (!last) return isKnown;
      const isLast = batch.length < BATCH;
      await parts.do(
        () => this.deleteBatch(batch, isLast, user, by),
        () => true,
      );
      if (isLast) return isKnown;
      newest = last._id - 1;
      if (Date.now() >= until) return isKnown && (await place.take(1, -1, { from: 0, to: newest })).length === 0;
    }
  }

  private async deleteBatch(
    batch: readonly { readonly _id: number }[],
    isLast: boolean,
    user: UserRecord,
    by: CommandContext,
  ): Promise<void> {
    const ids = batch.map(({ _id }) => _id);
    try {
      await this.deleteAll(ids, user, by);
    } catch (error) {
      // There is more to delete, which a repeat does.
      if (!isLast && error instanceof WordsRemainError) throw new PartlyDoneError(error.message, { cause: error });
      throw error;
    }
  }

  private async deleteAll(ids: readonly number[], user: UserRecord, by: CommandContext): Promise<void> {
    const collection = this.readModels.collection<MessageDocument>(messages, MESSAGES);
    const asOf = this.readModels.position(messages);
    const found = await collection.find({ _id: { $in: ids } }, { sort: { _id: -1 } });
    const left = found.filter((message) => mayRead(user, message, this.directory));
    const deleted: Outcome<MessageDeleted>[] = [];
    const hand = async (): Promise<void> => {
      for (let one = left.shift(); one; one = left.shift()) {
        try {
          deleted.push(await this.deletions.append(one, user, asOf, by));
        } catch (error) {
          // Somebody else has deleted it.
          if (!(error instanceof DomainError && error.code === 'INVALID_MESSAGE')) throw error;
        }
      }
    };
    const hands = await Promise.allSettled(Array.from({ length: HANDS }, hand));
    const failure = hands.find((result) => result.status === 'rejected');
    if (deleted.length > 0) await this.deletions.finish(deleted);
    if (!failure) return;
    if (deleted.length > 0) throw new PartlyDoneError('some messages are deleted', { cause: failure.reason });
    throw failure.reason;
  }

  private rowsOf(channelId: number, topic: string, user: UserRecord): NarrowedRows {
    const own = new OwnFlags(user, ReadState.none(user._id), this.directory);
    return new NarrowedRows(inChannel(channelId, topic), user, own, this.directory, this.rows);
  }
}
