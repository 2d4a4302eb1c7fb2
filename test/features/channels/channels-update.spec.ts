import { describe, it } from '@jest/globals';
import type { ChannelEvent } from '../../../src/events/channels/channels.events.js';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { channels } from '../../../src/features/channels/domain/channels.state.js';
import {
  ArchiveChannel,
  type ChannelChanges,
  decideArchiveChannel,
  decideUpdateChannel,
  UpdateChannel,
} from '../../../src/features/channels/domain/update-channel.js';
import { updateFacts } from '../../support/events/channels.js';
import { channelData } from '../../support/events/events.js';
import { given } from '../../support/events/given.js';

const {
  'role:nobody': NOBODY,
  'role:moderators': MODERATORS,
  'role:everyone': EVERYONE,
  'role:administrators': ADMINISTRATORS,
} = SYSTEM_GROUP_IDS;

const by = { actorId: 1, client: 'test', correlationId: 'c' };

const PUBLIC = { inviteOnly: false, historyPublicToSubscribers: true };
const SHARED = { inviteOnly: true, historyPublicToSubscribers: true };
const PROTECTED = { inviteOnly: true, historyPublicToSubscribers: false };

const created = (channelId: number, changes: Partial<ReturnType<typeof channelData>> = {}): ChannelEvent => ({
  type: 'ChannelCreated',
  data: channelData(channelId, { name: `channel ${channelId}`, ...changes }),
});
const archived: ChannelEvent = { type: 'ChannelArchived', data: { channelId: 1 } };

const update = (changes: ChannelChanges, channelId = 1) => new UpdateChannel({ channelId, changes, by });

const when = (
  history: readonly ChannelEvent[],
  changes: ChannelChanges,
  facts: Parameters<typeof updateFacts>[0] = {},
) => given(channels, history).when(decideUpdateChannel, update(changes), updateFacts(facts));

const changed = <Type extends ChannelEvent['type']>(
  type: Type,
  data: Omit<Extract<ChannelEvent, { type: Type }>['data'], 'channelId'>,
): ChannelEvent => ({ type, data: { channelId: 1, ...data } }) as unknown as ChannelEvent;

