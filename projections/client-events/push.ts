import type { PushDeviceEvent } from '../../src/events/push/push.events.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { EventHandlers } from '../../src/platform/read-models/projection.js';
import { staticClientEvent } from './client-event.js';
import type { ClientEventDocument } from './client-events.documents.js';
import { written } from './written.js';

export const pushDevice = staticClientEvent<{
  readonly push_account_id: string;
  readonly status: 'pending' | 'active' | 'failed';
  readonly error_code?: string;
}>()({ kind: 'push_device', rank: 1024, part: 'push_device' });

/** Tells only the user's own clients. A device that the service no longer knows is told by no published event. */
export const pushRules: EventHandlers<Exclude<PushDeviceEvent, { readonly type: 'PushDeviceRemoved' }>> = {
  PushDeviceRegistered: (event, documents) => written(event, documents, [told(event, { status: 'pending' })]),
  PushDeviceActivated: (event, documents) => written(event, documents, [told(event, { status: 'active' })]),
  PushDeviceFailed: (event, documents) => {
    const { errorCode: error_code } = event.data;
    return written(event, documents, [told(event, { status: 'failed', error_code })]);
  },
};

const told = (
  event: Recorded<PushDeviceEvent>,
  now: { readonly status: 'pending' | 'active' | 'failed'; readonly error_code?: string },
): ClientEventDocument => {
  const { userId, pushAccountId: push_account_id } = event.data;
  return pushDevice.of(event, { userIds: [userId] }, { push_account_id, ...now });
};
