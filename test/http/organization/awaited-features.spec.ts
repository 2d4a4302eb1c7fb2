import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DirectoryFollower } from '../../../src/directory/directory-follower.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import type { RealmSettingChanged } from '../../../src/events/organization/organization.events.js';
import { REALM_SETTINGS, type RealmSetting } from '../../../src/events/organization/realm.settings.js';
import { awaitedIn } from '../../../src/events/shared/awaited-setting.js';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const NOBODY = SYSTEM_GROUP_IDS['role:nobody'];

/**
 * What the register response says of features that the server does not have, and why. Whoever builds a feature changes
 * its rows here; a key that promises more than there is fails.
 */
const REGISTER: readonly (readonly [key: string, value: unknown, because: string])[] = [
  ['onboarding_steps', [], 'there are no hints to dismiss'],
  ['navigation_tour_video_url', null, 'there is no video'],

  ['realm_default_stream_groups', [], 'default channels have no groups'],
  ['max_bulk_new_subscription_messages', 0, 'nobody is told of new subscriptions by a message'],
  ['server_web_public_streams_enabled', false, 'nothing is shown without a login'],
  ['realm_enable_spectator_access', false, 'nothing is shown without a login'],
  ['can_create_web_public_streams', false, 'nothing is shown without a login'],
  ['realm_can_create_web_public_channel_group', NOBODY, 'nothing is shown without a login'],
  ['realm_create_web_public_stream_policy', 6, 'the older number of nobody'],

  ['realm_message_retention_days', -1, 'messages are deleted by people alone'],
  ['server_min_deactivated_realm_deletion_days', null, 'an organization cannot be deactivated'],
  ['server_max_deactivated_realm_deletion_days', null, 'an organization cannot be deactivated'],

  ['realm_digest_emails_enabled', false, 'no digests are mailed'],
  ['settings_send_digest_emails', false, 'no digests are mailed'],
  ['realm_send_welcome_emails', false, 'a new account gets a message, and no mail'],

  ['realm_invite_required', true, 'every account needs an invitation or an administrator'],
  ['realm_emails_restricted_to_domains', false, 'addresses of all domains are accepted'],
  ['realm_domains', [], 'addresses of all domains are accepted'],
  ['realm_disallow_disposable_email_addresses', false, 'disposable addresses are not recognized'],
  ['password_min_guesses', 0, 'passwords are judged by their length alone'],
  ['realm_authentication_methods', { Email: { enabled: true, available: true } }, 'logins are by password'],

  ['upgrade_text_for_wide_organization_logo', '', 'no plan has logos'],

  ['server_inline_url_embed_preview', false, 'the server fetches no pages'],
  ['realm_inline_url_embed_preview', false, 'the server fetches no pages'],
  ['realm_giphy_rating', 0, 'the server has no key for GIFs'],
  ['giphy_api_key', '', 'the server has no key for GIFs'],
  ['has_zoom_token', false, 'calls need nothing of the server'],
  ['server_jitsi_server_url', null, 'the server names no Jitsi server of its own'],
  ['server_can_summarize_topics', false, 'there is no language model'],
  ['realm_can_summarize_topics_group', NOBODY, 'there is no language model'],

  ['realm_incoming_webhook_bots', [], 'there are no integrations'],
  ['realm_embedded_bots', [], 'no bots run inside the server'],
  ['realm_filters', [], 'linkifiers have templates'],

  ['realm_plan_type', 1, 'the organization hosts itself'],
  ['zulip_plan_is_not_limited', true, 'there are no plans'],
  ['realm_upload_quota_mib', null, 'there is no quota'],
  ['realm_billing', { has_pending_sponsorship_request: false }, 'there are no bills'],
  ['realm_can_manage_billing_group', NOBODY, 'there are no bills'],
  ['realm_want_advertise_in_communities_directory', false, 'there is no such directory'],
  ['realm_push_notifications_enabled', false, 'this server has no push service'],
  ['realm_is_zephyr_mirror_realm', false, 'nothing is mirrored'],
  ['development_environment', false, 'logins need credentials'],
];

/** What `GET /server_settings` says of features that the server does not have. */
const SERVER_SETTINGS = {
  external_authentication_methods: [],
  push_notifications_enabled: false,
  realm_web_public_access_enabled: false,
};

