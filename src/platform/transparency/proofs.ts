import { isDeepStrictEqual } from 'node:util';
import type { ContentKey } from '../content-keys/content-keys.js';
import { type Json, type JsonObject, withoutHashes } from '../kernel/json.js';
import type { Position } from '../kernel/position.js';
import type { StoredEvent } from '../log/event-store.js';
import { leafOf } from './leaf.js';
import { inclusionProof, type Subtrees } from './merkle.js';
import type { PublishedTree } from './published-tree.js';
import { TILE_WIDTH } from './tile-paths.js';
import type { HeadDocument, LeavesDocument } from './tree.documents.js';

/** An event with the proof that the log has it (C2SP tlog-proof). */
export interface Proof extends ProvenEvent {
  readonly proof: string;
  /** Base64. The event's own key, which opens its content: for those who may read it. */
  readonly content_key?: string;
}

/** The same proof with the key that opens the event's content. */
export const withContentKey = (proof: Proof, key: ContentKey): Proof => ({
  ...proof,
  content_key: Buffer.from(key).toString('base64'),
});

/** What proofs are made from. */
type ProofSource = Pick<PublishedTree, 'leavesAround' | 'subtrees'>;

/** There is no proof of an event: its checkpoint is not signed, or the tree has no such leaf. */
export class NotProvable extends Error {}

/** Makes proofs of events under one signed checkpoint. Proofs of neighbouring events read the same parts of the tree once. */
export class Proofs {
  /** Leaves of the event before. */
  private leaves: LeavesDocument | null = null;

  private constructor(
    private readonly published: ProofSource,
    private readonly size: number,
    private readonly note: string,
  ) {}

  /**
   * Proves under a cosigned checkpoint with the event at the position, if there is one, and otherwise under the head.
   * @throws NotProvable if the head is not signed
   */
  static async upTo(position: Position, head: HeadDocument, published: PublishedTree): Promise<Proofs> {
    const cosigned = head.note === null ? null : await published.cosignedWith(position, head);
    return Proofs.under(cosigned ?? head, published);
  }

  /** @throws NotProvable if the checkpoint is not signed */
  static under({ size, note }: Pick<HeadDocument, 'size' | 'note'>, published: ProofSource): Proofs {
    if (note === null) throw new NotProvable('the newest checkpoint of the log is not signed');
    return new Proofs(published, size, note);
  }

  /** @param secrets names of data that the proof hides @throws NotProvable */
  async of(event: StoredEvent, secrets: readonly string[]): Promise<Proof> {
    const { size, note } = this;
    const index = await this.leafAt(event.position);
    if (index === null || index >= size)
      throw new NotProvable(`the tree has no leaf of ${event.type} ${event.id} (${event.stream}@${event.revision})`);
    const proof = await tlogProof(index, { size, note, subtrees: this.published.subtrees });
    return { ...provenEvent(event, secrets), proof };
  }

  /** @returns null if no event at this position is in the tree */
  private async leafAt(position: Position): Promise<number | null> {
    if (!this.leaves?.positions.includes(position)) this.leaves = await this.published.leavesAround(position);
    const place = this.leaves?.positions.indexOf(position) ?? -1;
    return this.leaves && place >= 0 ? this.leaves._id * TILE_WIDTH + place : null;
  }
}

/** An event as a proof has it: everything that its leaf is made of, content as ciphertext. */
interface ProvenEvent {
  readonly event: JsonObject;
  /** Names of data that are replaced. Then the event has no proof of its own, and `leaf` is what the proof is about. */
  readonly hidden?: readonly string[];
  /** Base64. */
  readonly leaf?: string;
}

/**
 * Hashes of passwords and keys are hidden: whoever reads proofs need not be able to try passwords.
 * @param secrets names of the data that hold them
 */
export function provenEvent(stored: StoredEvent, secrets: readonly string[]): ProvenEvent {
  const { data, id, metadata, revision, stream, type, version } = stored;
  const shown: Record<string, Json> = { ...data };
  for (const name of secrets) if (data[name] !== undefined) shown[name] = withoutHashes(data[name]);
  const hidden = secrets.filter((name) => !isDeepStrictEqual(shown[name], data[name]));
  const event = { stream, revision, id, type, version, data: shown, metadata: { ...metadata } };
  return hidden.length === 0
    ? { event }
    : { event, hidden: hidden.map((name) => `data.${name}`), leaf: leafOf(stored).data.toString('base64') };
}

/** A signed checkpoint, and the tree that it covers. */
interface Covered {
  readonly size: number;
  /** The checkpoint with its signatures. */
  readonly note: string;
  readonly subtrees: Subtrees;
}

/** Writes the proof that a leaf is in a tree (C2SP tlog-proof). @throws RangeError if it is not */
async function tlogProof(index: number, { size, note, subtrees }: Covered): Promise<string> {
  const hashes = await inclusionProof(index, size, subtrees);
  const lines = ['c2sp.org/tlog-proof@v1', `index ${index}`, ...hashes.map((hash) => hash.toString('base64'))];
  return `${lines.join('\n')}\n\n${note}`;
}
