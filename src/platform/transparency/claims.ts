import type { DocumentDatabase } from '../documents/document-store.js';
import type { SignedDocument } from './checkpoint.documents.js';
import type { Checkpoint } from './checkpoint.js';
import type { CheckpointFile } from './checkpoint-file.js';
import { allSigned, headOf, nameIn, signedHeadOf } from './checkpoint-store.js';
import { NoteVerifier } from './signed-note.js';

/** Where checkpoints that were signed are known. */
export interface ClaimPlaces {
  readonly checkpoints: DocumentDatabase;
  readonly tree: DocumentDatabase;
  readonly file: CheckpointFile;
}

/**
 * Reads the largest checkpoint of each name and key from each place that remembers. The log must agree with all of them, whoever signed
 * them: another key or name does not make another log.
 * @throws StartRefused if the file cannot be read
 */
export async function largestClaims({ checkpoints, tree, file }: ClaimPlaces): Promise<readonly Checkpoint[]> {
  const signed = await allSigned(checkpoints);
  const ofTree = await signedHeadOf(tree);
  const documents = ofTree === null ? signed : [...signed, ofTree];
  const verifiers = documents.flatMap(({ _id }) => verifierOf(_id) ?? []);
  return [...documents.map(claimOf), ...(await file.newest(verifiers))];
}

const claimOf = (document: SignedDocument): Checkpoint => ({ origin: nameIn(document._id), ...headOf(document) });

function verifierOf(text: string): NoteVerifier | null {
  try {
    return NoteVerifier.parse(text);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
