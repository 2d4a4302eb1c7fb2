import { Injectable } from '@nestjs/common';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { DirectoryFollower } from '../../../directory/directory-follower.js';
import { Facts } from '../../../directory/facts.js';
import { mayRead } from '../../../directory/readable-messages.js';
import { type OwnFlag, type ReadStateEvent, readStateStream } from '../../../events/read-state/read-state.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { MultiStreamCommand } from '../../../platform/commands/multi-stream-command.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import type { FlaggedMessage } from '../../message-flags/queries/flagged-message.js';
import type { OwnFlags } from '../../message-flags/queries/own-flags.js';
import {
  decideChangeFlags,
  type FlagChanges,
  type FlagFacts,
  type FlagOperation,
  flagEvents,
} from '../domain/change-flags.js';

/** Ids looked up at once. */
const PAGE = 500;

/** Appends users' reports about their flags, and waits for them. */
@Injectable()
export class FlagReports {
  constructor(
    private readonly facts: Facts,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly follower: DirectoryFollower,
  ) {}

  /**
   * Changes flags. Takes back flags of messages that were deleted, or moved out of reach, before the flags were stored.
   * @param flagged messages that the reader may read, each once
   * @param whole take back all changes if one of them is overtaken
   */
  async change(
    reader: UserRecord,
    flagged: readonly FlaggedMessage[],
    own: OwnFlags,
    { flag, operation }: { readonly flag: OwnFlag; readonly operation: FlagOperation },
    by: CommandContext,
    whole = false,
  ): Promise<FlagChanges & { readonly overtaken: readonly number[] }> {
    const facts = flagged.map((message): FlagFacts => {
      const channelId = message.type === 'channel' ? message.channelId : null;
      const isSubscribed = channelId !== null && this.facts.directory.isSubscribed(reader._id, channelId);
      return { id: message._id, isSet: own.has(flag, message), channelId, isSubscribed };
    });
    const changes = decideChangeFlags({ userId: reader._id, flag, operation }, facts);
    const position = await this.report(reader._id, changes.events, by);
    const opposite = operation === 'add' ? 'remove' : 'add';
    // A message that is gone may count as read.
    if ((flag === 'read') === (operation === 'add')) return { ...changes, overtaken: [] };
    const takeBack = async () => {
      const overtaken = await this.overtaken(reader._id, changes.changed, position);
      const back = new Set(whole && overtaken.length > 0 ? changes.changed : overtaken);
      await this.report(reader._id, flagEvents(reader._id, flag, opposite, [...back]), by);
      return { ...changes, changed: changes.changed.filter((id) => !back.has(id)), overtaken };
    };
    return new MultiStreamCommand(changes.changed.length > 0).do(takeBack, () => false);
  }

  /** The messages that their reader could no longer read at a position. */
  private async overtaken(userId: number, ids: readonly number[], position: Position): Promise<readonly number[]> {
    if (ids.length === 0) return [];
    await Promise.all([this.follower.waitFor(position), this.facts.readModels.waitFor([messages], position)]);
    const reader = this.facts.directory.user(userId);
    const collection = this.facts.readModels.collection<MessageDocument>(messages, MESSAGES);
    const readable = new Set<number>();
    for (let at = 0; at < ids.length; at += PAGE)
      for (const message of await collection.find({ _id: { $in: ids.slice(at, at + PAGE) } }))
        if (reader && mayRead(reader, message, this.facts.directory)) readable.add(message._id);
    return ids.filter((id) => !readable.has(id));
  }

  /** @returns position of the last event */
  async report(userId: number, events: readonly ReadStateEvent[], by: CommandContext): Promise<Position> {
    // Appended together: the log stores appends of one moment at once, in this order.
    const appended = await Promise.allSettled(
      events.map((event) => this.runner.report(readStateStream(userId), event, by)),
    );
    const parts = new MultiStreamCommand();
    let last = START;
    for (const report of stored(appended))
      last = Math.max(
        last,
        (
          await parts.do(
            () => report,
            () => true,
          )
        ).position,
      );
    await this.readYourWrites.waitFor(last, events);
    return last;
  }
}

/** Stored reports come first: if a later one failed, a part of the request is done. */
function stored<Appended>(appended: readonly PromiseSettledResult<Appended>[]): Promise<Appended>[] {
  const failed = appended.filter((one) => one.status === 'rejected');
  return [...appended.filter((one) => one.status === 'fulfilled'), ...failed].map((one) =>
    one.status === 'fulfilled' ? Promise.resolve(one.value) : Promise.reject(one.reason),
  );
}
