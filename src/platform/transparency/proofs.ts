import type { StoredEvent } from '../log/event-store.js';
import { type ProvenEvent, provenEvent } from './proven-event.js';
import type { PublishedTree } from './published-tree.js';
import { TiledTree } from './tiled-tree.js';
import { tlogProof } from './tlog-proof.js';
import type { HeadDocument } from './tree.documents.js';

/** An event with the proof that the log has it (C2SP tlog-proof). */
export interface Proof extends ProvenEvent {
  readonly proof: string;
}

/** There is no proof of an event: its checkpoint is not signed, or the tree has no such leaf. */
export class NotProvable extends Error {}

/** Makes proofs of events under one signed checkpoint. */
export class Proofs {
  private constructor(
    private readonly published: PublishedTree,
    private readonly tree: TiledTree,
    private readonly note: string,
  ) {}

  /** @throws NotProvable if the checkpoint is not signed */
  static async under({ size, note }: HeadDocument, published: PublishedTree): Promise<Proofs> {
    if (note === null) throw new NotProvable('the newest checkpoint of the log is not signed');
    return new Proofs(published, await TiledTree.open(published.tiles, size), note);
  }

  /** @param secrets names of data that the proof hides @throws NotProvable */
  async of(event: StoredEvent, secrets: readonly string[]): Promise<Proof> {
    const { tree, note } = this;
    const index = await this.published.leafAt(event.position);
    if (index === null || index >= tree.size)
      throw new NotProvable(`the tree has no leaf of ${event.type} ${event.id} (${event.stream}@${event.revision})`);
    const proof = await tlogProof(index, { size: tree.size, note, subtrees: tree });
    return { ...provenEvent(event, secrets), proof };
  }
}
