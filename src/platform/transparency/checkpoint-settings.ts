import type { Witness } from './witness.js';

/** Where checkpoints go. */
export interface CheckpointSettings {
  /** Path of the file that they are appended to. */
  readonly file: string;
  /** Milliseconds from one to the next. */
  readonly noteEvery: number;
  /** They are posted there; null: nowhere. */
  readonly webhookUrl: string | null;
  /** They cosign checkpoints. */
  readonly witnesses: readonly Witness[];
}
