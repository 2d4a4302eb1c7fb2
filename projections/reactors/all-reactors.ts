import { deactivationNotice } from './deactivation-notice.js';
import type { Reactor } from './reactor.js';

/** Everything that events cause outside of the server. */
export const reactors: readonly Reactor[] = [deactivationNotice];
