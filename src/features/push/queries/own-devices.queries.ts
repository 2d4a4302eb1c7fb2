import {
  PUSH_TOKENS,
  type PushTokenDocument,
  pushDevices,
} from '../../../../projections/push-devices/push-devices.projection.js';
import type { TokenKind } from '../../../events/push/push.events.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { itemsOf } from '../../../platform/read-models/read-user-list.js';
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

/** A device of the caller, as `GET /users/me/push_devices` lists it. Neither its token nor its keys are shown. */
interface DeviceForClients {
  /** Names the device in `DELETE /users/me/push_devices/{device_id}`. */
  readonly id: string;
  readonly kind: TokenKind;
  readonly is_encrypted: boolean;
  /** Of Apple's tokens only. */
  readonly app_id: string | null;
  /** Of encrypted devices only. */
  readonly push_account_id: string | null;
  readonly status: 'pending' | 'active' | 'failed';
  readonly error_code: string | null;
  /** Unix seconds. */
  readonly registered_at: number;
  /** The login that added it, as `GET /users/me/api_keys` names it; null: unknown. */
  readonly api_key_id: string | null;
  /** Whether the login of this request added it. */
  readonly is_current: boolean;
}

/** Devices in the order in which they were added. @throws UnavailableError, DocumentStoreUnavailable */
export class GetOwnDevices extends Query<
  {
    userId: number;
    /** Id of the API key of the request. */
    currentKeyId: string;
  },
  readonly DeviceForClients[]
> {}

export const ownDeviceQueries = [
  answersFrom(GetOwnDevices, READ_MODELS, async ({ userId, currentKeyId }, readModels: ReadModels) => {
    const tokens = await tokensOf([userId], readModels);
    const { items: devices } = await itemsOf(pushDevices, userId, readModels);
    const added = [
      ...tokens.map(({ _id: id, kind, appId, addedAt: at, apiKeyId }) => {
        const shown = { is_encrypted: false, app_id: appId, push_account_id: null, status: 'active' as const };
        return { id, kind, ...shown, error_code: null, at, apiKeyId };
      }),
      ...devices.map(({ keyId: id, kind, pushAccountId, status, errorCode, registeredAt: at, apiKeyId }) => {
        const shown = { is_encrypted: true, app_id: null, push_account_id: pushAccountId, status };
        return { id, kind, ...shown, error_code: errorCode, at, apiKeyId };
      }),
    ];
    return added
      .sort((a, b) => a.at - b.at)
      .map(({ at, apiKeyId, ...device }) => ({
        ...device,
        registered_at: Math.floor(at / 1000),
        api_key_id: apiKeyId,
        is_current: apiKeyId === currentKeyId,
      }));
  }),
];
