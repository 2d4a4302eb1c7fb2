import { Inject, Injectable } from '@nestjs/common';
import { LISTS, personal } from '../../../../projections/personal/personal.projection.js';
import type { HeldWord, PersonalListsDocument } from '../../../../projections/personal/personal-lists.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';

/** A user's alert words over time. */
export type AlertWordHistory = readonly HeldWord[];

export const NO_ALERT_WORDS: AlertWordHistory = [];

/** The words in force at a position. */
export const alertWordsAt = (history: AlertWordHistory, position: Position): string[] =>
  history.flatMap(({ word, from, to }) => (from < position && (to === null || position < to) ? [word] : []));

/**
 * The alert words of all users, in memory: a message event for a thousand readers asks for all of theirs. Reads only
 * documents that have changed since.
 */
@Injectable()
export class AlertWords {
  private readonly byUser = new Map<number, AlertWordHistory>();
  /** Documents up to this position are read. */
  private position: Position = START;
  private reading: Promise<void> | null = null;

  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  /**
   * A user's alert words, as of `through` or of the documents if those are older.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async of(userId: number, through: Position): Promise<AlertWordHistory> {
    // A second read follows if the first one under way was for an earlier position.
    for (let look = 1; look <= 2 && (this.position < through || this.position === START); look++) {
      this.reading ??= this.read(through).finally(() => {
        this.reading = null;
      });
      await this.reading;
    }
    return this.byUser.get(userId) ?? NO_ALERT_WORDS;
  }

  private async read(through: Position): Promise<void> {
    await this.readModels.waitFor([personal], through);
    // Taken before the documents are read: newer ones among them are read again the next time.
    const position = this.readModels.position(personal);
    const changed = await this.readModels
      .collection<PersonalListsDocument>(personal, LISTS)
      .find({ wordsChangedAt: { $gt: this.position } }, { projection: { heldWords: 1 } });
    for (const { _id, heldWords } of changed) this.byUser.set(_id, heldWords ?? NO_ALERT_WORDS);
    this.position = Math.max(this.position, position);
  }
}
