import { channelCreation } from './channel-creation.js';
import type { ProcessManager } from './process-manager.js';

/** Everything that decisions cause in other streams. */
export const processManagers: readonly ProcessManager[] = [channelCreation];
