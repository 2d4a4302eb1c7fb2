import { createHmac } from 'node:crypto';
import { API_VERSION } from '../../kernel/api-version.js';
import { derivedId } from '../../kernel/ids.js';
import type { PushPermission } from '../push-sender.js';
import { type BouncerAnswer, BouncerApi, type BouncerSettings, DISALLOWED } from './bouncer-api.js';

/** Requests about an organization to a bouncer, which is told of the organization first: it knows no other. */
export class KnownOrganization {
  readonly serverId: string;
  readonly realmId: string;
  private readonly api: BouncerApi;
  /** Whether the bouncer has taken the organization's particulars from this process. */
  private isIntroduced = false;
  private permission: PushPermission | null = null;

  constructor(private readonly settings: BouncerSettings) {
    this.api = new BouncerApi(settings);
    this.serverId = settings.orgId;
    this.realmId = derivedId('push-realm', settings.orgId);
  }

  async postForm(path: string, fields: Readonly<Record<string, string>>): Promise<BouncerAnswer> {
    return (await this.introduce()) ?? this.heard(await this.api.postForm(path, fields));
  }

  async postJson(path: string, body: object): Promise<BouncerAnswer> {
    return (await this.introduce()) ?? this.heard(await this.api.postJson(path, body));
  }

  async askPermission(): Promise<void> {
    this.isIntroduced = false;
    await this.introduce();
  }

  newPermission(): PushPermission | null {
    const { permission } = this;
    this.permission = null;
    return permission;
  }

  addressee(userId: number): { user_uuid: string; user_id: number; realm_uuid: string } {
    return { user_uuid: derivedId('push-user', this.realmId, userId), user_id: userId, realm_uuid: this.realmId };
  }

  /** Tells the bouncer of the organization, once per process. null: it knows the organization. */
  private async introduce(): Promise<BouncerAnswer | null> {
    if (this.isIntroduced) return null;
    const { orgKey, site } = this.settings;
    const realm = {
      id: 1,
      uuid: this.realmId,
      uuid_owner_secret: `zuliprealm_${createHmac('sha256', orgKey).update(this.realmId).digest('hex')}`,
      host: new URL(site).host,
      url: site,
      name: new URL(site).host,
      org_type: 0,
      date_created: 0,
      deactivated: false,
      is_system_bot_realm: false,
      authentication_methods: { Email: true },
    };
    const answer = await this.api.postForm('server/analytics', {
      realm_counts: '[]',
      installation_counts: '[]',
      realms: JSON.stringify([realm]),
      version: JSON.stringify(API_VERSION.zulip_version),
      api_feature_level: String(API_VERSION.zulip_feature_level),
    });
    if (answer.outcome === 'refused') return { ...answer, outcome: 'misconfigured' };
    if (answer.outcome !== 'answered') return answer;
    this.isIntroduced = true;
    this.hear((answer.body.realms as Readonly<Record<string, unknown>> | undefined)?.[this.realmId]);
    return null;
  }

  private heard(answer: BouncerAnswer): BouncerAnswer {
    if (answer.outcome === 'misconfigured') {
      if (answer.code === DISALLOWED) this.permission = { isAllowed: false, endsAt: null };
      // A bouncer that has forgotten the organization is told of it again at the next request.
      if (answer.code === 'MISSING_REMOTE_REALM') this.isIntroduced = false;
    }
    if (answer.outcome === 'answered') this.hear(answer.body.realm ?? answer.body.realm_push_status);
    return answer;
  }

  /** Takes the bouncer's word on the organization's right, if there is one. */
  private hear(status: unknown): void {
    const { can_push, expected_end_timestamp } = (status ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof can_push !== 'boolean') return;
    const endsAt = Number.isSafeInteger(expected_end_timestamp) ? Number(expected_end_timestamp) : null;
    this.permission = { isAllowed: can_push, endsAt: can_push ? endsAt : null };
  }
}
