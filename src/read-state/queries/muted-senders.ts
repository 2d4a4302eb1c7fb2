import { MUTES, type MutesDocument, readState } from '../../../projections/read-state.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import type { PositionInterval } from '../../directory/directory.records.js';
import { type Position, START } from '../../kernel/position.js';

/** When a user has had whom muted, by id. */
export type MuteHistory = ReadonlyMap<number, readonly PositionInterval[]>;

export const NO_MUTES: MuteHistory = new Map();

/** Whether the reader had its sender muted when a message was sent. */
export function arrivedMuted(
  mutes: MuteHistory,
  { senderId, sentPosition }: { readonly senderId: number; readonly sentPosition: Position },
): boolean {
  const intervals = mutes.get(senderId);
  return intervals?.some(({ from, to }) => from < sentPosition && (to === null || sentPosition < to)) ?? false;
}

/**
 * Whom everybody has muted, in memory: each message that leaves for a thousand readers is asked about by all of them.
 * Only what has changed since is read again.
 */
export class MutedSenders {
  private readonly byUser = new Map<number, MuteHistory>();
  /** All up to here is known. */
  private position: Position = START;
  private reading: Promise<void> | null = null;

  constructor(private readonly readModels: ReadModels) {}

  /**
   * At least as new as `through`.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async of(userId: number, through: Position): Promise<MuteHistory> {
    return (await this.ofAll(through))(userId);
  }

  /** The same of everybody, by user. */
  async ofAll(through: Position): Promise<(userId: number) => MuteHistory> {
    // The second look is for who came while documents of an earlier moment were being read.
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
    // Known before the documents are read: what they have besides is read again the next time.
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
