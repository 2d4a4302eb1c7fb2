import { WakingLoop } from '../kernel/waking-loop.js';
import { addCheckpoint, type WitnessAnswer } from './add-checkpoint.js';
import { WITNESSES, type WitnessDocument } from './checkpoint.documents.js';
import type { CheckpointStore } from './checkpoint-store.js';
import { type CosignedCheckpoints, putWrite } from './cosigned-checkpoints.js';
import { consistencyProof, provesConsistency, treeRoot } from './merkle.js';
import type { SignedHead } from './noted-checkpoints.js';
import { TiledTree, type TileSource } from './tiled-tree.js';
import type { Witness } from './witness.js';

const TIMEOUT_MS = 15_000;
const LONGEST_STOP_MS = 2_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;
/** Requests for one checkpoint, at most. */
const MOST_REQUESTS = 4;
/** A witness is asked again with a new proof before it is believed that the log contradicts it. */
const MOST_CONTRADICTED = 2;

interface WitnessSenderOptions {
  readonly witness: Witness;
  readonly checkpoints: CosignedCheckpoints;
  readonly store: CheckpointStore;
  /** The tiles of the log's tree. */
  readonly tiles: TileSource;
  readonly report: (problem: string) => void;
}

/** Why there is no cosignature. */
interface Problem {
  readonly reason: string;
  /** The witness has cosigned what the log does not continue. */
  readonly isAlarm: boolean;
}

/** Sends checkpoints to one witness, one at a time. After failures it is the newest that is sent. */
export class WitnessSender {
  private readonly loop = new WakingLoop((signal) => this.sendIfDue(signal));
  private wait = FIRST_WAIT_MS;
  private notBefore = 0;

  constructor(
    private readonly options: WitnessSenderOptions,
    private state: WitnessDocument,
    private hasAlarm: boolean,
  ) {
    this.loop.start();
  }

  /** There is a newer checkpoint. */
  wake(): void {
    this.loop.wake();
  }

  close(): Promise<void> {
    return this.loop.stop(LONGEST_STOP_MS);
  }

  /** @returns milliseconds until it is due */
  private async sendIfDue(stopping: AbortSignal): Promise<number> {
    const { newest } = this.options.checkpoints;
    if (newest === null || newest.head.size === this.state.size) return LONGEST_WAIT_MS;
    const left = this.notBefore - performance.now();
    if (left > 0) return left;
    const problem = await this.problemOf(newest, stopping);
    if (stopping.aborted) return 0;
    if (problem === null) {
      this.wait = FIRST_WAIT_MS;
      return 0;
    }
    await this.remember(problem);
    const wait = problem.isAlarm ? LONGEST_WAIT_MS : this.wait;
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
    this.notBefore = performance.now() + wait;
    return wait;
  }

  private async problemOf(newest: SignedHead, stopping: AbortSignal): Promise<Problem | null> {
    try {
      return await this.send(newest, stopping);
    } catch (error) {
      return failure(String(error));
    }
  }

  /** @returns null if the checkpoint is cosigned */
  private async send(checkpoint: SignedHead, stopping: AbortSignal): Promise<Problem | null> {
    const { size } = checkpoint.head;
    let old = Math.min(this.state.size, size);
    let contradicted = 0;
    for (let request = 1; request <= MOST_REQUESTS; request++) {
      const answer = await this.ask(checkpoint, old, stopping);
      switch (answer.is) {
        case 'cosigned':
          await this.store(checkpoint, answer.line);
          return null;
        case 'failed':
          return failure(answer.problem);
        case 'contradicted':
          contradicted += 1;
          if (contradicted === MOST_CONTRADICTED)
            return alarm(`it refuses the proof that the log's ${size} events continue the ${old} that it has cosigned`);
          break;
        case 'elsewhere':
          if (answer.size > size) return alarm(`it has cosigned ${answer.size} events, and the log has ${size}`);
          // An older release of the protocol answers so.
          if (answer.size === old && old === size) return alarm(`it has cosigned other ${size} events`);
          if (answer.size === old) return failure(`it answers that it has cosigned ${old} events, which it was told`);
          old = answer.size;
          break;
        default:
          answer satisfies never;
      }
    }
    return failure('it says another size each time');
  }

  private async ask({ head, note }: SignedHead, old: number, stopping: AbortSignal): Promise<WitnessAnswer> {
    const { tiles, witness } = this.options;
    const tree = await TiledTree.open(tiles, head.size);
    const proof = await consistencyProof(old, head.size, tree);
    const older = { size: old, root: await treeRoot(old, tree) };
    // Damaged tiles are no contradiction.
    if (!provesConsistency(older, head, proof)) return { is: 'failed', problem: 'the stored tree is damaged' };
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
    return addCheckpoint(witness, { old, proof, note }, signal);
  }

  private async store(checkpoint: SignedHead, line: string): Promise<void> {
    const { checkpoints, store } = this.options;
    const next = { ...this.state, size: checkpoint.head.size, problem: null };
    await checkpoints.cosigned({ of: checkpoint, line, witness: next });
    this.state = next;
    if (this.hasAlarm) await store.removeAlarm(store.alarmId(alarmSource(next.name)));
    this.hasAlarm = false;
  }

  /** Tells of a problem once, and of each other one that follows. */
  private async remember({ reason, isAlarm }: Problem): Promise<void> {
    const { store, report } = this.options;
    const { name, problem } = this.state;
    try {
      if (isAlarm && !this.hasAlarm) {
        await store.putAlarm(alarmSource(name), `the witness ${name} says that the log was changed: ${reason}`);
        this.hasAlarm = true;
      }
      if (problem === reason) return;
      const next = { ...this.state, problem: reason };
      await store.write([putWrite(WITNESSES, next)]);
      this.state = next;
      const words = isAlarm ? 'says that the log was changed' : 'does not cosign, trying again';
      report(`the witness ${name} ${words}: ${reason}. docs/proof.md tells what to do`);
    } catch (error) {
      report(`a problem with the witness ${name} is not stored (${reason}): ${String(error)}`);
    }
  }
}

/** Source of the alarm that a witness raises. */
export const alarmSource = (name: string): string => `witness ${name}`;

const failure = (reason: string): Problem => ({ reason, isAlarm: false });
const alarm = (reason: string): Problem => ({ reason, isAlarm: true });
