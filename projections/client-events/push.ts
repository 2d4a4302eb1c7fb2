import type { PushDeviceEvent } from '../../src/events/push/push.events.js';
import { staticClientEvent } from './client-event.js';
import { toldToOwner } from './written.js';

export const pushDevice = staticClientEvent<{
  readonly push_account_id: string;
  readonly status: 'pending' | 'active' | 'failed';
  readonly error_code?: string;
}>()({ kind: 'push_device', rank: 1024, part: 'push_device' });

/** A device that the service no longer knows is told by no published event. */
export const pushRules = toldToOwner<Exclude<PushDeviceEvent, { readonly type: 'PushDeviceRemoved' }>>({
  PushDeviceRegistered: (event, own) => [
    pushDevice.of(event, own, { push_account_id: event.data.pushAccountId, status: 'pending' }),
  ],
  PushDeviceActivated: (event, own) => [
    pushDevice.of(event, own, { push_account_id: event.data.pushAccountId, status: 'active' }),
  ],
  PushDeviceFailed: (event, own) => {
    const { pushAccountId: push_account_id, errorCode: error_code } = event.data;
    return [pushDevice.of(event, own, { push_account_id, status: 'failed', error_code })];
  },
});
