import { describe, expect, it } from '@jest/globals';
import type { ChannelEvent } from '../../../src/events/channels/channels.events.js';
import { CHANNEL_PERMISSIONS } from '../../../src/events/channels/channels.settings.js';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { retentionDays } from '../../../src/features/channels/domain/channel-options.js';
import { channels } from '../../../src/features/channels/domain/channels.state.js';
import {
  CreateChannel,
  decideCreateChannel,
  type NewChannel,
} from '../../../src/features/channels/domain/create-channel.js';
import { creationFacts } from '../../support/events/channels.js';
import { channelData, channelPermissions } from '../../support/events/events.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const facts = creationFacts();

const created = (channelId: number, name: string, changes: Partial<ReturnType<typeof channelData>> = {}) =>
  ({ type: 'ChannelCreated', data: channelData(channelId, { name, ...changes }) }) as const satisfies ChannelEvent;

const create = (changes: Partial<NewChannel> = {}) =>
  new CreateChannel({
    channel: {
      name: 'design',
      description: 'd',
      inviteOnly: false,
      historyPublicToSubscribers: null,
      subscriberIds: [1],
      ...changes,
    },
    creatorId: 1,
    by,
  });

describe('creating a channel', () => {
  it('gives the next id and names its first subscribers', () => {
    given(channels, [created(4, 'general')])
      .when(decideCreateChannel, create(), facts)
      .then([created(5, 'design')]);
  });

  it('drops white space around the name, line breaks of the description, and subscribers named twice', () => {
    given(channels, [])
      .when(
        decideCreateChannel,
        create({ name: '  design ', description: 'a\r\nb\nc', subscriberIds: [2, 1, 2] }),
        facts,
      )
      .then([
        created(1, 'design', { description: 'a b c', renderedDescription: '<p>a b c</p>', subscriberIds: [2, 1] }),
      ]);
  });

  it.each(['design', 'DESIGN', ' Design '])('refuses a name in use, in any case: %j', (name) => {
    given(channels, [created(1, 'Design')])
      .when(decideCreateChannel, create({ name }), facts)
      .thenRefuses('CHANNEL_ALREADY_EXISTS', { name: name.trim() });
  });

  it('treats composed and decomposed Unicode as the same name', () => {
    given(channels, [created(1, 'caf\u00e9')])
      .when(decideCreateChannel, create({ name: 'cafe\u0301' }), facts)
      .thenRefuses('CHANNEL_ALREADY_EXISTS');
  });

  it('refuses the name of an archived channel, and accepts the former name of a renamed one', () => {
    const renamed = { type: 'ChannelRenamed', data: { channelId: 2, from: 'Design', to: 'art' } } as const;
    const archived = { type: 'ChannelArchived', data: { channelId: 1 } } as const;
    given(channels, [created(1, 'old'), created(2, 'Design'), renamed, archived])
      .when(decideCreateChannel, create({ name: 'OLD' }), facts)
      .thenRefuses('CHANNEL_ALREADY_EXISTS');
    given(channels, [created(1, 'old'), created(2, 'Design'), renamed, archived])
      .when(decideCreateChannel, create({ name: 'Art' }), facts)
      .thenRefuses('CHANNEL_ALREADY_EXISTS');
    given(channels, [created(1, 'old'), created(2, 'Design'), renamed, archived])
      .when(decideCreateChannel, create(), facts)
      .then([created(3, 'design')]);
  });

  it.each([
    [false, null, true],
    [false, false, true],
    [true, null, false],
    [true, false, false],
    [true, true, true],
  ])('with private %s and shared history %s sets shared history to %s', (inviteOnly, asked, told) => {
    given(channels, [])
      .when(decideCreateChannel, create({ inviteOnly, historyPublicToSubscribers: asked }), facts)
      .then([created(1, 'design', { inviteOnly, historyPublicToSubscribers: told })]);
  });

  it('accepts all settings that the creator gives', () => {
    const permissions = {
      can_send_message_group: { direct_members: [3, 2, 3], direct_subgroups: [] },
      can_subscribe_group: { direct_members: [], direct_subgroups: [20] },
    };
    given(channels, [])
      .when(
        decideCreateChannel,
        create({ topicsPolicy: 'empty_topic_only', messageRetentionDays: -1, permissions }),
        facts,
      )
      .then([
        created(1, 'design', {
          topicsPolicy: 'empty_topic_only',
          messageRetentionDays: -1,
          permissions: channelPermissions({
            can_send_message_group: { direct_members: [2, 3], direct_subgroups: [] },
            can_subscribe_group: 20,
          }),
        }),
      ]);
  });

  it.each<[Partial<NewChannel>, string]>([
    [{ name: ' ' }, 'CHANNEL_NAME_EMPTY'],
    [{ name: 'x'.repeat(61) }, 'CHANNEL_NAME_TOO_LONG'],
    [{ name: '\u200b\u202e' }, 'CHANNEL_NAME_EMPTY'],
    [{ name: 'a\u0000b' }, 'CHANNEL_NAME_INVALID'],
    [{ name: 'a\u0378b' }, 'CHANNEL_NAME_INVALID'],
    [{ description: 'x'.repeat(1025) }, 'CHANNEL_DESCRIPTION_TOO_LONG'],
    [{ webPublic: true }, 'WEB_PUBLIC_CHANNELS_OFF'],
    [{ subscriberIds: [1, 9] }, 'PRINCIPAL_DEACTIVATED'],
    [{ subscriberIds: [1, 10] }, 'INVALID_USER_ID'],
    [{ permissions: { can_send_message_group: 99 } }, 'SETTING_GROUP_UNKNOWN'],
    [{ permissions: { can_send_message_group: 21 } }, 'SETTING_GROUP_DEACTIVATED'],
    [
      { permissions: { can_send_message_group: { direct_members: [9], direct_subgroups: [] } } },
      'SETTING_USER_UNKNOWN',
    ],
    [{ permissions: { can_administer_channel_group: SYSTEM_GROUP_IDS['role:everyone'] } }, 'SETTING_GROUP_NOT_ALLOWED'],
  ])('refuses %j', (changes, code) => {
    given(channels, []).when(decideCreateChannel, create(changes), facts).thenRefuses(code);
  });

  it.each<[Partial<NewChannel>, Parameters<typeof creationFacts>[0], string]>([
    [{}, { mayCreate: false }, 'NOT_AUTHORIZED'],
    [{ messageRetentionDays: 30 }, { maySetRetention: false }, 'OWNER_REQUIRED'],
    [{ topicsPolicy: 'disable_empty_topic' }, { maySetTopicsPolicy: false }, 'NOT_AUTHORIZED'],
    [{ permissions: { can_delete_any_message_group: 20 } }, { maySetDeletePolicy: false }, 'NOT_AUTHORIZED'],
    [{ permissions: { can_delete_own_message_group: 20 } }, { maySetDeletePolicy: false }, 'NOT_AUTHORIZED'],
  ])('refuses %j to callers without the right %j', (changes, not, code) => {
    given(channels, []).when(decideCreateChannel, create(changes), creationFacts(not)).thenRefuses(code);
  });

  it('needs no permission for default values', () => {
    const permissions = { can_delete_any_message_group: SYSTEM_GROUP_IDS['role:nobody'] };
    const not = { maySetRetention: false, maySetTopicsPolicy: false, maySetDeletePolicy: false };
    given(channels, [])
      .when(
        decideCreateChannel,
        create({ messageRetentionDays: null, topicsPolicy: 'inherit', permissions }),
        creationFacts(not),
      )
      .then([created(1, 'design')]);
  });
});

