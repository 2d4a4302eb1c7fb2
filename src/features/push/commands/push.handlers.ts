import { Inject, Injectable } from '@nestjs/common';
import {
  PUSH_DEVICES,
  type PushDeviceDocument,
  pushDevices,
} from '../../../../projections/push-devices/push-devices.projection.js';
import { Directory } from '../../../directory/directory.js';
import { personalStream } from '../../../events/personal/personal.events.js';
import type { PushEvent, PushRegistration } from '../../../events/push/push.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import {
  GONE,
  PUSH_SENDER,
  type PushResult,
  type PushSender,
  type RegisteredDevice,
} from '../../../platform/push/push-sender.js';
import { sealInBox } from '../../../platform/push/sealed-box.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { type PushState, pushState } from '../domain/push.state.js';
import {
  decideRegisterPushDevice,
  decideRemoveOwnDevice,
  RegisterPushDevice,
  RemoveOwnDevice,
} from '../domain/push-devices.js';
import {
  AddPushToken,
  decideAddPushToken,
  decideRemoveGonePushToken,
  decideRemovePushToken,
  RemoveGonePushToken,
  RemovePushToken,
} from '../domain/push-tokens.js';
import {
  decideRemovePushDevice,
  decideSettlePushDevice,
  RemovePushDevice,
  SettlePushDevice,
} from '../domain/settle-push-device.js';
import type { Notification } from '../notifications/notification.js';

/** Facts for decisions about tokens and devices. */
@Injectable()
export class DeviceFacts {
  readonly isConfigured: boolean;

  constructor(
    private readonly directory: Directory,
    @Inject(PUSH_SENDER) sender: PushSender | null,
  ) {
    this.isConfigured = sender !== null;
  }

  isBot(userId: number): boolean {
    return (this.directory.user(userId)?.bot ?? null) !== null;
  }
}

/** A device whose registration can be read. */
type KnownDevice = PushDeviceDocument & { readonly registration: PushRegistration };

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
  const encrypted = await sealInBox(device.registration.publicKey, inner);
  return encrypted === null ? GONE : sender.sendEncrypted(registeredDevice(device), { ...plain, encrypted });
}

const devicesOf = ({ userId }: { readonly userId: number }): CommandStream<PushState, PushEvent> => ({
  stream: personalStream(userId),
  decider: pushState,
  expects: 'any',
});

export const pushHandlers = [
  decidesOn(AddPushToken, {
    stream: devicesOf,
    decide: decideAddPushToken,
    uses: DeviceFacts,
    facts: ({ userId }, push: DeviceFacts) => ({ keyId: newEventId(), isBot: push.isBot(userId) }),
  }),
  decidesOn(RemovePushToken, {
    stream: devicesOf,
    decide: decideRemovePushToken,
    uses: DeviceFacts,
    facts: ({ userId }, push: DeviceFacts) => ({ isBot: push.isBot(userId) }),
  }),
  decidesOn(RegisterPushDevice, {
    stream: devicesOf,
    decide: decideRegisterPushDevice,
    uses: DeviceFacts,
    facts: ({ userId }, push: DeviceFacts) => ({
      keyId: newEventId(),
      isBot: push.isBot(userId),
      isConfigured: push.isConfigured,
    }),
  }),
  decidesOn(RemoveOwnDevice, { stream: devicesOf, decide: decideRemoveOwnDevice }),
  decidesOn(RemoveGonePushToken, { stream: devicesOf, decide: decideRemoveGonePushToken }),
  decidesOn(SettlePushDevice, { stream: devicesOf, decide: decideSettlePushDevice }),
  decidesOn(RemovePushDevice, { stream: devicesOf, decide: decideRemovePushDevice }),
];
