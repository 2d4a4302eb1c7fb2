import {
  PUSH_TOKENS,
  type PushTokenDocument,
  pushDevices,
} from '../../../../projections/push-devices/push-devices.projection.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { listState } from '../../event-queues/list-state.js';

/** The tokens of users. @throws UnavailableError, DocumentStoreUnavailable */
export function tokensOf(userIds: readonly number[], readModels: ReadModels): Promise<readonly PushTokenDocument[]> {
  const tokens = readModels.collection<PushTokenDocument>(pushDevices, PUSH_TOKENS);
  return tokens.find({ userId: { $in: [...userIds] } }, { sort: { _id: 1 } });
}

export const PushStateReader = listState({
  list: pushDevices,
  part: 'push_device',
  state: (devices) => ({
    push_devices: Object.fromEntries(
      devices.map(({ pushAccountId, status, errorCode }) => [pushAccountId, { status, error_code: errorCode }]),
    ),
  }),
});
