import { type PlainDevice, type PushResult, SENT, type TokenRegistry } from '../push-sender.js';
import type { KnownOrganization } from './known-organization.js';

/** The bouncer's numbers of the services. */
export const TOKEN_KINDS = { apns: 1, fcm: 2 } as const;

/** The tokens that the bouncer knows. */
export class BouncerTokens implements TokenRegistry {
  /** Tokens that this process has registered with the bouncer. */
  private readonly registered = new Set<string>();

  constructor(private readonly bouncer: KnownOrganization) {}

  async add(device: PlainDevice): Promise<PushResult> {
    if (this.registered.has(keyOf(device))) return SENT;
    const { appId } = device;
    const fields = this.fields(device);
    const answer = await this.bouncer.postForm(
      'push/register',
      appId === null ? fields : { ...fields, ios_app_id: appId },
    );
    if (answer.outcome !== 'answered') return answer;
    this.registered.add(keyOf(device));
    return SENT;
  }

  async remove(device: PlainDevice): Promise<PushResult> {
    this.forget(device);
    const answer = await this.bouncer.postForm('push/unregister', this.fields(device));
    // The bouncer refuses to remove a token that it does not know.
    return answer.outcome === 'answered' || answer.outcome === 'refused' ? SENT : answer;
  }

  async removeAll(userId: number): Promise<PushResult> {
    for (const key of this.registered) if (key.startsWith(`${userId} `)) this.registered.delete(key);
    const answer = await this.bouncer.postForm('push/unregister/all', this.user(userId));
    return answer.outcome === 'answered' ? SENT : answer;
  }

  /** The next `add` tells the bouncer of the token again. */
  forget(device: PlainDevice): void {
    this.registered.delete(keyOf(device));
  }

  private fields({ userId, token, kind }: PlainDevice): Readonly<Record<string, string>> {
    return { ...this.user(userId), token, token_kind: String(TOKEN_KINDS[kind]) };
  }

  private user(userId: number): Readonly<Record<string, string>> {
    const { serverId: server_uuid } = this.bouncer;
    return { server_uuid, ...this.bouncer.addressee(userId), user_id: String(userId) };
  }
}

const keyOf = ({ userId, kind, token }: PlainDevice): string => `${userId} ${kind} ${token}`;