describe('what clients are told of features that are not built', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  const registered = async () => (await EventQueue.register(owner.api)).state;

  it.each(REGISTER)('register says %s: %j, because %s', async (key, value) => {
    expect((await registered())[key]).toEqual(value);
  });

  it('GET /server_settings says the same', async () => {
    const { body } = await annals.api.get('/server_settings');
    expect(body).toMatchObject(SERVER_SETTINGS);
    const offered = Object.entries<boolean>(body.authentication_methods).filter(([, isOffered]) => isOffered);
    expect(offered.map(([method]) => method)).toEqual(['password', 'email']);
  });

  it('has a row for every setting that awaits its feature', () => {
    const rows = REGISTER.map(([key]) => key);
    expect(awaitedIn<RealmSetting>(REALM_SETTINGS).filter((name) => !rows.includes(`realm_${name}`))).toEqual([]);
  });

  describe('PATCH /realm', () => {
    const patch = async (params: Params) => {
      const { status, body } = await owner.api.patch('/realm', params);
      return { status, msg: body.msg, code: body.code };
    };
    const only = (value: string, feature: string): string =>
      `is not ${value}, the only value of a server without ${feature}`;

    it.each<[string, unknown, string]>([
      ['digest_emails_enabled', true, only('false', 'digest mails')],
      ['send_welcome_emails', true, only('false', 'welcome mails')],
      ['invite_required', false, only('true', 'open sign-up')],
      ['emails_restricted_to_domains', true, only('false', 'a list of allowed domains')],
      ['disallow_disposable_email_addresses', true, only('false', 'a list of disposable addresses')],
      ['inline_url_embed_preview', true, only('false', 'previews of web pages')],
      ['message_retention_days', 30, only('-1', 'a limited retention of messages')],
      ['want_advertise_in_communities_directory', true, only('false', 'a directory of communities')],
    ])('refuses %s: %j and changes nothing', async (name, value, words) => {
      const head = await annals.head();
      const refused = await patch({ description: 'in vain', [name]: value } as Params);
      expect(refused).toEqual({ status: 400, code: 'BAD_REQUEST', msg: `${name} ${words}` });
      expect(await annals.head()).toBe(head);
    });

    it.each(['can_create_web_public_channel_group', 'can_summarize_topics_group'])(
      'gives %s to nobody',
      async (name) => {
        const head = await annals.head();
        for (const group of ['role:members', 'role:owners'] as const)
          expect(await patch({ [name]: { new: SYSTEM_GROUP_IDS[group] } })).toEqual({
            status: 400,
            code: 'BAD_REQUEST',
            msg: `'${name}' setting cannot be set to '${group}' group.`,
          });
        expect((await patch({ [name]: { new: { direct_members: [1], direct_subgroups: [] } } })).status).toBe(400);
        expect((await patch({ [name]: { new: NOBODY } })).status).toBe(200);
        expect(await annals.head()).toBe(head);
      },
    );

    it('accepts the values that there are', async () => {
      const head = await annals.head();
      const params = { message_retention_days: '"unlimited"', invite_required: true };
      expect((await patch(params)).status).toBe(200);
      expect(await annals.head()).toBe(head);
    });
  });

  it('does not count what older versions have stored, before and after a restart', async () => {
    await older({ setting: 'digest_emails_enabled', from: false, to: true });
    await older({ setting: 'message_retention_days', from: -1, to: 30 });
    await older({ setting: 'can_summarize_topics_group', from: 8, to: 3 });
    await older({ setting: 'description', from: '', to: 'as of old' });
    const isHonest = async () => {
      expect(await registered()).toMatchObject({
        realm_digest_emails_enabled: false,
        realm_message_retention_days: -1,
        realm_can_summarize_topics_group: NOBODY,
        realm_description: 'as of old',
      });
    };
    await isHonest();
    await annals.restart();
    await isHonest();
    await annals.restart(() => annals.removeDocuments());
    await isHonest();
    const head = await annals.head();
    expect((await owner.api.patch('/realm', { digest_emails_enabled: false })).status).toBe(200);
    expect(await annals.head()).toBe(head);
  });

  /** Appends a change that only an older version accepts. */
  async function older(data: RealmSettingChanged['data']): Promise<void> {
    const codec = new EventCodec(annals.app.get<ContentKeys>(CONTENT_KEYS), eventRegistry);
    const metadata = { actorId: owner.id, client: 'test', at: Date.now(), correlationId: 'test', causationId: null };
    const event = codec.encode({ type: 'RealmSettingChanged', data }, newEventId(), metadata);
    const { position } = await annals.app.get<EventStore>(EVENT_STORE).append('organization', [event], 'any');
    await annals.app.get(DirectoryFollower).waitFor(position);
  }
});
