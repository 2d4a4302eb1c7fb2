import type { DocumentDatabase, DocumentStore } from '../documents/document-store.js';
import { inExisting } from '../documents/in-database.js';
import { CHECKPOINTS_DATABASE, checkpointCollections, type SignedDocument } from './checkpoint.documents.js';
import type { CheckpointFile } from './checkpoint-file.js';
import { allSigned, headOf, nameIn, signedHeadOf } from './checkpoint-store.js';
import { type GivenUp, isGivenUp } from './given-up.js';
import { type Checkpoint, NoteVerifier } from './signed-note.js';
import { HEADS, type HeadDocument, TREE_DATABASE, treeCollections } from './tree.documents.js';

/** Where checkpoints that were signed are known. */
interface ClaimPlaces {
  readonly checkpoints: DocumentDatabase;
  readonly tree: DocumentDatabase;
  readonly file: CheckpointFile;
}

/**
 * Reads the largest checkpoint of each name and key from each place that remembers. The log must agree with all of them,
 * whoever signed them: another key or name does not make another log.
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

/**
 * Reads whose checkpoint is the newest: the stored tree's, or the largest of the database that outlives the tree.
 * @returns the verifier key; null: no checkpoint is known
 */
export async function lastVerifier(store: DocumentStore, givenUp: readonly GivenUp[]): Promise<string | null> {
  return (await ofTree(store)) ?? (await largest(store, givenUp));
}

async function ofTree(store: DocumentStore): Promise<string | null> {
  return inExisting(store, TREE_DATABASE, treeCollections, async (database) => {
    const verifier = (await database.collection<HeadDocument>(HEADS).findOne({ _id: 'head' }))?.verifier ?? null;
    return verifier !== null && isVerifier(verifier) ? verifier : null;
  });
}

async function largest(store: DocumentStore, givenUp: readonly GivenUp[]): Promise<string | null> {
  return inExisting(store, CHECKPOINTS_DATABASE, checkpointCollections, async (database) => {
    const signed = (await allSigned(database))
      .filter(({ _id }) => isVerifier(_id))
      .sort((one, other) => other.size - one.size);
    // One that the log gave up may be larger than all that followed.
    const isValid = ({ _id, size }: (typeof signed)[number]) => !isGivenUp({ origin: nameIn(_id), size }, givenUp);
    return (signed.find(isValid) ?? signed[0])?._id ?? null;
  });
}

function isVerifier(text: string): boolean {
  try {
    NoteVerifier.parse(text);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
