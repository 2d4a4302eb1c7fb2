import { WakingLoop } from '../kernel/waking-loop.js';
import { ALARMS, COSIGNED, WITNESSES, type WitnessDocument, witnessId } from './checkpoint.documents.js';
import type { CheckpointStore } from './checkpoint-store.js';
import { CosignedCheckpoints } from './cosigned-checkpoints.js';
import type { SignedHead } from './noted-checkpoints.js';
import type { TileSource } from './tiled-tree.js';
import type { Witness } from './witness.js';
import { alarmSource, WitnessSender } from './witness-sender.js';

/** Milliseconds from one checkpoint that witnesses get to the next. */
const OFFER_EVERY_MS = 2_000;
const IDLE_MS = 600_000;
const LONGEST_STOP_MS = 2_000;

interface WitnessesOptions {
  readonly witnesses: readonly Witness[];
  readonly offerEvery?: number;
  readonly report: (problem: string) => void;
}

/** Has signed checkpoints cosigned: all witnesses get the same ones, and none waits for another. */
export class Witnesses {
  private readonly loop = new WakingLoop(() => this.offerIfDue());
  private checkpoints: CosignedCheckpoints | null = null;
  private senders: readonly WitnessSender[] = [];
  private newest: SignedHead | null = null;
  private offeredAt = Number.NEGATIVE_INFINITY;
  private isReported = false;

  constructor(private readonly options: WitnessesOptions) {}

  /** Called before the first checkpoint; later calls change nothing. @throws Fenced */
  async open(store: CheckpointStore, tiles: TileSource): Promise<void> {
    if (this.checkpoints !== null) return;
    const { witnesses, report } = this.options;
    await this.forgetOthers(store);
    if (witnesses.length === 0) return;
    const { verifier, database } = store;
    const states = await database.collection<WitnessDocument>(WITNESSES).find({ verifier });
    const alarms = new Set((await store.alarms()).map(({ _id }) => _id));
    const checkpoints = await CosignedCheckpoints.open(store);
    this.checkpoints = checkpoints;
    this.senders = witnesses.map((witness) => {
      const { name } = witness.key;
      const _id = witnessId(verifier, String(witness.key));
      const state = states.find((document) => document._id === _id) ?? { _id, verifier, name, size: 0, problem: null };
      const hasAlarm = alarms.has(store.alarmId(alarmSource(name)));
      return new WitnessSender({ witness, checkpoints, store, tiles, report }, state, hasAlarm);
    });
    this.loop.start();
  }

  /** Neither throws nor waits. */
  signed(signed: SignedHead): void {
    if (this.checkpoints === null) return;
    const isFirst = this.newest === null;
    this.newest = signed;
    if (isFirst) this.loop.wake();
  }

  async close(): Promise<void> {
    await this.loop.stop(LONGEST_STOP_MS);
    await Promise.all(this.senders.map((sender) => sender.close()));
  }

  /** @returns milliseconds until it is due */
  private async offerIfDue(): Promise<number> {
    const { newest, checkpoints } = this;
    if (newest === null || checkpoints === null) return IDLE_MS;
    const every = this.options.offerEvery ?? OFFER_EVERY_MS;
    const left = this.offeredAt + every - performance.now();
    if (left > 0) return left;
    this.offeredAt = performance.now();
    try {
      await checkpoints.offer(newest);
      if (this.newest === newest) this.newest = null;
      this.isReported = false;
      for (const sender of this.senders) sender.wake();
    } catch (error) {
      if (!this.isReported) this.options.report(`witnesses get no checkpoint, trying again: ${String(error)}`);
      this.isReported = true;
    }
    return this.newest === null ? IDLE_MS : every;
  }

  /** Removes what is stored of witnesses that are no longer named. */
  private async forgetOthers(store: CheckpointStore): Promise<void> {
    const { verifier, database } = store;
    const { witnesses } = this.options;
    const named = new Set(witnesses.map(({ key }) => witnessId(verifier, String(key))));
    const stored = await database.collection<WitnessDocument>(WITNESSES).find({ verifier });
    const others = stored.filter(({ _id }) => !named.has(_id));
    const isLast = witnesses.length === 0;
    if (others.length === 0 && !isLast) return;
    await store.write([
      { collection: WITNESSES, operations: others.map(({ _id }) => ({ deleteOne: { filter: { _id } } })) },
      {
        collection: ALARMS,
        operations: others.map(({ name }) => ({ deleteOne: { filter: { _id: store.alarmId(alarmSource(name)) } } })),
      },
      { collection: COSIGNED, operations: isLast ? [{ deleteMany: { filter: { verifier } } }] : [] },
    ]);
  }
}
