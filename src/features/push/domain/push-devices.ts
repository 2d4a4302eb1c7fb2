import type {
  PushDeviceRegistered,
  PushDeviceRemoved,
  PushRegistration,
  PushTokenRemoved,
  TokenKind,
} from '../../../events/push/push.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { PushState } from './push.state.js';
import { MOST_DEVICES } from './push-tokens.js';

/** Registers a device for encrypted notifications. It is pending until the service has accepted it. */
export class RegisterPushDevice extends Command<{
  userId: number;
  device: {
    /** A signed 64-bit integer in decimal. */
    readonly pushAccountId: string;
    readonly kind: TokenKind;
  };
  registration: PushRegistration;
  /** Id of the API key of the request. */
  apiKeyId: string | null;
}> {}

interface RegisterPushDeviceFacts {
  readonly keyId: string;
  readonly isBot: boolean;
  readonly isConfigured: boolean;
}

/**
 * Changes nothing for a pending or active device, even if the keys differ. A device that has failed makes place for
 * another.
 */
export const decideRegisterPushDevice: Decide<
  RegisterPushDevice,
  PushState,
  PushDeviceRegistered | PushDeviceRemoved,
  RegisterPushDeviceFacts
> = (
  { userId, device: { pushAccountId, kind }, registration, apiKeyId },
  { devices },
  { keyId, isBot, isConfigured },
) => {
  if (isBot) refuse('BOTS_NOT_ALLOWED');
  if (!isConfigured) refuse('PUSH_SERVICE_NOT_CONFIGURED');
  const device = devices.get(pushAccountId);
  if (device && device.status !== 'failed') return [];
  const registered: PushDeviceRegistered = {
    type: 'PushDeviceRegistered',
    data: { userId, pushAccountId, kind, keyId, registration, apiKeyId },
  };
  if (device || devices.size < MOST_DEVICES) return [registered];
  const [failedId, failed] =
    devices.findEntry(({ status }) => status === 'failed') ?? refuse('TOO_MANY_PUSH_DEVICES', { limit: MOST_DEVICES });
  const data = { userId, pushAccountId: failedId, keyId: failed.keyId, because: 'replaced' } as const;
  return [{ type: 'PushDeviceRemoved', data }, registered];
};

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
