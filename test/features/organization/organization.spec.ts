import { describe, expect, it } from '@jest/globals';
import type { OrganizationEvent, RealmSettingChanged } from '../../../src/events/organization/organization.events.js';
import { REALM_DEFAULTS, type RealmSetting } from '../../../src/events/organization/realm.settings.js';
import {
  ChangeRealmSettings,
  type ChangeRealmSettingsFacts,
  decideChangeRealmSettings,
} from '../../../src/features/organization/domain/change-realm-settings.js';
import {
  decideWithdrawAnnouncementChannel,
  WithdrawAnnouncementChannel,
} from '../../../src/features/organization/domain/default-channels.js';
import {
  CreateOrganization,
  decideCreateOrganization,
  decideRecordPushPermission,
  existing,
  organization,
  RecordPushPermission,
} from '../../../src/features/organization/domain/organization.js';
import {
  AddPlayground,
  decideAddPlayground,
  decideRemovePlayground,
  RemovePlayground,
} from '../../../src/features/organization/domain/playgrounds.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const created: OrganizationEvent = { type: 'OrganizationCreated', data: { name: 'Observatory' } };
const changed = (setting: RealmSetting, from: unknown, to: unknown): RealmSettingChanged => ({
  type: 'RealmSettingChanged',
  data: { setting, from, to } as RealmSettingChanged['data'],
});
const observatory = (...history: OrganizationEvent[]) => given(organization, [created, ...history]);

describe('an organization', () => {
  it('is created once', () => {
    const create = new CreateOrganization({ name: 'Observatory', by });
    given(organization, []).when(decideCreateOrganization, create, undefined).then([created]);
    observatory().when(decideCreateOrganization, create, undefined).thenNothing();
  });

  it('has every setting, defaults included', () => {
    const { state } = observatory(changed('digest_weekday', 1, 3));
    expect(state).toMatchObject({ settings: { ...REALM_DEFAULTS, name: 'Observatory', digest_weekday: 3 } });
  });

  it('allows no decision before it is created', () => {
    expect(() => existing(organization.initialState)).toThrow(UnavailableError);
    expect(given(organization, [changed('digest_weekday', 1, 3)]).state).toBe(organization.initialState);
  });
});

