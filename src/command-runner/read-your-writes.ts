import type { Projection } from '../../projections/projection.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import type { DirectoryFollower } from '../directory/directory-follower.js';
import type { Admission } from '../kernel/admission.js';
import { WordsRemainError } from '../kernel/domain-error.js';
import type { Position } from '../kernel/position.js';
import type { Reactions } from '../process-managers/reactions.js';

/** As ReadSide has it. */
type WordsGone = (position: Position, projections: readonly Projection[]) => Promise<void>;

/** What a command's answer waits for, so that its sender reads what it wrote (D11, D17). */
export class ReadYourWrites {
  constructor(
    private readonly readModels: ReadModels,
    private readonly directory: DirectoryFollower,
    private readonly reactions: Reactions,
    /** Waits until every process has taken in what was given or taken (D8). */
    private readonly everywhere: (position: Position) => Promise<void> = async () => {},
    private readonly wordsGone: WordsGone = async () => {},
    /** Waiting here keeps nobody else from being carried out. */
    private readonly admission: Pick<Admission, 'outside'> = { outside: (wait) => wait() },
  ) {}

  /** Until the named projections have applied everything up to `position`. */
  wait(position: Position, projections: readonly Projection[]): Promise<void> {
    return this.admission.outside(() => this.readModels.waitFor(projections, position));
  }

  /** The same for a decision that has consequences in other streams: those included. */
  waitForFollowing(position: Position, projections: readonly Projection[]): Promise<void> {
    return this.admission.outside(async () =>
      this.readModels.waitFor(projections, await this.reactions.waitFor(position)),
    );
  }

  /** The same, what is done aside included: for whoever has asked for much, and others need not wait. */
  waitForAll(position: Position, projections: readonly Projection[]): Promise<void> {
    return this.admission.outside(async () =>
      this.readModels.waitFor(projections, await this.reactions.waitForAll(position)),
    );
  }

  /**
   * The same for a deletion: what was written is in no documents any more, either (D7).
   * @param destroy takes away what the words are read with; whoever follows the log does it too, should this fail
   * @throws WordsRemainError
   */
  waitForDeletion(
    position: Position,
    projections: readonly Projection[],
    destroy: () => Promise<unknown>,
  ): Promise<void> {
    return this.admission.outside(() => this.gone(position, projections, destroy));
  }

  /** The same for words that go because of a decision, in other streams. @throws WordsRemainError */
  waitForFollowingDeletion(position: Position, projections: readonly Projection[]): Promise<void> {
    return this.admission.outside(async () => this.gone(await this.reactions.waitFor(position), projections));
  }

  /** The same for a change of the organisation: this process's directory, and what follows in other streams, included. */
  waitForOrganization(position: Position, projections: readonly Projection[]): Promise<void> {
    return this.admission.outside(async () => {
      const followed = await this.reactions.waitFor(position);
      await Promise.all([
        this.directory.waitFor(followed),
        this.everywhere(followed),
        this.readModels.waitFor(projections, followed),
      ]);
    });
  }

  private async gone(
    position: Position,
    projections: readonly Projection[],
    destroy: () => Promise<unknown> = async () => {},
  ): Promise<void> {
    try {
      await destroy();
      await Promise.all([this.readModels.waitFor(projections, position), this.wordsGone(position, projections)]);
    } catch (error) {
      // Not a 503: the deletion is in the log.
      throw new WordsRemainError('deleted words are not known to be gone', { cause: error });
    }
  }
}
