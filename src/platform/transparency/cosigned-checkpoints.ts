import type { CollectionWrites, StoredDocument } from '../documents/document-store.js';
import {
  COSIGNED,
  type CosignedDocument,
  isRecent,
  notedId,
  WITNESSES,
  type WitnessDocument,
} from './checkpoint.documents.js';
import type { CheckpointStore } from './checkpoint-store.js';
import type { SignedHead } from './noted-checkpoints.js';
import { parseNote } from './signed-note.js';

/** What a witness has answered. */
interface Cosignature {
  readonly of: SignedHead;
  /** With its end. */
  readonly line: string;
  readonly witness: WitnessDocument;
}

/** The checkpoints that witnesses are asked to cosign, with what they have cosigned. One process writes them. */
export class CosignedCheckpoints {
  private offered: SignedHead | null = null;
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly store: CheckpointStore,
    /** Smallest first. */
    private recent: readonly CosignedDocument[],
  ) {}

  static async open(store: CheckpointStore): Promise<CosignedCheckpoints> {
    const { database, verifier } = store;
    const recent = await database.collection<CosignedDocument>(COSIGNED).find({ verifier }, { sort: { size: 1 } });
    return new CosignedCheckpoints(store, recent);
  }

  /** The one that witnesses are asked for now; null before there is any. */
  get newest(): SignedHead | null {
    return this.offered;
  }

  /** Makes the checkpoint the newest. @throws Fenced */
  offer(signed: SignedHead): Promise<void> {
    return this.inTurn(async () => {
      const { note, head } = signed;
      const { verifier } = this.store;
      const now = Date.now();
      const _id = notedId(verifier, head.size);
      if (!this.recent.at(-1)?.note.startsWith(note)) {
        const earlier = this.recent
          .filter(({ size }) => size < head.size)
          .map((document) => ({ ...document, supersededAt: document.supersededAt ?? now }));
        const added = { _id, verifier, size: head.size, note, witnesses: 0, supersededAt: null };
        await this.replace([...retained(earlier, now), added]);
      }
      this.offered = signed;
    });
  }

  /** Stores a right cosignature. @throws Fenced */
  cosigned({ of, line, witness }: Cosignature): Promise<void> {
    return this.inTurn(() => {
      const next = this.recent.map((document) =>
        document.note.startsWith(of.note) ? withLine(document, line) : document,
      );
      return this.replace(next, [putWrite(WITNESSES, witness)]);
    });
  }

  private async replace(next: readonly CosignedDocument[], more: readonly CollectionWrites[] = []): Promise<void> {
    const { recent } = this;
    const changed = next.filter((document) => !recent.includes(document));
    const removed = recent.filter(({ _id }) => !next.some((document) => document._id === _id));
    await this.store.write([
      ...changed.map((document) => putWrite(COSIGNED, document)),
      { collection: COSIGNED, operations: removed.map(({ _id }) => ({ deleteOne: { filter: { _id } } })) },
      ...more,
    ]);
    this.recent = next;
  }

  /** Each write rests on the one before. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.writing.then(work);
    this.writing = done.catch(() => {});
    return done;
  }
}

/** The checkpoints that may be served, and the newest cosigned one: proofs have it. */
function retained(documents: readonly CosignedDocument[], now: number): readonly CosignedDocument[] {
  const newest = documents.findLast(({ witnesses }) => witnesses > 0);
  return documents.filter((document) => document === newest || isRecent(document, now));
}

function withLine(document: CosignedDocument, line: string): CosignedDocument {
  const { signatures } = parseNote(document.note);
  const note = document.note + line;
  const added = parseNote(note).signatures.at(-1);
  const isThere = signatures.some(({ name, keyId }) => name === added?.name && keyId.equals(added.keyId));
  return isThere ? document : { ...document, note, witnesses: document.witnesses + 1 };
}

export const putWrite = (collection: string, replacement: StoredDocument): CollectionWrites => ({
  collection,
  operations: [{ replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } }],
});
