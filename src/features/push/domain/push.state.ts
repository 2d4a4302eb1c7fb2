import { Map as PersistentMap } from 'immutable';
import type { PushEvent, TokenKind } from '../../../events/push/push.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';

/** A token with its hash only: a remembered state keeps no secret of a removed token. */
interface KnownToken {
  readonly kind: TokenKind;
  /** Of kind and token; absent if the key is destroyed. */
  readonly hash?: string;
  /** Id of the API key that added it; null: unknown. */
  readonly apiKeyId: string | null;
}

/** A device that has asked for encrypted notifications. */
interface KnownDevice {
  readonly status: 'pending' | 'active' | 'failed';
  /** The newest registration. */
  readonly keyId: string;
  /** Id of the API key that registered it; null: unknown. */
  readonly apiKeyId: string | null;
}

export interface PushState {
  readonly tokens: PersistentMap<string, KnownToken>;
  readonly keyIdByHash: PersistentMap<string, string>;
  readonly devices: PersistentMap<string, KnownDevice>;
}

export const tokenHash = (kind: TokenKind, token: string): string => sha256Of(`${kind} ${token}`);

/** One user's tokens and devices. Other events of the user's stream do not change them. */
export const pushState: Decider<PushState, PushEvent> = {
  initialState: { tokens: PersistentMap(), keyIdByHash: PersistentMap(), devices: PersistentMap() },
  evolve: (state, event) => {
    switch (event.type) {
      case 'PushTokenAdded': {
        const { keyId, kind, token, apiKeyId } = event.data;
        if (token === null) return { ...state, tokens: state.tokens.set(keyId, { kind, apiKeyId }) };
        const hash = tokenHash(kind, token.token);
        return {
          ...state,
          tokens: state.tokens.set(keyId, { kind, hash, apiKeyId }),
          keyIdByHash: state.keyIdByHash.set(hash, keyId),
        };
      }
      case 'PushTokenRemoved': {
        const { keyId } = event.data;
        const hash = state.tokens.get(keyId)?.hash;
        return {
          ...state,
          tokens: state.tokens.delete(keyId),
          keyIdByHash: hash === undefined ? state.keyIdByHash : state.keyIdByHash.delete(hash),
        };
      }
      case 'PushDeviceRegistered': {
        const { pushAccountId, keyId, apiKeyId } = event.data;
        return { ...state, devices: state.devices.set(pushAccountId, { status: 'pending', keyId, apiKeyId }) };
      }
      case 'PushDeviceActivated':
        return settled(state, event.data, 'active');
      case 'PushDeviceFailed':
        return settled(state, event.data, 'failed');
      case 'PushDeviceRemoved':
        return { ...state, devices: state.devices.delete(event.data.pushAccountId) };
      default:
        event satisfies never;
        return state;
    }
  },
};

const settled = (
  state: PushState,
  { pushAccountId, keyId }: { readonly pushAccountId: string; readonly keyId: string },
  status: 'active' | 'failed',
): PushState => {
  const apiKeyId = state.devices.get(pushAccountId)?.apiKeyId ?? null;
  return { ...state, devices: state.devices.set(pushAccountId, { status, keyId, apiKeyId }) };
};