describe('the state of the channels', () => {
  it('has the last value of every setting', () => {
    const { state } = given(channels, [
      created(1, 'design'),
      { type: 'ChannelRenamed', data: { channelId: 1, from: 'design', to: 'Art' } },
      {
        type: 'ChannelDescriptionChanged',
        data: { channelId: 1, from: 'd', to: 'e', renderedDescription: '<p>e</p>' },
      },
      {
        type: 'ChannelPrivacyChanged',
        data: {
          channelId: 1,
          from: { inviteOnly: false, historyPublicToSubscribers: true },
          to: { inviteOnly: true, historyPublicToSubscribers: false },
        },
      },
      {
        type: 'ChannelPermissionChanged',
        data: { channelId: 1, setting: 'can_send_message_group', from: 2, to: 5 },
      },
      { type: 'ChannelTopicsPolicyChanged', data: { channelId: 1, from: 'inherit', to: 'allow_empty_topic' } },
      { type: 'ChannelRetentionChanged', data: { channelId: 1, from: null, to: 7 } },
      { type: 'ChannelArchived', data: { channelId: 1 } },
    ]);
    expect(state.byId.get(1)).toEqual({
      status: 'archived',
      name: 'Art',
      description: 'e',
      inviteOnly: true,
      historyPublicToSubscribers: false,
      topicsPolicy: 'allow_empty_topic',
      messageRetentionDays: 7,
      folderId: null,
      permissions: channelPermissions({ can_send_message_group: 5 }),
    });
    expect(state.idByName.toObject()).toEqual({ art: 1 });
  });

  it('has every channel permission', () => {
    const { state } = given(channels, [created(1, 'design')]);
    expect(Object.keys(state.byId.get(1)?.permissions ?? {})).toEqual(Object.keys(CHANNEL_PERMISSIONS));
  });
});

describe('the retention of messages', () => {
  it.each([
    ['unlimited', -1],
    ['realm_default', null],
  ])('reads %j as %j days', (said, days) => {
    expect(retentionDays(said)).toBe(days);
  });

  it.each([30, '30', 1])('refuses %j days', (said) => {
    expect(() => retentionDays(said)).toThrow('RETENTION_LIMITED');
  });

  it.each([0, -1, '-1', 'forever', '', '1.5', '1e3', 10 ** 9, 'constructor'])('refuses %j', (said) => {
    expect(() => retentionDays(said)).toThrow('RETENTION_INVALID');
  });
});