describe('realm settings', () => {
  const owner: ChangeRealmSettingsFacts = {
    mayAdminister: true,
    mayOwn: true,
    isChannel: (id) => id === 4,
    group: (id) => (id === 20 ? 'active' : id === 21 ? 'deactivated' : 'unknown'),
    isActiveUser: (id) => id < 10,
  };
  const administrator = { ...owner, mayOwn: false };
  const change = (plain: ChangeRealmSettings['plain'], permissions: ChangeRealmSettings['permissions'] = {}) =>
    new ChangeRealmSettings({ plain, permissions, by });
  const permission = (setting: keyof ChangeRealmSettings['permissions'], update: object) =>
    change({}, { [setting]: update });

  it('change with one event for each, with the old and the new value', () => {
    observatory()
      .when(
        decideChangeRealmSettings,
        change(
          { name: 'Planetarium', digest_weekday: 1, message_content_edit_limit_seconds: null },
          { can_resolve_topics_group: { new: 5 } },
        ),
        administrator,
      )
      .then([
        changed('message_content_edit_limit_seconds', 600, null),
        changed('name', 'Observatory', 'Planetarium'),
        changed('can_resolve_topics_group', 2, 5),
      ]);
    observatory().when(decideChangeRealmSettings, change({}), administrator).thenNothing();
  });

  it('do not change if the value is already set', () => {
    const history = [changed('enable_read_receipts', false, true)];
    observatory(...history)
      .when(decideChangeRealmSettings, change({ enable_read_receipts: true }), owner)
      .thenNothing();
    observatory(...history)
      .when(decideChangeRealmSettings, change({ enable_read_receipts: false }), owner)
      .then([changed('enable_read_receipts', true, false)]);
  });

  it('keep their default while they await their feature, whatever an older version has stored', () => {
    const history = [changed('digest_emails_enabled', false, true), changed('can_summarize_topics_group', 8, 3)];
    const { state } = observatory(...history);
    expect(state).toMatchObject({ settings: { digest_emails_enabled: false, can_summarize_topics_group: 8 } });
    observatory(...history)
      .when(decideChangeRealmSettings, change({ digest_emails_enabled: false }), owner)
      .thenNothing();
    observatory(...history)
      .when(
        decideChangeRealmSettings,
        permission('can_summarize_topics_group', { new: { direct_members: [1], direct_subgroups: [] } }),
        owner,
      )
      .thenRefuses('SETTING_NEEDS_SYSTEM_GROUP');
  });

  it('are edited by administrators only', () => {
    const member = { ...owner, mayAdminister: false, mayOwn: false };
    observatory()
      .when(decideChangeRealmSettings, change({ name: 'x' }), member)
      .thenRefuses('ADMINISTRATOR_REQUIRED');
    observatory().when(decideChangeRealmSettings, change({}), member).thenRefuses('ADMINISTRATOR_REQUIRED');
  });

  it.each<ChangeRealmSettings>([
    change({ disallow_disposable_email_addresses: true }),
    change({ emails_restricted_to_domains: true }),
    change({ invite_required: true }),
    change({ message_retention_days: 30 }),
    change({ waiting_period_threshold: 0 }),
    permission('can_create_groups', { new: 6 }),
    permission('can_invite_users_group', { new: 6 }),
    permission('can_manage_all_groups', { new: 6 }),
    permission('can_manage_billing_group', { new: 8 }),
    permission('create_multiuse_invite_group', { new: 6 }),
  ])('are reserved to owners: %j', (command) => {
    observatory().when(decideChangeRealmSettings, command, administrator).thenRefuses('OWNER_REQUIRED');
    expect(() => decideChangeRealmSettings(command, observatory().state, owner)).not.toThrow();
  });

  it.each<[string, ChangeRealmSettings, string]>([
    ['an empty name', change({ name: '' }), 'REALM_NAME_EMPTY'],
    ['a channel that does not exist', change({ signup_announcements_stream_id: 5 }), 'INVALID_CHANNEL_ID'],
    ['a channel that does not exist', change({ moderation_request_channel_id: 0 }), 'INVALID_CHANNEL_ID'],
    [
      'an old value that does not match',
      permission('can_resolve_topics_group', { new: 5, old: 3 }),
      'EXPECTATION_MISMATCH',
    ],
    ['an unknown group', permission('can_resolve_topics_group', { new: 99 }), 'SETTING_GROUP_UNKNOWN'],
    ['a deactivated group', permission('can_resolve_topics_group', { new: 21 }), 'SETTING_GROUP_DEACTIVATED'],
    [
      'a deactivated account',
      permission('can_resolve_topics_group', { new: { direct_members: [11], direct_subgroups: [] } }),
      'SETTING_USER_UNKNOWN',
    ],
    [
      'guests for a permission that they may not have',
      permission('can_create_groups', { new: 2 }),
      'SETTING_GROUP_NOT_ALLOWED',
    ],
    [
      'a user group for a permission that needs a system group',
      permission('can_access_all_users_group', { new: 20 }),
      'SETTING_NEEDS_SYSTEM_GROUP',
    ],
  ])('refuse %s', (_, command, code) => {
    observatory().when(decideChangeRealmSettings, command, owner).thenRefuses(code);
  });

  it('accept a channel, or none', () => {
    observatory()
      .when(decideChangeRealmSettings, change({ new_stream_announcements_stream_id: 4 }), owner)
      .then([changed('new_stream_announcements_stream_id', -1, 4)]);
    observatory(changed('new_stream_announcements_stream_id', -1, 4))
      .when(decideChangeRealmSettings, change({ new_stream_announcements_stream_id: -1 }), owner)
      .then([changed('new_stream_announcements_stream_id', 4, -1)]);
  });

  it('store permissions in a normalized form', () => {
    const people = { direct_members: [3, 2, 3], direct_subgroups: [20] };
    observatory()
      .when(decideChangeRealmSettings, permission('can_resolve_topics_group', { new: people, old: 2 }), owner)
      .then([changed('can_resolve_topics_group', 2, { direct_members: [2, 3], direct_subgroups: [20] })]);
    const everyone = { direct_members: [], direct_subgroups: [2] };
    observatory()
      .when(decideChangeRealmSettings, permission('can_resolve_topics_group', { new: everyone, old: everyone }), owner)
      .thenNothing();
  });
});

