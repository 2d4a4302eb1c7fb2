import type { PushDeviceRemoved, PushTokenRemoved } from '../../../events/push/push.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { PushState } from './push.state.js';

/** Removes one of the caller's devices, a token or a registration. */
export class RemoveOwnDevice extends Command<{
  userId: number;
  /** Id of the content key of the token or the newest registration. */
  keyId: string;
}> {}

/** Refuses with PUSH_DEVICE_UNKNOWN. */
export const decideRemoveOwnDevice: Decide<RemoveOwnDevice, PushState, PushTokenRemoved | PushDeviceRemoved> = (
  { userId, keyId },
  { tokens, devices },
) => {
  const token = tokens.get(keyId);
  if (token) return [{ type: 'PushTokenRemoved', data: { userId, kind: token.kind, keyId, because: 'asked' } }];
  const pushAccountId = devices.findKey((device) => device.keyId === keyId) ?? refuse('PUSH_DEVICE_UNKNOWN');
  return [{ type: 'PushDeviceRemoved', data: { userId, pushAccountId, keyId, because: 'asked' } }];
};
