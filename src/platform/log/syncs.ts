import { Instrument } from '../kernel/instrument.js';

/** Commits of the log that this process writes. `seconds`: until the disk had synced the group. EventStoreDB tells of none. */
export const syncs = new Instrument<{ readonly seconds: number }>();
