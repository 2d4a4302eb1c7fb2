import { pushDevices } from '../../../projections/push-devices/push-devices.projection.js';
import type { PushDeviceFailed, PushDeviceRemoved, PushTokenRemoved } from '../../events/push/push.events.js';
import { erasure } from '../../platform/consumers/erasure.js';

const keyId = ({ data }: { readonly data: { readonly keyId: string } }): string => data.keyId;

export const pushErasures = [
  erasure<PushTokenRemoved>({ on: 'PushTokenRemoved', keyId, heldBy: [pushDevices] }),
  erasure<PushDeviceFailed>({ on: 'PushDeviceFailed', keyId, heldBy: [pushDevices] }),
  erasure<PushDeviceRemoved>({ on: 'PushDeviceRemoved', keyId, heldBy: [pushDevices] }),
];
