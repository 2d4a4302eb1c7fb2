import type { PushDeviceActivated, PushDeviceFailed, PushDeviceRemoved } from '../../../events/push/push.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import type { PushState } from './push.state.js';

/** The service's answer to a registration. */
export type RegistrationOutcome = { readonly deviceId: number | null } | { readonly errorCode: string };

/** Ends the wait of a pending device. The server itself sends it. */
export class SettlePushDevice extends Command<{
  userId: number;
  pushAccountId: string;
  /** The registration. */
  keyId: string;
  outcome: RegistrationOutcome;
}> {}

export const decideSettlePushDevice: Decide<SettlePushDevice, PushState, PushDeviceActivated | PushDeviceFailed> = (
  { userId, pushAccountId, keyId, outcome },
  { devices },
) => {
  const device = devices.get(pushAccountId);
  if (device?.status !== 'pending' || device.keyId !== keyId) return [];
  if ('errorCode' in outcome) {
    const { errorCode } = outcome;
    return [{ type: 'PushDeviceFailed', data: { userId, pushAccountId, keyId, errorCode } }];
  }
  const { deviceId } = outcome;
  return [{ type: 'PushDeviceActivated', data: { userId, pushAccountId, keyId, deviceId } }];
};

/** Removes a device that the service no longer knows. The server itself sends it. */
export class RemovePushDevice extends Command<{
  userId: number;
  pushAccountId: string;
  /** The registration. */
  keyId: string;
}> {}

export const decideRemovePushDevice: Decide<RemovePushDevice, PushState, PushDeviceRemoved> = (
  { userId, pushAccountId, keyId },
  { devices },
) => {
  if (devices.get(pushAccountId)?.keyId !== keyId) return [];
  return [{ type: 'PushDeviceRemoved', data: { userId, pushAccountId, keyId, because: 'gone' } }];
};
