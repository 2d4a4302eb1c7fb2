import { MUTES, type MutesDocument, readState } from '../../../../projections/read-state/read-state.projection.js';
import type { PositionInterval } from '../../../directory/directory.records.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';

/** The intervals in which a user had others muted, by their ids. */
export type MuteHistory = ReadonlyMap<number, readonly PositionInterval[]>;

export const NO_MUTES: MuteHistory = new Map();

/** Whether the reader had the sender muted when a message was sent. */
export function arrivedMuted(
  mutes: MuteHistory,
  { senderId, sentPosition }: { readonly senderId: number; readonly sentPosition: Position },
): boolean {
  const intervals = mutes.get(senderId);
  return intervals?.some(({ from, to }) => from < sentPosition && (to === null || sentPosition < to)) ?? false;
}

/**
 * The mutes of all users, in memory: a message event for a thousand readers asks for all of theirs. Reads only
 * documents that have changed since.
 */
export class MutedSenders {
  private readonly byUser = new Map<number, MuteHistory>();
  /** Documents up to this position are read. */
  private position: Position = START;
  private reading: Promise<void> | null = null;

  constructor(private readonly readModels: ReadModels) {}

  /**
   * A user's mutes, as of `through` or later.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async of(userId: number, through: Position): Promise<MuteHistory> {
    return (await this.ofAll(through))(userId);
  }

  /** The mutes of all users, by user, as of `through` or later. */
  async ofAll(through: Position): Promise<(userId: number) => MuteHistory> {
    // A second read follows if the first one under way was for an earlier position.
    for (let look = 1; look <= 2 && (this.position < through || this.position === START); look++) {
      this.reading ??= this.read(through).finally(() => {
        this.reading = null;
      });
      await this.reading;
    }
    return (userId) => this.byUser.get(userId) ?? NO_MUTES;
  }

  private async read(through: Position): Promise<void> {
    await this.readModels.waitFor([readState], through);
    // Taken before the documents are read: newer ones among them are read again the next time.
    const position = this.readModels.position(readState);
    const changed = await this.readModels
      .collection<MutesDocument>(readState, MUTES)
      .find({ position: { $gt: this.position } });
    for (const { _id, muted } of changed) this.byUser.set(_id, byId(muted));
    this.position = Math.max(this.position, position);
  }
}

function byId(muted: MutesDocument['muted']): MuteHistory {
  const history = new Map<number, PositionInterval[]>();
  for (const { userId, from, to } of muted) history.set(userId, [...(history.get(userId) ?? []), { from, to }]);
  return history;
}
