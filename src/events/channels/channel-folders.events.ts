import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsNobody } from '../shared/concerned.js';

// Folders are in the stream of the channels, so that no channel is put in a folder while the folder is archived.

/** There is another folder for channels. */
export type ChannelFolderCreated = DomainEvent<
  'ChannelFolderCreated',
  {
    readonly folderId: number;
    readonly name: string;
    readonly description: string;
    readonly renderedDescription: string;
    readonly creatorId: number;
  }
>;

/** A folder has another name. */
export type ChannelFolderRenamed = DomainEvent<
  'ChannelFolderRenamed',
  { readonly folderId: number; readonly from: string; readonly to: string }
>;

/** A folder has another description. */
export type ChannelFolderDescriptionChanged = DomainEvent<
  'ChannelFolderDescriptionChanged',
  { readonly folderId: number; readonly from: string; readonly to: string; readonly renderedDescription: string }
>;

/** Channels are no longer put in the folder. `name` is the folder's, for those who read the log. */
export type ChannelFolderArchived = DomainEvent<
  'ChannelFolderArchived',
  { readonly folderId: number; readonly name: string }
>;

/** An archived folder can be used again. */
export type ChannelFolderUnarchived = DomainEvent<
  'ChannelFolderUnarchived',
  { readonly folderId: number; readonly name: string }
>;

/** Folders are shown in another order. Ids of all folders, archived ones too. */
export type ChannelFoldersReordered = DomainEvent<
  'ChannelFoldersReordered',
  { readonly from: readonly number[]; readonly to: readonly number[] }
>;

export type ChannelFolderEvent =
  | ChannelFolderCreated
  | ChannelFolderRenamed
  | ChannelFolderDescriptionChanged
  | ChannelFolderArchived
  | ChannelFolderUnarchived
  | ChannelFoldersReordered;

export const channelFolderEvents = [
  defineEvent<ChannelFolderCreated>({
    type: 'ChannelFolderCreated',
    concerns: ({ data: { creatorId } }) => ({ userIds: [creatorId] }),
  }),
  defineEvent<ChannelFolderRenamed>({ type: 'ChannelFolderRenamed', concerns: concernsNobody }),
  defineEvent<ChannelFolderDescriptionChanged>({ type: 'ChannelFolderDescriptionChanged', concerns: concernsNobody }),
  defineEvent<ChannelFolderArchived>({ type: 'ChannelFolderArchived', concerns: concernsNobody }),
  defineEvent<ChannelFolderUnarchived>({ type: 'ChannelFolderUnarchived', concerns: concernsNobody }),
  defineEvent<ChannelFoldersReordered>({ type: 'ChannelFoldersReordered', concerns: concernsNobody }),
];
