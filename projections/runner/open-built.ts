import { type Fence, Fenced } from '../../src/platform/cluster/fence.js';
import type { DocumentStore } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import { isTransient } from './decode-batch.js';
import { Generation } from './generation.js';
import type { WriteSize } from './write-size.js';

interface BuiltOptions {
  readonly store: DocumentStore;
  readonly projection: Projection;
  /** Name of the database. */
  readonly name: string;
  /** End of the log. */
  readonly head: Position;
  readonly fence: Fence | undefined;
  /** The most that a transaction writes; absent: as usual. */
  readonly most?: WriteSize;
  /** Called with the reason why a database is of no use. */
  readonly warn: (line: string) => void;
}

/** Opens a generation that an earlier process has filled, whole or in part. null if it is missing or of no use. */
export async function openBuilt({
  store,
  projection,
  name,
  head,
  fence,
  most,
  warn,
}: BuiltOptions): Promise<Generation | null> {
  if (!(await store.databases()).includes(name)) return null;
  try {
    const generation = await Generation.open(store, projection, name, fence, most);
    if (generation && generation.position <= head) return generation;
    // Documents ahead of the log: the log is an older copy, whose next events differ from the applied events.
    await generation?.close();
  } catch (error) {
    if (isTransient(error) || error instanceof Fenced) throw error;
    warn(`${name} cannot be opened: ${String(error)}`);
  }
  return null;
}
