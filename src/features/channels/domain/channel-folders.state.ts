import type { ChannelFolderEvent } from '../../../events/channels/channel-folders.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';

export interface ChannelFolderState {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly status: 'active' | 'archived';
}

/** The folders after an event, in order of display. */
export function foldersAfter(
  folders: readonly ChannelFolderState[],
  event: ChannelFolderEvent,
): readonly ChannelFolderState[] {
  switch (event.type) {
    case 'ChannelFolderCreated': {
      const { folderId: id, name, description } = event.data;
      return [...folders, { id, name, description, status: 'active' }];
    }
    case 'ChannelFolderRenamed':
      return altered(folders, event.data.folderId, { name: event.data.to });
    case 'ChannelFolderDescriptionChanged':
      return altered(folders, event.data.folderId, { description: event.data.to });
    case 'ChannelFolderArchived':
      return altered(folders, event.data.folderId, { status: 'archived' });
    case 'ChannelFolderUnarchived':
      return altered(folders, event.data.folderId, { status: 'active' });
    case 'ChannelFoldersReordered':
      return event.data.to.flatMap((id) => folders.find((one) => one.id === id) ?? []);
    default:
      event satisfies never;
      return folders;
  }
}

const altered = (
  folders: readonly ChannelFolderState[],
  folderId: number,
  change: Partial<ChannelFolderState>,
): readonly ChannelFolderState[] => folders.map((one) => (one.id === folderId ? { ...one, ...change } : one));

/** Finds a folder that channels can be put in. Refuses with CHANNEL_FOLDER_NOT_FOUND, CHANNEL_FOLDER_ARCHIVED. */
export function folderForChannels(folderId: number, folders: readonly ChannelFolderState[]): ChannelFolderState {
  const folder = folders.find(({ id }) => id === folderId) ?? refuse('CHANNEL_FOLDER_NOT_FOUND');
  return folder.status === 'archived' ? refuse('CHANNEL_FOLDER_ARCHIVED') : folder;
}
