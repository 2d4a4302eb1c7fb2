import { personalStream } from '../../../events/personal/personal.events.js';
import type { PushDeviceRegistered, PushEvent, PushTokenAdded, Withdrawal } from '../../../events/push/push.events.js';
import {
  type ApiKeysEnded,
  type ApiKeysRegenerated,
  apiKeyId,
  type PasswordChanged,
  USERS_STREAM,
  type UserDeactivated,
} from '../../../events/users/users.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { decideAfter, processManager } from '../../../platform/consumers/process-manager.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { Position } from '../../../platform/kernel/position.js';
import { users } from '../../users/domain/users.state.js';
import { pushState } from '../domain/push.state.js';
import { decideWithdrawDevices, WithdrawDevices } from '../domain/withdraw-devices.js';

type EndOfAll = ApiKeysRegenerated | PasswordChanged | UserDeactivated;
type Addition = PushTokenAdded | PushDeviceRegistered;

/** Withdraws all devices of an account whose API keys were regenerated, except those that were added since. */
const regeneration = processManager<ApiKeysRegenerated>({
  name: 'push-token-withdrawal',
  on: 'ApiKeysRegenerated',
  appends: ['PushTokenRemoved', 'PushDeviceFailed'],
  react: (event, runner) => withdrawAll(event, 'keys regenerated', runner),
});

/** Withdraws all devices of an account with a new password. A client that stays logged in adds its own again. */
const newPassword = processManager<PasswordChanged>({
  name: 'push-withdrawal-by-password',
  on: 'PasswordChanged',
  appends: ['PushTokenRemoved', 'PushDeviceFailed'],
  react: (event, runner) => withdrawAll(event, 'password changed', runner),
});

/** Withdraws all devices of a deactivated account. A reactivation does not bring them back. */
const deactivation = processManager<UserDeactivated>({
  name: 'push-withdrawal-by-deactivation',
  on: 'UserDeactivated',
  appends: ['PushTokenRemoved', 'PushDeviceFailed'],
  react: (event, runner) => withdrawAll(event, 'deactivated', runner),
});

/** Withdraws the devices that were added with API keys that have ended. */
const endOfKeys = processManager<ApiKeysEnded>({
  name: 'push-withdrawal-by-key',
  on: 'ApiKeysEnded',
  appends: ['PushTokenRemoved', 'PushDeviceFailed'],
  react: (event, runner) => {
    const { userId, keyHashes } = event.data;
    const ended = new Set(keyHashes.map(apiKeyId));
    const isOfEnded = (device: { readonly apiKeyId: string | null }): boolean =>
      device.apiKeyId !== null && ended.has(device.apiKeyId);
    return withdraw(event, new WithdrawDevices(userId, 'key ended', isOfEnded), runner);
  },
});

/** Withdraws a token that was stored after its login had ended. */
const lateToken = processManager<PushTokenAdded>({
  name: 'late-push-token',
  on: 'PushTokenAdded',
  appends: ['PushTokenRemoved', 'PushDeviceFailed'],
  awaited: false,
  react: (event, runner) => withdrawLate(event, runner),
});

/** Withdraws a registration that was stored after its login had ended. */
const lateRegistration = processManager<PushDeviceRegistered>({
  name: 'late-push-registration',
  on: 'PushDeviceRegistered',
  appends: ['PushTokenRemoved', 'PushDeviceFailed'],
  awaited: false,
  react: (event, runner) => withdrawLate(event, runner),
});

export const deviceWithdrawals = [regeneration, newPassword, deactivation, endOfKeys, lateToken, lateRegistration];

async function withdrawAll(event: Recorded<EndOfAll>, because: Withdrawal, runner: CommandRunner): Promise<Position> {
  const { position, data } = event;
  const stream = personalStream(data.userId);
  const addedSince = new Set<string>();
  for await (const later of runner.eventsSince<PushEvent>({ position }, stream))
    if (later.stream === stream && isAddition(later)) addedSince.add(later.data.keyId);
  const isEarlier = ({ keyId }: { readonly keyId: string }): boolean => !addedSince.has(keyId);
  return withdraw(event, new WithdrawDevices(data.userId, because, isEarlier), runner);
}

const isAddition = (event: Recorded<PushEvent>): event is Recorded<Addition> =>
  event.type === 'PushTokenAdded' || event.type === 'PushDeviceRegistered';

async function withdrawLate(event: Recorded<Addition>, runner: CommandRunner): Promise<Position> {
  const { userId, keyId, apiKeyId: addedWith } = event.data;
  const owner = (await runner.stateOf({ stream: USERS_STREAM, decider: users })).byId.get(userId);
  const isDeactivated = owner?.status === 'deactivated';
  const isLoggedIn = addedWith === null || owner?.keyHashes.some((hash) => apiKeyId(hash) === addedWith);
  if (isLoggedIn && !isDeactivated) return event.position;
  const because = isDeactivated ? 'deactivated' : 'key ended';
  return withdraw(event, new WithdrawDevices(userId, because, (device) => device.keyId === keyId), runner);
}

async function withdraw(
  { id, metadata, position }: Recorded<EndOfAll | ApiKeysEnded | Addition>,
  command: WithdrawDevices,
  runner: CommandRunner,
): Promise<Position> {
  const outcome = await decideAfter({ id, metadata, position }, runner, {
    stream: personalStream(command.userId),
    decider: pushState,
    decide: decideWithdrawDevices,
    command,
    context: undefined,
    ids: (_, { data }) => derivedId('push-token-withdrawal', id, data.keyId),
  });
  return outcome.position;
}
