import type { ChannelFolderEvent } from '../../events/channels/channel-folders.events.js';
import type { ChannelFolderRecord, OrganizationRecord } from '../directory.records.js';
import { alters, organization, type Rule, type Rules } from './rule.js';

type OfOne = Exclude<ChannelFolderEvent, { type: 'ChannelFolderCreated' | 'ChannelFoldersReordered' }>;

const altersFolder = <E extends OfOne>(change: (data: E['data']) => Partial<ChannelFolderRecord>): Rule<E> =>
  alters<E, 'organization'>('organization', organization, ({ data }, { channelFolders = [] }) => ({
    channelFolders: channelFolders.map((one) => (one.id === data.folderId ? { ...one, ...change(data) } : one)),
  }));

export const channelFolderRules: Rules<ChannelFolderEvent> = {
  ChannelFolderCreated: alters('organization', organization, ({ data, metadata }, { channelFolders = [] }) => {
    const { folderId: id, name, description, renderedDescription, creatorId } = data;
    const folder = { id, name, description, renderedDescription, creatorId, createdAt: metadata.at, isArchived: false };
    return { channelFolders: [...channelFolders, folder] } satisfies Partial<OrganizationRecord>;
  }),
  ChannelFolderRenamed: altersFolder(({ to }) => ({ name: to })),
  ChannelFolderDescriptionChanged: altersFolder(({ to, renderedDescription }) => ({
    description: to,
    renderedDescription,
  })),
  ChannelFolderArchived: altersFolder(() => ({ isArchived: true })),
  ChannelFolderUnarchived: altersFolder(() => ({ isArchived: false })),
  ChannelFoldersReordered: alters('organization', organization, ({ data }, { channelFolders = [] }) => ({
    channelFolders: data.to.flatMap((id) => channelFolders.find((one) => one.id === id) ?? []),
  })),
};