describe('an archived channel', () => {
  it('is removed from all settings', () => {
    const withdraw = new WithdrawAnnouncementChannel(4, by);
    observatory().when(decideWithdrawAnnouncementChannel, withdraw, undefined).thenNothing();
    observatory(
      changed('signup_announcements_stream_id', -1, 4),
      changed('new_stream_announcements_stream_id', -1, 5),
      changed('moderation_request_channel_id', -1, 4),
    )
      .when(decideWithdrawAnnouncementChannel, withdraw, undefined)
      .then([changed('moderation_request_channel_id', 4, -1), changed('signup_announcements_stream_id', 4, -1)]);
  });
});

describe('code playgrounds', () => {
  const rust = { name: 'Rust', pygmentsLanguage: 'Rust', urlTemplate: 'https://play.example.org/?code={code}' };
  const administrator = { mayAdminister: true };
  const add = (changes: Partial<typeof rust> = {}) => new AddPlayground({ playground: { ...rust, ...changes }, by });
  const added = (id: number, changes: Partial<typeof rust> = {}): OrganizationEvent => ({
    type: 'PlaygroundAdded',
    data: { playground: { id, ...rust, ...changes } },
  });

  it('are added and removed', () => {
    observatory()
      .when(decideAddPlayground, add(), administrator)
      .then([added(1)]);
    observatory(added(1))
      .when(decideRemovePlayground, new RemovePlayground({ playgroundId: 1, by }), administrator)
      .then([{ type: 'PlaygroundRemoved', data: { playground: { id: 1, ...rust } } }]);
  });

  it('never reuse an id', () => {
    observatory(added(1), added(2, { name: 'Other' }), {
      type: 'PlaygroundRemoved',
      data: { playground: { id: 2, ...rust, name: 'Other' } },
    })
      .when(decideAddPlayground, add({ name: 'Third' }), administrator)
      .then([added(3, { name: 'Third' })]);
  });

  it('are edited by administrators only', () => {
    const nobody = { mayAdminister: false };
    observatory().when(decideAddPlayground, add(), nobody).thenRefuses('ADMINISTRATOR_REQUIRED');
    observatory(added(1))
      .when(decideRemovePlayground, new RemovePlayground({ playgroundId: 1, by }), nobody)
      .thenRefuses('ADMINISTRATOR_REQUIRED');
  });

  it.each<[string, Partial<typeof rust>, string]>([
    ['no name', { name: '' }, 'PLAYGROUND_NAME_EMPTY'],
    ['no language', { pygmentsLanguage: '' }, 'PLAYGROUND_LANGUAGE_INVALID'],
    ['a language that a code block cannot have', { pygmentsLanguage: 'C`' }, 'PLAYGROUND_LANGUAGE_INVALID'],
    ['no template', { urlTemplate: '' }, 'INVALID_URL_TEMPLATE'],
    ['a broken template', { urlTemplate: 'https://x.org/{code' }, 'INVALID_URL_TEMPLATE'],
    ['a template without the code', { urlTemplate: 'https://x.org/' }, 'PLAYGROUND_NEEDS_CODE'],
    ['a template with another variable', { urlTemplate: 'https://x.org/{code}{lang}' }, 'PLAYGROUND_ONLY_CODE'],
    ['the name and language of another playground', {}, 'PLAYGROUND_EXISTS'],
  ])('are refused with %s', (_, changes, code) => {
    observatory(added(1)).when(decideAddPlayground, add(changes), administrator).thenRefuses(code);
  });

  it('are not removed if they do not exist', () => {
    observatory()
      .when(decideRemovePlayground, new RemovePlayground({ playgroundId: 1, by }), administrator)
      .thenRefuses('PLAYGROUND_NOT_FOUND');
  });
});

describe('the right to push', () => {
  const when = (isAllowed: boolean, endsAt: number | null, ...history: OrganizationEvent[]) =>
    observatory(...history).when(
      decideRecordPushPermission,
      new RecordPushPermission({ isAllowed, endsAt, by }),
      undefined,
    );
  const denied = changed('push_notifications_enabled', true, false);

  it('changes with the word of the service, and only then', () => {
    when(true, null).thenNothing();
    when(false, null).then([denied]);
    when(false, null, denied).thenNothing();
    when(true, 2_000_000_000, denied).then([
      changed('push_notifications_enabled', false, true),
      changed('push_notifications_enabled_end_timestamp', null, 2_000_000_000),
    ]);
  });

  it('is not recorded before there is an organization', () => {
    given(organization, [])
      .when(decideRecordPushPermission, new RecordPushPermission({ isAllowed: false, endsAt: null, by }), undefined)
      .thenNothing();
  });
});
