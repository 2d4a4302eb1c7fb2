import type { Admission } from '../kernel/admission.js';
import { ContentRemainsError } from '../kernel/domain-error.js';
import type { Position } from '../kernel/position.js';
import type { Projection } from '../read-models/projection.js';
import type { ReadModels } from '../read-models/read-models.js';
import type { Consequences } from './consequences.js';

/** A state in memory that follows the log. */
export interface Follows {
  /** Resolves when everything up to `position` is applied. */
  waitFor(position: Position): Promise<void>;
}

/** Same as `ReadSide.waitForErasure`. */
type WaitForErasure = (position: Position, projections: readonly Projection[]) => Promise<void>;

/** The parts that an answer waits for. */
export interface Awaited {
  /** Documents that the caller reads. */
  readonly documents: readonly Projection[];
  /** `consequences`: events that follow in other streams; `organization`: these, and the directory of every process. */
  readonly also?: 'consequences' | 'organization';
}

/**
 * Holds a command's answer until its sender reads its own writes (D11, D17). The command is stored, which a 503 would deny
 * (D3): if a part is behind or away, a wait ends at its bound, and the wait for a deletion throws ContentRemainsError.
 */
export class ReadYourWrites {
  constructor(
    private readonly readModels: ReadModels,
    private readonly directory: Follows,
    private readonly consequences: Consequences,
    /** Waits until every process has applied a change of access (D8). */
    private readonly everywhere: (position: Position) => Promise<void> = async () => {},
    private readonly waitForErasure: WaitForErasure = async () => {},
    /** Lets other commands run during a wait. */
    private readonly admission: Pick<Admission, 'outside'> = { outside: (wait) => wait() },
  ) {}

  /** Waits until every part has applied everything up to `position`. */
  waitFor(position: Position, { documents, also }: Awaited): Promise<void> {
    if (also === 'organization') return this.waitForOrganization(position, documents);
    return also ? this.waitForFollowing(position, documents) : this.wait(position, documents);
  }

  /** Waits until the projections have applied everything up to `position`. */
  wait(position: Position, projections: readonly Projection[]): Promise<void> {
    return this.admission.outside(() => this.readModels.waitFor(projections, position));
  }

  /** Waits for a decision with consequences in other streams, and for these. */
  waitForFollowing(position: Position, projections: readonly Projection[]): Promise<void> {
    return this.admission.outside(async () =>
      this.readModels.waitFor(projections, await this.consequences.waitFor(position)),
    );
  }

  /** Waits for consequences, background work included: for requests that ask for much. */
  waitForAll(position: Position, projections: readonly Projection[]): Promise<void> {
    return this.admission.outside(async () =>
      this.readModels.waitFor(projections, await this.consequences.waitForAll(position)),
    );
  }

  /**
   * Waits until deleted content is in no documents any more (D7).
   * @param destroy destroys the content's keys; if it fails, a consumer of the log does it later
   * @throws ContentRemainsError
   */
  waitForDeletion(
    position: Position,
    projections: readonly Projection[],
    destroy: () => Promise<unknown>,
  ): Promise<void> {
    return this.admission.outside(() => this.gone(position, projections, destroy));
  }

  /** Waits until content that a decision erases in other streams is gone. @throws ContentRemainsError */
  waitForFollowingDeletion(position: Position, projections: readonly Projection[]): Promise<void> {
    return this.admission.outside(async () => this.gone(await this.consequences.waitFor(position), projections));
  }

  /** Waits for a change of the organization: for this process's directory, and for consequences in other streams. */
  waitForOrganization(position: Position, projections: readonly Projection[]): Promise<void> {
    return this.admission.outside(async () => {
      const followed = await this.consequences.waitFor(position);
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
      await Promise.all([this.readModels.waitFor(projections, position), this.waitForErasure(position, projections)]);
    } catch (error) {
      // The deletion is in the log, so this is not a 503.
      throw new ContentRemainsError('deleted content is not known to be gone', { cause: error });
    }
  }
}
