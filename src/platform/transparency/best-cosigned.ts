import type { CosignedDocument } from './checkpoint.documents.js';

/** Milliseconds that a cosigned checkpoint is served after there is a newer one. */
const SERVED_FOR_MS = 60_000;

/** Tells whether the checkpoint is the newest, or was not long ago. */
export const isRecent = ({ supersededAt }: CosignedDocument, now: number): boolean =>
  supersededAt === null || Math.abs(now - supersededAt) <= SERVED_FOR_MS;

/** The checkpoint with the most cosignatures, and the largest of those. @returns null if none is cosigned */
export const bestCosigned = (checkpoints: readonly CosignedDocument[]): CosignedDocument | null =>
  checkpoints.reduce<CosignedDocument | null>((best, next) => (isBetter(next, best) ? next : best), null);

function isBetter(next: CosignedDocument, best: CosignedDocument | null): boolean {
  if (best === null || next.witnesses !== best.witnesses) return next.witnesses > (best?.witnesses ?? 0);
  return next.size > best.size;
}
