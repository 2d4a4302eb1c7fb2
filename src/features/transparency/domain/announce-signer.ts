import type { LogSignerChanged } from '../../../events/transparency/transparency.events.js';
import type { Decide } from '../../../platform/kernel/deciding.js';
import type { LogSigner, LogSignerState } from './log-signer.state.js';

/** Names the signer of the checkpoints that follow. */
export interface AnnounceSigner {
  readonly signer: LogSigner;
  /** Has signed the newest checkpoint that is known; null: none is. */
  readonly last: LogSigner | null;
}

/** A log's first signer is not announced: nothing comes before the organization. */
export const decideAnnounceSigner: Decide<AnnounceSigner, LogSignerState, LogSignerChanged> = (
  { signer: { origin, verifier }, last },
  { announced },
) => {
  const previous = announced ?? last;
  if (previous === null || previous.verifier === verifier) return [];
  const { origin: previousOrigin, verifier: previousVerifier } = previous;
  return [{ type: 'LogSignerChanged', data: { previousOrigin, previousVerifier, origin, verifier } }];
};
