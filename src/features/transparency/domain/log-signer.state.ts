import type { TransparencyEvent } from '../../../events/transparency/transparency.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';

/** Who signs the checkpoints of a log. */
export interface LogSigner {
  /** The name of the log. */
  readonly origin: string;
  /** The verifier key. */
  readonly verifier: string;
}

export interface LogSignerState {
  /** The signer that the log has named last; null: it has had one alone. */
  readonly announced: LogSigner | null;
}

export const logSigner: Decider<LogSignerState, TransparencyEvent> = {
  initialState: { announced: null },
  evolve: (state, event) => {
    switch (event.type) {
      case 'LogSignerChanged': {
        const { origin, verifier } = event.data;
        return { announced: { origin, verifier } };
      }
      case 'RestoredLogAccepted':
      case 'DeletedKeysFound':
      case 'BackupRestored':
      case 'EventSkipped':
      case 'MissingKeysAccepted':
        return state;
      default:
        event satisfies never;
        return state;
    }
  },
};
