import {
  PUSH_DEVICES,
  PUSH_OWNERS,
  PUSH_TOKENS,
  type PushDeviceDocument,
  type PushOwnerDocument,
  type PushTokenDocument,
  pushDevices,
} from '../../../../projections/push-devices/push-devices.projection.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { readAtOnePosition } from '../../../platform/read-models/read-at-one-position.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';

/**
 * All of a user's registered devices at one position, which is `at` or later.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function devicesOf(
  userId: number,
  readModels: ReadModels,
  at: Position = START,
): Promise<{ readonly devices: readonly PushDeviceDocument[]; readonly position: Position }> {
  const devices = readModels.collection<PushDeviceDocument>(pushDevices, PUSH_DEVICES);
  const owners = readModels.collection<PushOwnerDocument>(pushDevices, PUSH_OWNERS);
  const { found, position } = await readAtOnePosition(readModels, pushDevices, at, async () => ({
    found: await devices.find({ userId }, { sort: { _id: 1 } }),
    changedAt: (await owners.findOne({ _id: userId }))?.position ?? START,
  }));
  return { devices: found, position };
}

/** The tokens of users. @throws UnavailableError, DocumentStoreUnavailable */
export function tokensOf(userIds: readonly number[], readModels: ReadModels): Promise<readonly PushTokenDocument[]> {
  const tokens = readModels.collection<PushTokenDocument>(pushDevices, PUSH_TOKENS);
  return tokens.find({ userId: { $in: [...userIds] } }, { sort: { _id: 1 } });
}
