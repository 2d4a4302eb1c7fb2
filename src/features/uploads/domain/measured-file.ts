import { type FileMeasure, UNMEASURED } from '../../../platform/kernel/event-definition.js';

/** A stored file, as an event records it. */
export interface MeasuredFile {
  /** Its name in the file store. */
  readonly fileId: string;
  readonly measure: FileMeasure;
}

/** Stands for a file that is not stored yet, in a decision that is only checked. */
export const NOT_STORED_YET: MeasuredFile = { fileId: '', measure: UNMEASURED };
