import type { PushDeviceFailed, PushTokenRemoved, Withdrawal } from '../../../events/push/push.events.js';
import type { Decide } from '../../../platform/kernel/deciding.js';
import type { PushState } from './push.state.js';

/** A token or a registration, whichever has the content key. */
interface Added {
  readonly keyId: string;
  /** Id of the API key that added it; null: unknown. */
  readonly apiKeyId: string | null;
}

/** Withdraws devices of a user whose logins have ended: whoever was logged in may have added them (D23). */
export class WithdrawDevices {
  constructor(
    readonly userId: number,
    readonly because: Withdrawal,
    readonly concerns: (device: Added) => boolean,
  ) {}
}

/** The code tells clients that are still logged in to register again. */
const REGISTER_AGAIN = 'REQUEST_EXPIRED';

/** Registrations fail, and so do they at clients: no published event says that a device is gone. */
export const decideWithdrawDevices: Decide<WithdrawDevices, PushState, PushTokenRemoved | PushDeviceFailed> = (
  { userId, because, concerns },
  { tokens, devices },
) => [
  ...[...tokens]
    .filter(([keyId, { apiKeyId }]) => concerns({ keyId, apiKeyId }))
    .map(
      ([keyId, { kind }]): PushTokenRemoved => ({ type: 'PushTokenRemoved', data: { userId, kind, keyId, because } }),
    ),
  ...[...devices]
    .filter(([, device]) => device.status !== 'failed' && concerns(device))
    .map(
      ([pushAccountId, { keyId }]): PushDeviceFailed => ({
        type: 'PushDeviceFailed',
        data: { userId, pushAccountId, keyId, errorCode: REGISTER_AGAIN },
      }),
    ),
];
