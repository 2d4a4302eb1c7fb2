import type { Fence } from '../cluster/fence.js';
import type { DocumentDatabase, DocumentStore } from '../documents/document-store.js';
import { LOG_ALARM } from './checkpoint.documents.js';
import type { CheckpointFile } from './checkpoint-file.js';
import { CheckpointStore, headOf, signedHeadOf } from './checkpoint-store.js';
import { largestClaims } from './claims.js';
import { type GivenUp, isGivenUp } from './given-up.js';
import { type Head, treeRoot } from './merkle.js';
import { NotedCheckpoints, type NoteReader } from './noted-checkpoints.js';
import type { Checkpoint, NoteSigner } from './signed-note.js';
import { StoredTiles } from './stored-tiles.js';
import type { TiledTree } from './tiled-tree.js';
import type { Witnesses } from './witnesses.js';

interface SignedCheckpointsOptions {
  readonly documentStore: DocumentStore;
  readonly signer: NoteSigner;
  readonly file: CheckpointFile;
  /** Checkpoints that the log may contradict. */
  readonly givenUp: readonly GivenUp[];
  /** Told of noted checkpoints. */
  readonly readers: readonly NoteReader[];
  readonly witnesses: Witnesses;
  /** Milliseconds from one noted checkpoint to the next. */
  readonly noteEvery: number;
  readonly report: (problem: string) => void;
}

/**
 * Keeps a log from contradicting what it signed (D15). It knows the largest checkpoints that were signed, under any name
 * and with any key: the stored tree's, those of the database that outlives the tree, and the file's. Nothing is signed
 * before the tree has come to all of them with the same roots.
 */
export class SignedCheckpoints {
  private store: CheckpointStore | null = null;
  private noted: NotedCheckpoints | null = null;
  /** The largest by each place, name and key, the largest first. */
  private claims: readonly Checkpoint[] = [];
  /** The largest of the own name and key. */
  private own: Head | null = null;
  private verdict: 'unknown' | 'agrees' | 'contradicts' = 'unknown';
  /** Size of the largest head in the database. */
  private storedSize = 0;
  private isShortReported = false;
  private hasAlarm = false;

  constructor(private readonly options: SignedCheckpointsOptions) {}

  /** Reads what was signed. Called before the tree is opened, each time. @throws StartRefused, Fenced */
  async open(tree: DocumentDatabase, fence?: Fence): Promise<void> {
    const { signer, documentStore, file, givenUp } = this.options;
    const verifier = String(signer.verifier);
    this.store ??= await CheckpointStore.open(documentStore, verifier, fence);
    const { store } = this;
    const [stored, ofTree, ofFile] = [await store.signed(), await signedHeadOf(tree), await file.last(signer.verifier)];
    // The next head is signed under another name.
    if (ofTree && ofTree._id !== verifier) await store.keep(ofTree);
    const own = ofTree?._id === verifier ? headOf(ofTree) : null;
    this.own = largestOf([stored, own, ofFile].filter((head) => head !== null));
    this.claims = (await largestClaims({ checkpoints: store.database, tree, file }))
      .filter((claim) => !isGivenUp(claim, givenUp))
      .sort((one, other) => other.size - one.size);
    this.storedSize = stored?.size ?? 0;
    this.verdict = 'unknown';
    this.isShortReported = false;
    this.hasAlarm = (await store.alarms()).some(({ _id }) => _id === store.alarmId(LOG_ALARM));
    // A tree that is dropped takes its head along.
    await this.storeLargest(store);
    await this.options.witnesses.open(store, new StoredTiles(tree));
    this.noted ??= await this.startNoting(store);
  }

  /**
   * Tells whether a checkpoint of the tree may be signed.
   * @param isWhole the tree has every event of the log @throws TileDamaged
   */
  async maySign(tree: TiledTree, isWhole: boolean): Promise<boolean> {
    const { store } = this;
    if (store === null) return false;
    const may = this.verdict === 'agrees' || (this.verdict === 'unknown' && (await this.agrees(store, tree, isWhole)));
    // An unsigned head replaces the signed one.
    if (!may) await this.storeLargest(store);
    return may;
  }

  /** The head is stored with its note. */
  signed(head: Head, note: string): void {
    this.own = head;
    this.noted?.offer({ head, note });
    this.options.witnesses.signed({ head, note });
  }

  /** Notes the last checkpoint. */
  async close(): Promise<void> {
    await this.noted?.close();
    for (const reader of this.options.readers) await reader.close();
    await this.options.witnesses.close();
    await this.store?.database.close();
  }

  private async agrees(store: CheckpointStore, tree: TiledTree, isWhole: boolean): Promise<boolean> {
    const [largest] = this.claims;
    if (largest && largest.size > tree.size) {
      if (isWhole && !this.isShortReported) {
        this.isShortReported = true;
        await this.raise(
          store,
          largest,
          `it has ${events(tree.size)}, and a checkpoint of ${written(largest)} was signed earlier`,
        );
      }
      return false;
    }
    for (const claim of this.claims) {
      const root = await treeRoot(claim.size, tree);
      if (root.equals(claim.root)) continue;
      this.verdict = 'contradicts';
      await this.raise(
        store,
        claim,
        `its first ${written({ ...claim, root })}, and a checkpoint of ${written(claim)} was signed earlier`,
      );
      return false;
    }
    if (this.hasAlarm) await store.removeAlarm(store.alarmId(LOG_ALARM));
    this.hasAlarm = false;
    this.verdict = 'agrees';
    return true;
  }

  private async raise(store: CheckpointStore, claim: Checkpoint, how: string): Promise<void> {
    const reason = `the log contradicts a signed checkpoint of ${claim.origin}: ${how}. It was restored from an older backup, or changed`;
    await store.putAlarm(LOG_ALARM, reason, claim);
    this.hasAlarm = true;
    this.options.report(
      `no checkpoint is signed: ${reason}. If the newer log exists, put it back. To go on with this one, under another name, ` +
        `start with --accept-restored-log ${claim.root.toString('base64')} (docs/proof.md)`,
    );
  }

  private async storeLargest(store: CheckpointStore): Promise<void> {
    const { own } = this;
    if (!own || own.size <= this.storedSize) return;
    await store.putSigned(own);
    this.storedSize = own.size;
  }

  private async startNoting(store: CheckpointStore): Promise<NotedCheckpoints> {
    const { file, readers, noteEvery, report, signer } = this.options;
    return NotedCheckpoints.start({ store, file, readers, report, verifier: signer.verifier, noteEvery });
  }
}

const largestOf = (heads: readonly Head[]): Head | null =>
  heads.reduce<Head | null>((largest, head) => (largest && largest.size >= head.size ? largest : head), null);

const events = (size: number): string => `${size} ${size === 1 ? 'event' : 'events'}`;
const written = ({ size, root }: Head): string => `${events(size)} with the root ${root.toString('base64')}`;
