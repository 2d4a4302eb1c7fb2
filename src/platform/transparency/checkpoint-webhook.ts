import { WakingLoop } from '../kernel/waking-loop.js';
import type { NotedDocument } from './checkpoint.documents.js';
import type { NoteReader } from './noted-checkpoints.js';

const TIMEOUT_MS = 15_000;
const LAST_TIMEOUT_MS = 2_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;

/** Posts noted checkpoints to an operator's URL. After failures it is the newest that is posted. */
export class CheckpointWebhook implements NoteReader {
  private readonly loop = new WakingLoop((signal) =>
    this.postNewest(AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])),
  );
  private newest: string | null = null;
  private wait = FIRST_WAIT_MS;
  private isReported = false;

  constructor(
    private readonly url: string,
    private readonly report: (problem: string) => void,
  ) {
    this.loop.start();
  }

  noted({ note }: NotedDocument): void {
    this.newest = note;
    this.loop.wake();
  }

  /** Tries once more to post the newest. */
  async close(): Promise<void> {
    await this.loop.stop(LAST_TIMEOUT_MS);
    await this.postNewest(AbortSignal.timeout(LAST_TIMEOUT_MS));
  }

  /** @returns milliseconds until it is tried again */
  private async postNewest(signal: AbortSignal): Promise<number> {
    const { newest } = this;
    if (newest === null) return LONGEST_WAIT_MS;
    const problem = await this.problemOfPost(newest, signal);
    if (problem === null) {
      if (this.newest === newest) this.newest = null;
      this.wait = FIRST_WAIT_MS;
      this.isReported = false;
      return LONGEST_WAIT_MS;
    }
    if (!this.isReported) this.report(`a checkpoint cannot be posted, trying again: ${problem}`);
    this.isReported = true;
    const { wait } = this;
    this.wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    return wait;
  }

  /** The URL may hold a secret: no reason repeats it. */
  private async problemOfPost(note: string, signal: AbortSignal): Promise<string | null> {
    try {
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'user-agent': 'Annals' };
      const { ok, status, body } = await fetch(this.url, {
        method: 'POST',
        headers,
        body: note,
        redirect: 'manual',
        signal,
      });
      await body?.cancel();
      return ok ? null : `the answer has the status ${status}`;
    } catch {
      return signal.aborted ? 'there is no answer in time' : 'there is no connection';
    }
  }
}
