import type { BusMessage } from './bus-messages.js';

/** What other processes publish, as it comes. */
export interface MessageSource {
  /** What is published after it resolves is not missed. */
  open(): Promise<void>;
  /**
   * What came since the last call; waits a little where there is nothing.
   *
   * @throws what keeps it from hearing: call again later
   */
  next(): Promise<readonly BusMessage[]>;
  close(): Promise<void>;
}
