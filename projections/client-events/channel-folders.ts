import {
  type ChannelFolderForClients,
  channelFoldersForClients,
} from '../../src/directory/channel-folders-for-clients.js';
import type { ChannelFolderEvent } from '../../src/events/channels/channel-folders.events.js';
import { EVERYONE, staticClientEvent } from './client-event.js';
import type { ClientEventRules } from './directory-rules.js';

type FolderChange = Partial<
  Pick<ChannelFolderForClients, 'name' | 'description' | 'rendered_description' | 'is_archived'>
>;

export const channelFolderAdd = staticClientEvent<{ readonly channel_folder: ChannelFolderForClients }>()({
  kind: 'channel_folder/add',
  rank: 1024,
});

export const channelFolderUpdate = staticClientEvent<{
  readonly channel_folder_id: number;
  readonly data: FolderChange;
}>()({ kind: 'channel_folder/update', rank: 1024 });

export const channelFolderReorder = staticClientEvent<{ readonly order: readonly number[] }>()({
  kind: 'channel_folder/reorder',
  rank: 1024,
});

const updated = (event: Parameters<typeof channelFolderUpdate.of>[0], channel_folder_id: number, data: FolderChange) =>
  [channelFolderUpdate.of(event, EVERYONE, { channel_folder_id, data })] as const;

export const channelFolderRules: ClientEventRules<ChannelFolderEvent> = {
  ChannelFolderCreated: (event, after) => {
    const folders = channelFoldersForClients(after('organization', 'organization').channelFolders);
    const created = folders.filter(({ id }) => id === event.data.folderId);
    return created.map((channel_folder) => channelFolderAdd.of(event, EVERYONE, { channel_folder }));
  },
  ChannelFolderRenamed: (event) => updated(event, event.data.folderId, { name: event.data.to }),
  ChannelFolderDescriptionChanged: (event) => {
    const { folderId, to: description, renderedDescription: rendered_description } = event.data;
    return updated(event, folderId, { description, rendered_description });
  },
  ChannelFolderArchived: (event) => updated(event, event.data.folderId, { is_archived: true }),
  ChannelFolderUnarchived: (event) => updated(event, event.data.folderId, { is_archived: false }),
  ChannelFoldersReordered: (event) => [channelFolderReorder.of(event, EVERYONE, { order: event.data.to })],
};
