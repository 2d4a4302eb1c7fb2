import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { channelFor, may } from '../../../directory/permissions.js';
import { mayRead } from '../../../directory/readable-messages.js';
import type { MessageDeleted } from '../../../events/messages/message.events.js';
import type { Outcome } from '../../../platform/commands/decision-request.js';
import { MultiStreamCommand } from '../../../platform/commands/multi-stream-command.js';
import { type CommandContext, DomainError, refuse } from '../../../platform/kernel/deciding.js';
import { forEachConcurrently } from '../../../platform/kernel/for-each-concurrently.js';
import { ContentRemainsError, PartlyDoneError } from '../../../platform/kernel/outcome-errors.js';
import { OwnFlags } from '../../message-flags/queries/own-flags.js';
import { ReadState } from '../../message-flags/queries/read-state.js';
import { inChannel } from '../../narrow/domain/narrow-resolve.js';
import { DeleteTopic } from '../domain/delete-message.js';
import { Deletions } from '../services/deletions.js';
import { MessageRows } from '../services/message-rows.js';
import { NarrowedRows } from '../services/narrowed-rows.js';

/** Messages that are deleted, with their keys destroyed, before the next ones are read. */
const BATCH = 100;
/** Deletions under way at once. */
const CONCURRENCY = 16;

@CommandHandler(DeleteTopic)
export class DeleteTopicHandler implements ICommandHandler<DeleteTopic> {
  constructor(
    private readonly facts: Facts,
    private readonly rows: MessageRows,
    private readonly deletions: Deletions,
  ) {}

  /**
   * @returns whether no message is left, as far as this process has seen the log
   * @throws DomainError INVALID_CHANNEL_ID, ADMINISTRATOR_REQUIRED
   */
  async execute({ userId, channelId, topic, until, by }: DeleteTopic): Promise<boolean> {
    const { directory } = this.facts;
    const user = directory.existingUser(userId);
    const channel = channelFor(user, channelId, 'read', directory);
    if (channel.isArchived) refuse('INVALID_CHANNEL_ID');
    if (!may(user, { channel, to: 'can_delete_any_message_group' }, directory)) refuse('ADMINISTRATOR_REQUIRED');
    const through = directory.position;
    await this.facts.readModels.waitFor([messages], through);
    // Messages that were acknowledged, but are missing in the documents so far, are found by a repeat.
    const isKnown = this.facts.readModels.position(messages) >= through;
    const place = this.rowsOf(channelId, topic, user);
    const parts = new MultiStreamCommand();
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
      // Messages remain; a repeat deletes them.
      if (!isLast && error instanceof ContentRemainsError) throw new PartlyDoneError(error.message, { cause: error });
      throw error;
    }
  }

  private async deleteAll(ids: readonly number[], user: UserRecord, by: CommandContext): Promise<void> {
    const collection = this.facts.readModels.collection<MessageDocument>(messages, MESSAGES);
    const asOf = this.facts.readModels.position(messages);
    const found = await collection.find({ _id: { $in: ids } }, { sort: { _id: -1 } });
    const remaining = found.filter((each) => mayRead(user, each, this.facts.directory));
    const deleted: Outcome<MessageDeleted>[] = [];
    const failure = await forEachConcurrently(remaining, CONCURRENCY, async (message) => {
      try {
        deleted.push(await this.deletions.append(message, user, asOf, by));
      } catch (error) {
        // The message was deleted meanwhile.
        if (!(error instanceof DomainError && error.code === 'INVALID_MESSAGE')) throw error;
      }
    }).then(
      () => null,
      (reason: unknown) => ({ reason }),
    );
    if (deleted.length > 0) await this.deletions.finish(deleted);
    if (!failure) return;
    if (deleted.length > 0) throw new PartlyDoneError('some messages are deleted', { cause: failure.reason });
    throw failure.reason;
  }

  private rowsOf(channelId: number, topic: string, user: UserRecord): NarrowedRows {
    const own = new OwnFlags(user, ReadState.none(user._id), this.facts.directory);
    return new NarrowedRows(inChannel(channelId, topic), own, this.rows);
  }
}
