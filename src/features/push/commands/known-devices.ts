import {
  PUSH_DEVICES,
  type PushDeviceDocument,
  pushDevices,
} from '../../../../projections/push-devices/push-devices.projection.js';
import type { PushRegistration } from '../../../events/push/push.events.js';
import { GONE, type PushResult, type PushSender, type RegisteredDevice } from '../../../platform/push/push-sender.js';
import { sealFor } from '../../../platform/push/sealed-box.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import type { Notification } from '../notifications/notification.js';

/** A device whose registration can be read. */
export type KnownDevice = PushDeviceDocument & { readonly registration: PushRegistration };

/** The active devices of users. @throws UnavailableError, DocumentStoreUnavailable */
export async function activeDevicesOf(
  userIds: readonly number[],
  readModels: ReadModels,
): Promise<readonly KnownDevice[]> {
  const devices = readModels.collection<PushDeviceDocument>(pushDevices, PUSH_DEVICES);
  const found = await devices.find({ userId: { $in: [...userIds] }, status: 'active' }, { sort: { _id: 1 } });
  return found.filter((device): device is KnownDevice => device.registration !== null);
}

/** The device in the form of the port. */
export const registeredDevice = ({
  userId,
  pushAccountId,
  kind,
  registration: { sealedUnder, sealed },
  deviceId,
}: KnownDevice): RegisteredDevice => ({ userId, pushAccountId, kind, sealedUnder, sealed, deviceId });

/** Encrypts a notification for a device and sends it. A device for whose key no box can be made is gone. */
export async function sendSealed(
  device: KnownDevice,
  { plain, inner }: Notification,
  sender: PushSender,
): Promise<PushResult> {
  const encrypted = await sealFor(device.registration.publicKey, inner);
  return encrypted === null ? GONE : sender.sendEncrypted(registeredDevice(device), { ...plain, encrypted });
}
