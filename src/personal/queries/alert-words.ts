import { Inject, Injectable } from '@nestjs/common';
import { LISTS, personal } from '../../../projections/personal.projection.js';
import type { HeldWord, PersonalListsDocument } from '../../../projections/personal-lists.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { type Position, START } from '../../kernel/position.js';

/** One user's alert words, past ones included. */
export type AlertWordHistory = readonly HeldWord[];

export const NO_ALERT_WORDS: AlertWordHistory = [];

/** The words that stood for something at a position. */
export const wordsAt = (history: AlertWordHistory, position: Position): string[] =>
  history.flatMap(({ word, from, to }) => (from < position && (to === null || position < to) ? [word] : []));

/**
 * Everybody's alert words, in memory: each message that leaves for a thousand readers is asked about by all of them.
 * Only what has changed since is read again.
 */
@Injectable()
export class AlertWords {
  private readonly byUser = new Map<number, AlertWordHistory>();
  /** All up to here is known. */
  private position: Position = START;
  private reading: Promise<void> | null = null;

  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  /**
   * At least as new as `through`, or as the documents are.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async of(userId: number, through: Position): Promise<AlertWordHistory> {
    // The second look is for who came while documents of an earlier moment were being read.
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
    // Known before the documents are read: what they have besides is read again the next time.
    const position = this.readModels.position(personal);
    const changed = await this.readModels
      .collection<PersonalListsDocument>(personal, LISTS)
      .find({ wordsChangedAt: { $gt: this.position } }, { projection: { heldWords: 1 } });
    for (const { _id, heldWords } of changed) this.byUser.set(_id, heldWords ?? NO_ALERT_WORDS);
    this.position = Math.max(this.position, position);
  }
}