describe('changing a channel', () => {
  it('is refused with the same code for missing and hidden channels', () => {
    when([], { name: 'x' }).thenRefuses('INVALID_CHANNEL_ID');
    when([created(1)], { name: 'x' }, { maySee: false }).thenRefuses('INVALID_CHANNEL_ID');
    when([created(1)], { name: 'x' }, { mayAdminister: false }).thenRefuses('CANNOT_ADMINISTER_CHANNEL');
  });

  it('is refused without permission, also when nothing would change', () => {
    when([created(1)], {}, { mayAdminister: false }).thenRefuses('CANNOT_ADMINISTER_CHANNEL');
  });

  it('accepts all changes at once, with one event for each', () => {
    when([created(1)], {
      name: ' Art ',
      description: 'e\nf',
      inviteOnly: true,
      messageRetentionDays: 7,
      topicsPolicy: 'disable_empty_topic',
      permissions: { can_send_message_group: { new: MODERATORS, old: EVERYONE } },
    }).then([
      changed('ChannelPrivacyChanged', { from: PUBLIC, to: PROTECTED }),
      changed('ChannelRetentionChanged', { from: null, to: 7 }),
      changed('ChannelTopicsPolicyChanged', { from: 'inherit', to: 'disable_empty_topic' }),
      changed('ChannelDescriptionChanged', { from: 'd', to: 'e f', renderedDescription: '<p>e f</p>' }),
      changed('ChannelRenamed', { from: 'channel 1', to: 'Art' }),
      changed('ChannelPermissionChanged', { setting: 'can_send_message_group', from: EVERYONE, to: MODERATORS }),
    ]);
  });

  it('appends nothing when nothing changes', () => {
    when([created(1)], {}).thenNothing();
    when([created(1)], {
      name: ' channel 1',
      description: 'd',
      inviteOnly: false,
      webPublic: false,
      historyPublicToSubscribers: true,
      messageRetentionDays: null,
      topicsPolicy: 'inherit',
      isArchived: false,
      permissions: { can_send_message_group: { new: EVERYONE } },
    }).thenNothing();
  });

  it('needs no permission for values that do not change', () => {
    const nothing = {
      mayRead: false,
      mayCreatePublic: false,
      mayCreatePrivate: false,
      maySetRetention: false,
      maySetTopicsPolicy: false,
      maySetDeletePolicy: false,
    };
    when(
      [created(1)],
      { inviteOnly: false, messageRetentionDays: null, topicsPolicy: 'inherit' },
      nothing,
    ).thenNothing();
    when([created(1)], { name: 'Art' }, nothing).then([changed('ChannelRenamed', { from: 'channel 1', to: 'Art' })]);
  });

  describe('the name', () => {
    it('may change in its case alone', () => {
      when([created(1)], { name: 'CHANNEL 1' }).then([
        changed('ChannelRenamed', { from: 'channel 1', to: 'CHANNEL 1' }),
      ]);
    });

    it.each(['channel 2', 'Channel 2 ', 'CHANNEL 2'])('may not be the name of another channel: %j', (name) => {
      when([created(1), created(2)], { name }).thenRefuses('CHANNEL_ALREADY_EXISTS', { name: name.trim() });
    });

    it('may not be the name of an archived channel, but a name that is free again', () => {
      const other: ChannelEvent = { type: 'ChannelArchived', data: { channelId: 2 } };
      when([created(1), created(2), other], { name: 'Channel 2' }).thenRefuses('CHANNEL_ALREADY_EXISTS');
      const renamed: ChannelEvent = { type: 'ChannelRenamed', data: { channelId: 2, from: 'channel 2', to: 'x' } };
      when([created(1), created(2), renamed], { name: 'Channel 2' }).then([
        changed('ChannelRenamed', { from: 'channel 1', to: 'Channel 2' }),
      ]);
    });

    it.each([
      ['', 'CHANNEL_NAME_EMPTY'],
      ['  ', 'CHANNEL_NAME_EMPTY'],
      ['x'.repeat(61), 'CHANNEL_NAME_TOO_LONG'],
      ['a\tb', 'CHANNEL_NAME_INVALID'],
    ])('is refused: %j', (name, code) => {
      when([created(1)], { name }).thenRefuses(code);
    });
  });

  it('limits the description, in code points', () => {
    when([created(1)], { description: '🎨'.repeat(1025) }).thenRefuses('CHANNEL_DESCRIPTION_TOO_LONG');
    const description = '🎨'.repeat(1024);
    const renderedDescription = `<p>${description}</p>`;
    when([created(1)], { description }).then([
      changed('ChannelDescriptionChanged', { from: 'd', to: description, renderedDescription }),
    ]);
  });

  describe('the privacy', () => {
    it.each([
      [PUBLIC, { inviteOnly: true }, PROTECTED],
      [PUBLIC, { inviteOnly: true, historyPublicToSubscribers: true }, SHARED],
      [SHARED, { inviteOnly: false }, PUBLIC],
      [PROTECTED, { inviteOnly: false }, PUBLIC],
      [PROTECTED, { historyPublicToSubscribers: true }, SHARED],
      [SHARED, { historyPublicToSubscribers: false }, PROTECTED],
      [SHARED, { inviteOnly: true, historyPublicToSubscribers: false }, PROTECTED],
    ])('changes from %j by %j', (from, changes, to) => {
      when([created(1, from)], changes).then([changed('ChannelPrivacyChanged', { from, to })]);
    });

    it.each([
      [SHARED, { inviteOnly: true }],
      [PROTECTED, { inviteOnly: true }],
      [PROTECTED, { historyPublicToSubscribers: false }],
      [PUBLIC, { historyPublicToSubscribers: true }],
    ])('stays %j by %j', (from, changes) => {
      when([created(1, from)], changes).thenNothing();
    });

    it.each<[typeof PUBLIC, ChannelChanges, Parameters<typeof updateFacts>[0], string]>([
      [PUBLIC, { historyPublicToSubscribers: false }, {}, 'CHANNEL_CHANGE_INVALID'],
      [PROTECTED, { inviteOnly: false, historyPublicToSubscribers: false }, {}, 'CHANNEL_CHANGE_INVALID'],
      [PUBLIC, { webPublic: true }, {}, 'WEB_PUBLIC_CHANNELS_OFF'],
      [PUBLIC, { webPublic: true, inviteOnly: true }, {}, 'CHANNEL_CHANGE_INVALID'],
      [PROTECTED, { inviteOnly: false }, { mayRead: false }, 'CHANNEL_CONTENT_OUT_OF_REACH'],
      [PROTECTED, { historyPublicToSubscribers: true }, { mayRead: false }, 'CHANNEL_CONTENT_OUT_OF_REACH'],
      [PROTECTED, { inviteOnly: false }, { mayCreatePublic: false }, 'NOT_AUTHORIZED'],
      [PUBLIC, { inviteOnly: true }, { mayCreatePrivate: false }, 'NOT_AUTHORIZED'],
      [PUBLIC, { inviteOnly: true }, { isDefault: true }, 'CHANNEL_IS_DEFAULT'],
      [PUBLIC, { inviteOnly: true, isDefault: true }, {}, 'CHANNEL_IS_DEFAULT'],
      [PROTECTED, { isDefault: true }, {}, 'CHANNEL_IS_DEFAULT'],
      [PUBLIC, { isDefault: true }, { mayMakeDefault: false }, 'ADMINISTRATOR_REQUIRED'],
      [PUBLIC, { isDefault: false }, { mayMakeDefault: false }, 'ADMINISTRATOR_REQUIRED'],
      [PROTECTED, { inviteOnly: false }, { takesReports: true }, 'CHANNEL_TAKES_REPORTS'],
    ])('of %j is not changed by %j under the facts %j', (from, changes, facts, code) => {
      when([created(1, from)], changes, facts).thenRefuses(code);
    });

    it('may change together with the default channels', () => {
      when([created(1)], { inviteOnly: true, isDefault: false }, { isDefault: true }).then([
        changed('ChannelPrivacyChanged', { from: PUBLIC, to: PROTECTED }),
      ]);
      when([created(1), archived], { isDefault: true }).thenRefuses('CHANNEL_ARCHIVED');
      when([created(1), archived], { isDefault: true, isArchived: false }).then([changed('ChannelUnarchived', {})]);
    });

    it('can change without a permission to create, if the channel stays private', () => {
      when([created(1, PROTECTED)], { historyPublicToSubscribers: true }, { mayCreatePrivate: false }).then([
        changed('ChannelPrivacyChanged', { from: PROTECTED, to: SHARED }),
      ]);
    });
  });

  it('changes the retention for owners only', () => {
    when([created(1)], { messageRetentionDays: -1 }).then([changed('ChannelRetentionChanged', { from: null, to: -1 })]);
    when([created(1, { messageRetentionDays: 7 })], { messageRetentionDays: null }).then([
      changed('ChannelRetentionChanged', { from: 7, to: null }),
    ]);
    when([created(1)], { messageRetentionDays: 7 }, { maySetRetention: false }).thenRefuses('OWNER_REQUIRED');
  });

  it('changes the topics policy with permission, and to the empty topic only if there is no other topic', () => {
    const to = 'empty_topic_only' as const;
    when([created(1)], { topicsPolicy: to }).then([changed('ChannelTopicsPolicyChanged', { from: 'inherit', to })]);
    when([created(1)], { topicsPolicy: to }, { hasTopics: true }).thenRefuses('CHANNEL_HAS_TOPICS');
    when([created(1)], { topicsPolicy: to }, { maySetTopicsPolicy: false }).thenRefuses('NOT_AUTHORIZED');
  });

  describe('the permissions', () => {
    it('are compared with the old value that the client gives', () => {
      const stale = { can_send_message_group: { new: MODERATORS, old: NOBODY } };
      when([created(1)], { permissions: stale }).thenRefuses('EXPECTATION_MISMATCH');
      const silent = { can_send_message_group: { new: MODERATORS, old: null } };
      when([created(1)], { permissions: silent }).then([
        changed('ChannelPermissionChanged', { setting: 'can_send_message_group', from: EVERYONE, to: MODERATORS }),
      ]);
    });

    it('are stored in a normalized form', () => {
      const permissions = {
        can_subscribe_group: { new: { direct_members: [], direct_subgroups: [20] } },
        can_send_message_group: { new: { direct_members: [3, 2, 2], direct_subgroups: [20] } },
      };
      when([created(1)], { permissions }).then([
        changed('ChannelPermissionChanged', {
          setting: 'can_send_message_group',
          from: EVERYONE,
          to: { direct_members: [2, 3], direct_subgroups: [20] },
        }),
        changed('ChannelPermissionChanged', { setting: 'can_subscribe_group', from: NOBODY, to: 20 }),
      ]);
    });

    it.each([
      ['can_add_subscribers_group', 'mayRead', 'CHANNEL_CONTENT_OUT_OF_REACH'],
      ['can_subscribe_group', 'mayRead', 'CHANNEL_CONTENT_OUT_OF_REACH'],
      ['can_delete_any_message_group', 'maySetDeletePolicy', 'NOT_AUTHORIZED'],
      ['can_delete_own_message_group', 'maySetDeletePolicy', 'NOT_AUTHORIZED'],
    ] as const)('include %s, which needs more than the right to administer: %s', (setting, needed, code) => {
      const permissions = { [setting]: { new: MODERATORS } };
      const not = { mayRead: true, maySetDeletePolicy: true, [needed]: false };
      when([created(1)], { permissions }, not).thenRefuses(code);
      const only = { mayRead: false, maySetDeletePolicy: false, [needed]: true };
      when([created(1)], { permissions }, only).then([
        changed('ChannelPermissionChanged', { setting, from: NOBODY, to: MODERATORS }),
      ]);
    });

    it.each([
      ['can_administer_channel_group', { direct_members: [1], direct_subgroups: [] }],
      ['can_move_messages_out_of_channel_group', NOBODY],
      ['can_move_messages_within_channel_group', NOBODY],
      ['can_remove_subscribers_group', ADMINISTRATORS],
      ['can_resolve_topics_group', NOBODY],
      ['can_send_message_group', EVERYONE],
    ] as const)('include %s, which needs only the right to administer', (setting, from) => {
      const not = { mayRead: false, maySetDeletePolicy: false };
      when([created(1)], { permissions: { [setting]: { new: MODERATORS } } }, not).then([
        changed('ChannelPermissionChanged', { setting, from, to: MODERATORS }),
      ]);
    });

    it.each([
      [99, 'SETTING_GROUP_UNKNOWN'],
      [21, 'SETTING_GROUP_DEACTIVATED'],
      [SYSTEM_GROUP_IDS['role:internet'], 'SETTING_GROUP_NOT_ALLOWED'],
      [EVERYONE, 'SETTING_GROUP_NOT_ALLOWED'],
      [{ direct_members: [9], direct_subgroups: [] }, 'SETTING_USER_UNKNOWN'],
    ])('refuse %j', (value, code) => {
      when([created(1)], { permissions: { can_administer_channel_group: { new: value } } }).thenRefuses(code);
    });
  });

  describe('that is archived', () => {
    it('unarchives it together with other changes', () => {
      when([created(1), archived], { isArchived: false, name: 'Back' }).then([
        changed('ChannelUnarchived', {}),
        changed('ChannelRenamed', { from: 'channel 1', to: 'Back' }),
      ]);
    });

    it('refuses to unarchive a private channel without subscribers', () => {
      const facts = { hasSubscribers: false };
      when([created(1, PROTECTED), archived], { isArchived: false }, facts).thenRefuses('CHANNEL_WITHOUT_SUBSCRIBERS');
      when([created(1), archived], { isArchived: false }, facts).then([changed('ChannelUnarchived', {})]);
    });

    it('changes its privacy and name without unarchiving it', () => {
      when([created(1), archived], { inviteOnly: true, name: 'Old' }).then([
        changed('ChannelPrivacyChanged', { from: PUBLIC, to: PROTECTED }),
        changed('ChannelRenamed', { from: 'channel 1', to: 'Old' }),
      ]);
    });

    it('does nothing for isArchived true, which is refused for an active channel', () => {
      when([created(1), archived], { isArchived: true }).thenNothing();
      when([created(1)], { isArchived: true }).thenRefuses('CHANNEL_CHANGE_INVALID');
    });
  });
});

describe('archiving a channel', () => {
  const facts = { maySee: true, mayAdminister: true };
  const archive = new ArchiveChannel({ channelId: 1, by });
  const whenArchiving = (history: readonly ChannelEvent[], changes: Partial<typeof facts> = {}) =>
    given(channels, history).when(decideArchiveChannel, archive, { ...facts, ...changes });

  it('appends one event, once', () => {
    whenArchiving([created(1)]).then([archived]);
    whenArchiving([created(1), archived]).thenNothing();
    whenArchiving([created(1), archived, changed('ChannelUnarchived', {})]).then([archived]);
  });

  it('is allowed to channel administrators, and does not reveal a hidden channel', () => {
    whenArchiving([]).thenRefuses('INVALID_CHANNEL_ID');
    whenArchiving([created(1)], { maySee: false }).thenRefuses('INVALID_CHANNEL_ID');
    whenArchiving([created(1)], { mayAdminister: false }).thenRefuses('CANNOT_ADMINISTER_CHANNEL');
    whenArchiving([created(1), archived], { mayAdminister: false }).thenRefuses('CANNOT_ADMINISTER_CHANNEL');
  });
});
