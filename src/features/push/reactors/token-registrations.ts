import {
  PUSH_TOKENS,
  type PushTokenDocument,
  pushDevices,
} from '../../../../projections/push-devices/push-devices.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { PushTokenAdded, PushTokenRemoved } from '../../../events/push/push.events.js';
import type { UserDeactivated } from '../../../events/users/users.events.js';
import { StreamLocks } from '../../../platform/commands/stream-locks.js';
import type { Collection, StoredDocument } from '../../../platform/documents/document-store.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { PushKind, PushResult, TokenRegistry } from '../../../platform/push/push-sender.js';
import { SENT } from '../../../platform/push/push-sender.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import type { NewTask } from '../../../platform/tasks/task.js';
import type { AccountTask, TokenTask } from './push-tasks.js';

/** A token that the service knows. Written before it is registered there, and kept until its removal is. */
export interface RegisteredToken extends StoredDocument {
  /** Id of the token's content key. */
  readonly _id: string;
  readonly userId: number;
  readonly kind: PushKind;
  readonly token: string;
  readonly appId: string | null;
}

export const REGISTERED_TOKENS = 'told-tokens';

interface TokenRegistrationsOptions {
  readonly registry: TokenRegistry;
  readonly registered: Collection<RegisteredToken>;
  readonly readModels: ReadModels;
  readonly directory: Directory;
}

/**
 * Keeps a service's record of tokens equal to this server's. An event of a removal names no token, and the log has none
 * any more, so tokens that the service knows are kept here until it has forgotten them.
 */
export class TokenRegistrations {
  /** One change at a time of a user's tokens at the service: a token that is added again stays. */
  private readonly locks = new StreamLocks();

  constructor(private readonly options: TokenRegistrationsOptions) {}

  taskFor(event: Recorded<PushTokenAdded | PushTokenRemoved | UserDeactivated>): NewTask<TokenTask | AccountTask> {
    const { userId } = event.data;
    if (event.type === 'UserDeactivated')
      return { _id: `unregister-all/${event.id}`, kind: 'account-removal', lane: 'apns', userId };
    const { kind: lane, keyId } = event.data;
    return event.type === 'PushTokenAdded'
      ? { _id: `token/${keyId}`, kind: 'token-addition', lane, userId, keyId }
      : { _id: `unregister/${keyId}`, kind: 'token-removal', lane, userId, keyId };
  }

  /** Tells the service of a token, unless it was removed meanwhile. */
  add({ userId, keyId }: Pick<TokenTask, 'userId' | 'keyId'>): Promise<PushResult> {
    const { registry, registered } = this.options;
    return this.locks.hold(String(userId), async () => {
      const [token] = await this.live({ _id: keyId });
      if (!token) return SENT;
      const { kind, token: text, appId } = token;
      const document: RegisteredToken = { _id: keyId, userId, kind, token: text, appId };
      await registered.replaceOne({ _id: keyId }, document, { upsert: true });
      return registry.add(document);
    });
  }

  /** @param isLastTry the token is not kept for another */
  remove({ userId, keyId }: Pick<TokenTask, 'userId' | 'keyId'>, isLastTry: boolean): Promise<PushResult> {
    const { registry, registered } = this.options;
    return this.locks.hold(String(userId), async () => {
      const token = await registered.findOne({ _id: keyId });
      if (!token) return SENT;
      const again = await this.live({ userId, kind: token.kind, token: token.token });
      const result = again.length > 0 ? SENT : await registry.remove(token);
      if (result.outcome === 'sent' || isLastTry) await registered.deleteMany({ _id: keyId });
      return result;
    });
  }

  /** Removes all tokens of an account there. Those of an account that is active again are left to `remove`. */
  removeAll({ userId }: AccountTask): Promise<PushResult> {
    const { registry, registered, directory } = this.options;
    return this.locks.hold(String(userId), async () => {
      if (directory.user(userId)?.isActive) return SENT;
      const result = await registry.removeAll(userId);
      if (result.outcome === 'sent') await registered.deleteMany({ userId });
      return result;
    });
  }

  private live(filter: Record<string, unknown>): Promise<readonly PushTokenDocument[]> {
    return this.options.readModels.collection<PushTokenDocument>(pushDevices, PUSH_TOKENS).find(filter);
  }
}
