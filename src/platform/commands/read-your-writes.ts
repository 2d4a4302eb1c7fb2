import type { Admission } from '../kernel/admission.js';
import { ContentRemainsError } from '../kernel/outcome-errors.js';
import { type Position, START } from '../kernel/position.js';
import type { AheadOfDocuments } from '../read-models/ahead-of-documents.js';
import type { Projection } from '../read-models/projection.js';
import type { ReadModels } from '../read-models/read-models.js';
import { type AppendedEvent, AwaitedParts, type PartsOfServer } from './awaited-parts.js';
import type { Consequences } from './consequences.js';

/** A state in memory that follows the log. */
interface Follows {
  /** Resolves when everything up to `position` is applied. */
  waitFor(position: Position): Promise<void>;
}

interface ReadYourWritesOptions extends PartsOfServer {
  readonly readModels: Pick<ReadModels, 'waitFor'>;
  /** Set if this process keeps all documents: only `acknowledge` makes use of it. */
  readonly ahead?: Pick<AheadOfDocuments, 'acknowledge'> | null;
  readonly consequences: Consequences;
  readonly directory: Follows;
  /** Waits until every process has applied a change of access (D8). */
  readonly everywhere?: (position: Position) => Promise<void>;
  /** Same as `ReadSide.waitForErasure`. */
  readonly waitForErasure?: (position: Position, projections: readonly Projection[]) => Promise<void>;
  /** Lets other commands run during a wait. */
  readonly admission?: Pick<Admission, 'outside'>;
}

/** Waits that differ from command to command. */
interface Waits {
  /** Default: none. */
  readonly erasure?: ReadYourWritesOptions['waitForErasure'];
  /** Default: until the documents have the events. */
  readonly documents?: ReadModels['waitFor'];
}

/**
 * Holds a command's answer until its sender reads its own writes (D11, D17). The events that the command appended tell
 * which parts it waits for. The command is stored, which a 503 would deny (D3): if a part is behind or away, a wait ends
 * at its bound, and the wait for a deletion throws ContentRemainsError.
 */
export class ReadYourWrites {
  private readonly parts: AwaitedParts;

  constructor(private readonly options: ReadYourWritesOptions) {
    this.parts = new AwaitedParts(options);
  }

  /**
   * Waits until every part that the events change has applied everything up to `position`.
   * @param events none: all parts are waited for
   */
  async waitFor(position: Position, events: readonly AppendedEvent[]): Promise<void> {
    if (position === START) return;
    await this.outside(() => this.applied(position, events));
  }

  /**
   * Like `waitFor`, before an answer after which the caller's documents are read by other requests alone: those wait for the
   * documents, where this process keeps them.
   */
  async acknowledge(position: Position, events: readonly AppendedEvent[]): Promise<void> {
    const { ahead } = this.options;
    await this.outside(() =>
      this.applied(position, events, { ...(ahead && { documents: ahead.acknowledge.bind(ahead) }) }),
    );
  }

  /**
   * Waits until content that the events erase, or their consequences, is in no documents any more (D7).
   * @param destroy destroys the content's keys; if it fails, a consumer of the log does it later
   * @throws ContentRemainsError
   */
  waitForDeletion(
    position: Position,
    events: readonly AppendedEvent[],
    destroy: () => Promise<unknown> = async () => {},
  ): Promise<void> {
    return this.outside(async () => {
      try {
        await destroy();
        await this.applied(position, events, { erasure: this.options.waitForErasure });
      } catch (error) {
        // The deletion is in the log, so this is not a 503.
        throw new ContentRemainsError('deleted content is not known to be gone', { cause: error });
      }
    });
  }

  private async applied(
    position: Position,
    events: readonly AppendedEvent[],
    { erasure, documents }: Waits = {},
  ): Promise<void> {
    const { readModels, consequences } = this.options;
    const reached = documents ?? readModels.waitFor.bind(readModels);
    const awaited = events.length === 0 ? this.parts.all : this.parts.of(events);
    let followed = position;
    for (let step = 0; step < awaited.consequences; step++) followed = await consequences.waitFor(followed);
    // Other processes have nothing to learn if nothing was appended.
    const everywhere = events.length === 0 ? position : followed;
    await Promise.all([
      reached(awaited.readModels, followed),
      awaited.directory && this.inDirectories(followed, everywhere),
      erasure?.(followed, awaited.readModels),
    ]);
    if (awaited.inBackground) await readModels.waitFor(awaited.readModels, await consequences.waitForAll(followed));
  }

  private async inDirectories(here: Position, everywhere: Position): Promise<void> {
    await Promise.all([this.options.directory.waitFor(here), this.options.everywhere?.(everywhere)]);
  }

  private outside(wait: () => Promise<void>): Promise<void> {
    const { admission } = this.options;
    return admission ? admission.outside(wait) : wait();
  }
}
