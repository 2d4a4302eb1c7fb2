import type {
  ChannelFolderCreated,
  ChannelFolderEvent,
  ChannelFoldersReordered,
} from '../../../events/channels/channel-folders.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase, isBlank } from '../../../platform/kernel/text.js';
import type { ChannelFolderState } from '../../channels/domain/channel-folders.state.js';
import type { ChannelsState } from '../../channels/domain/channels.state.js';
import { newOrder } from '../../organization/domain/organization.js';

/** In Unicode code points; `max_channel_folder_name_length` and `…_description_length` of the register response. */
export const MAX_FOLDER_NAME = 60;
export const MAX_FOLDER_DESCRIPTION = 1024;

/** Archived folders count, too. */
const MAX_FOLDERS = 1000;

export class CreateChannelFolder extends Command<{ name: string; description: string; creatorId: number }, number> {}

/** Absent fields stay as they are. */
export class ChangeChannelFolder extends Command<{
  folderId: number;
  changes: {
    readonly name?: string | undefined;
    readonly description?: string | undefined;
    readonly isArchived?: boolean | undefined;
  };
}> {}

export class ReorderChannelFolders extends Command<{
  /** Ids of all folders, archived ones too, in the new order of display. */
  order: readonly number[];
}> {}

export interface FolderFacts {
  readonly mayAdminister: boolean;
  readonly render: (description: string) => string;
}

export const decideCreateChannelFolder: Decide<
  CreateChannelFolder,
  ChannelsState,
  ChannelFolderCreated,
  FolderFacts
> = (command, { folders }, { mayAdminister, render }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const name = folderName(command.name);
  const description = folderDescription(command.description);
  requireFree(name, folders);
  if (folders.length >= MAX_FOLDERS) refuse('TOO_MANY_CHANNEL_FOLDERS', { limit: MAX_FOLDERS });
  const folderId = Math.max(0, ...folders.map(({ id }) => id)) + 1;
  const { creatorId } = command;
  return [
    {
      type: 'ChannelFolderCreated',
      data: { folderId, name, description, renderedDescription: render(description), creatorId },
    },
  ];
};

/** A folder that is archived has no channels. Names are unique among the folders that are not archived. */
export const decideChangeChannelFolder: Decide<ChangeChannelFolder, ChannelsState, ChannelFolderEvent, FolderFacts> = (
  { folderId, changes },
  { folders, byId },
  { mayAdminister, render },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const folder = folders.find(({ id }) => id === folderId) ?? refuse('CHANNEL_FOLDER_NOT_FOUND');
  const name = changes.name === undefined ? folder.name : folderName(changes.name);
  const description = changes.description === undefined ? folder.description : folderDescription(changes.description);
  const wasArchived = folder.status === 'archived';
  const isArchived = changes.isArchived ?? wasArchived;
  const isUsed = isArchived && !wasArchived && byId.some((channel) => channel.folderId === folderId);

  if (isUsed) refuse('CHANNEL_FOLDER_NOT_EMPTY');
  if (!isArchived && (wasArchived || name !== folder.name)) requireFree(name, folders, folderId);
  const events: ChannelFolderEvent[] = [];
  if (name !== folder.name)
    events.push({ type: 'ChannelFolderRenamed', data: { folderId, from: folder.name, to: name } });
  if (description !== folder.description) {
    const data = { folderId, from: folder.description, to: description, renderedDescription: render(description) };
    events.push({ type: 'ChannelFolderDescriptionChanged', data });
  }
  if (isArchived !== wasArchived)
    events.push({ type: isArchived ? 'ChannelFolderArchived' : 'ChannelFolderUnarchived', data: { folderId, name } });
  return events;
};

export const decideReorderChannelFolders: Decide<
  ReorderChannelFolders,
  ChannelsState,
  ChannelFoldersReordered,
  Pick<FolderFacts, 'mayAdminister'>
> = ({ order }, { folders }, { mayAdminister }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const change = newOrder(folders, order);
  if (change === 'invalid') return refuse('CHANNEL_FOLDER_ORDER_INVALID');
  if (change === 'same') return [];
  return [{ type: 'ChannelFoldersReordered', data: { from: change.from, to: change.to } }];
};

/** The name as stored. Refuses with CHANNEL_FOLDER_NAME_EMPTY, CHANNEL_FOLDER_NAME_TOO_LONG, CHANNEL_FOLDER_NAME_INVALID. */
function folderName(said: string): string {
  const name = said.trim();
  if (isBlank(name)) refuse('CHANNEL_FOLDER_NAME_EMPTY');
  if ([...name].length > MAX_FOLDER_NAME) refuse('CHANNEL_FOLDER_NAME_TOO_LONG', { limit: MAX_FOLDER_NAME });
  if (/\p{Cc}|\p{Cn}/u.test(name)) refuse('CHANNEL_FOLDER_NAME_INVALID');
  return name;
}

function folderDescription(said: string): string {
  if ([...said].length > MAX_FOLDER_DESCRIPTION)
    refuse('CHANNEL_FOLDER_DESCRIPTION_TOO_LONG', { limit: MAX_FOLDER_DESCRIPTION });
  return said;
}

/** @param except the folder that is to have the name */
function requireFree(name: string, folders: readonly ChannelFolderState[], except?: number): void {
  const isTaken = folders.some(
    (folder) => folder.id !== except && folder.status === 'active' && foldCase(folder.name) === foldCase(name),
  );
  if (isTaken) refuse('CHANNEL_FOLDER_NAME_TAKEN');
}
