import type { OrganizationEvent } from '../../events/organization/organization.events.js';
import { ascending, inOrder, replaced, without } from '../../events/organization/organization.settings.js';
import { alters, creates, organization, type Rules } from './rule.js';

export const organizationRules: Rules<OrganizationEvent> = {
  OrganizationCreated: creates(({ data, metadata, position }) => ({
    kind: 'organization',
    record: {
      _id: 'organization',
      createdAt: metadata.at,
      settings: { name: data.name },
      defaultChannelIds: [],
      profileFields: [],
      linkifiers: [],
      playgrounds: [],
      position,
    },
  })),
  RealmSettingChanged: alters('organization', organization, ({ data }, { settings, pastLanguages = [] }) => ({
    settings: { ...settings, [data.setting]: data.to },
    ...(data.setting === 'default_language' && { pastLanguages: [...new Set([...pastLanguages, String(data.from)])] }),
  })),
  DefaultChannelAdded: alters('organization', organization, ({ data }, { defaultChannelIds }) => ({
    defaultChannelIds: ascending([...defaultChannelIds, data.channelId]),
  })),
  DefaultChannelRemoved: alters('organization', organization, ({ data }, { defaultChannelIds }) => ({
    defaultChannelIds: defaultChannelIds.filter((id) => id !== data.channelId),
  })),
  ProfileFieldCreated: alters('organization', organization, ({ data }, { profileFields }) => ({
    profileFields: [...profileFields, data.field],
  })),
  ProfileFieldChanged: alters('organization', organization, ({ data }, { profileFields }) => ({
    profileFields: replaced(profileFields, data.to),
  })),
  ProfileFieldRemoved: alters('organization', organization, ({ data }, { profileFields }) => ({
    profileFields: without(profileFields, data.field.id),
  })),
  ProfileFieldsReordered: alters('organization', organization, ({ data }, { profileFields }) => ({
    profileFields: inOrder(profileFields, data.to),
  })),
  LinkifierAdded: alters('organization', organization, ({ data }, { linkifiers }) => ({
    linkifiers: [...linkifiers, data.linkifier],
  })),
  LinkifierChanged: alters('organization', organization, ({ data }, { linkifiers }) => ({
    linkifiers: replaced(linkifiers, data.to),
  })),
  LinkifierRemoved: alters('organization', organization, ({ data }, { linkifiers }) => ({
    linkifiers: without(linkifiers, data.linkifier.id),
  })),
  LinkifiersReordered: alters('organization', organization, ({ data }, { linkifiers }) => ({
    linkifiers: inOrder(linkifiers, data.to),
  })),
  PlaygroundAdded: alters('organization', organization, ({ data }, { playgrounds }) => ({
    playgrounds: [...playgrounds, data.playground],
  })),
  PlaygroundRemoved: alters('organization', organization, ({ data }, { playgrounds }) => ({
    playgrounds: without(playgrounds, data.playground.id),
  })),
};
