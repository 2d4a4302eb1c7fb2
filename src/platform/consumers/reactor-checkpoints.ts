import { type Fence, writeBehind } from '../cluster/fence.js';
import type { CollectionSpec, DocumentDatabase, StoredDocument } from '../documents/document-store.js';
import type { EventPlace } from '../kernel/event.js';
import { Mutex } from '../kernel/mutex.js';
import type { Position } from '../kernel/position.js';

interface CheckpointDocument extends StoredDocument {
  /** Name of the reactor. */
  readonly _id: string;
  readonly position: Position;
}

const COLLECTION = 'checkpoints';
const SPEC: CollectionSpec = {};
const MOST_REACTORS = 1_000;

/**
 * The checkpoints of all reactors. The database's own checkpoint is the least of them: earlier versions had no other,
 * and a new reactor begins there.
 */
export class ReactorCheckpoints {
  /** Stores checkpoints one by one, so that the database's checkpoint never goes back. */
  private readonly storing = new Mutex();

  private constructor(
    private readonly database: DocumentDatabase,
    private readonly positions: Map<string, Position>,
    private readonly fence: Fence | undefined,
  ) {}

  /**
   * Reads the checkpoints, and stores those that are missing. Checkpoints of unknown reactors are removed.
   * @param head asks for the log's end. Without any checkpoint, reactors begin there
   * @throws Fenced
   */
  static async open(
    database: DocumentDatabase,
    names: readonly string[],
    head: () => Promise<Position>,
    fence?: Fence,
  ): Promise<ReactorCheckpoints> {
    await fence?.close(database);
    await database.ensure({ [COLLECTION]: SPEC });
    const found = await database
      .collection<CheckpointDocument>(COLLECTION)
      .find({}, { sort: { _id: 1 }, limit: MOST_REACTORS });
    const known = new Map(found.map(({ _id, position }) => [_id, position]));
    const first = (await database.checkpoint()) ?? (await head());
    // An earlier version may have gone on since with the database's checkpoint alone.
    const positions = new Map(names.map((name) => [name, Math.max(known.get(name) ?? first, first)]));
    const checkpoints = new ReactorCheckpoints(database, positions, fence);
    const unknown = [...known.keys()].filter((name) => !positions.has(name));
    await checkpoints.write([...positions.keys()], undefined, unknown);
    return checkpoints;
  }

  of(name: string): Position {
    const position = this.positions.get(name);
    if (position === undefined) throw new Error(`${name} is no reactor`);
    return position;
  }

  /**
   * @param event the newest event that is known to lie at the position or before it
   * @throws Fenced
   */
  store(name: string, position: Position, event?: EventPlace): Promise<void> {
    return this.storing.run(async () => {
      const before = this.of(name);
      this.positions.set(name, position);
      try {
        await this.write([name], event);
      } catch (error) {
        this.positions.set(name, before);
        throw error;
      }
    });
  }

  private async write(names: readonly string[], event?: EventPlace, unknown: readonly string[] = []): Promise<void> {
    if (this.positions.size === 0) return;
    const least = Math.min(...this.positions.values());
    const stored = names.map((_id) => ({
      replaceOne: { filter: { _id }, replacement: { _id, position: this.of(_id) }, upsert: true },
    }));
    const removed = unknown.map((_id) => ({ deleteOne: { filter: { _id } } }));
    await writeBehind(this.fence, this.database, {
      writes: [{ collection: COLLECTION, operations: [...stored, ...removed] }],
      checkpoint: least,
      ...(event && event.position <= least && { event }),
    });
  }
}
