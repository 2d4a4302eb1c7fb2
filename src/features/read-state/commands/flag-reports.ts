import { Injectable } from '@nestjs/common';
import { clientEvents } from '../../../../projections/client-events/client-events.projection.js';
import { readState } from '../../../../projections/read-state/read-state.projection.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { type OwnFlag, type ReadStateEvent, readStateStream } from '../../../events/read-state/read-state.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { MultiStreamCommand } from '../../../platform/commands/multi-stream-command.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import type { FlaggedMessage } from '../../narrow/queries/flags/flagged-message.js';
import type { OwnFlags } from '../../narrow/queries/flags/own-flags.js';
import { decideChangeFlags, type FlagChanges, type FlagFacts, type FlagOperation } from '../domain/change-flags.js';

interface Appended {
  readonly position: Position;
}

/** Appends users' reports about their flags, and waits for them. */
@Injectable()
export class FlagReports {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @param messages messages that the reader may read, each once */
  async change(
    reader: UserRecord,
    messages: readonly FlaggedMessage[],
    own: OwnFlags,
    { flag, operation }: { readonly flag: OwnFlag; readonly operation: FlagOperation },
    by: CommandContext,
  ): Promise<FlagChanges> {
    const facts = messages.map((message): FlagFacts => {
      const channelId = message.type === 'channel' ? message.channelId : null;
      const isSubscribed = channelId !== null && this.directory.isSubscribed(reader._id, channelId);
      return { id: message._id, isSet: own.has(flag, message), channelId, isSubscribed };
    });
    const changes = decideChangeFlags({ userId: reader._id, flag, operation }, facts);
    await this.report(reader._id, changes.events, by);
    return changes;
  }

  async report(userId: number, events: readonly ReadStateEvent[], by: CommandContext): Promise<void> {
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
    await this.readYourWrites.wait(last, [readState, clientEvents]);
  }
}

/** Stored reports come first: if a later one failed, a part of the request is done. */
function stored(appended: readonly PromiseSettledResult<Appended>[]): Promise<Appended>[] {
  const failed = appended.filter((one) => one.status === 'rejected');
  return [...appended.filter((one) => one.status === 'fulfilled'), ...failed].map((one) =>
    one.status === 'fulfilled' ? Promise.resolve(one.value) : Promise.reject(one.reason),
  );
}
