import { Injectable } from '@nestjs/common';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { readState } from '../../../projections/read-state.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { PartByPart } from '../../command-runner/part-by-part.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { CommandContext } from '../../kernel/command-context.js';
import { type Position, START } from '../../kernel/position.js';
import { decideChangeFlags, type FlagChanges, type FlagFacts, type FlagOperation } from '../domain/change-flags.js';
import { type OwnFlag, type ReadStateEvent, readStateStream } from '../domain/read-state.events.js';
import type { FlaggedMessage } from '../queries/flagged-message.js';
import type { OwnFlags } from '../queries/own-flags.js';

interface Appended {
  readonly position: Position;
}

/** What users report of their flags, appended and waited for. */
@Injectable()
export class FlagReports {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @param messages those that the reader may read, each once */
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
    // Appended together: the log stores what comes at one moment at once, in this order.
    const appended = await Promise.allSettled(
      events.map((event) => this.runner.report(readStateStream(userId), event, by)),
    );
    const parts = new PartByPart();
    let last = START;
    for (const one of stored(appended))
      last = Math.max(
        last,
        (
          await parts.do(
            () => one,
            () => true,
          )
        ).position,
      );
    await this.readYourWrites.wait(last, [readState, clientEvents]);
  }
}

/** What was stored first: should any not have been, it was a part of the request that failed. */
function stored(appended: readonly PromiseSettledResult<Appended>[]): Promise<Appended>[] {
  const failed = appended.filter((one) => one.status === 'rejected');
  return [...appended.filter((one) => one.status === 'fulfilled'), ...failed].map((one) =>
    one.status === 'fulfilled' ? Promise.resolve(one.value) : Promise.reject(one.reason),
  );
}
