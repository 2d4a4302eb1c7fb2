import type { ChannelFolderRecord } from './directory.records.js';

/** The published ChannelFolder. */
export interface ChannelFolderForClients {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly rendered_description: string;
  /** Unix seconds. */
  readonly date_created: number;
  readonly creator_id: number;
  readonly is_archived: boolean;
  /** From 0. */
  readonly order: number;
}

/** @param folders all of them, in order of display */
export const channelFoldersForClients = (folders: readonly ChannelFolderRecord[] = []): ChannelFolderForClients[] =>
  folders.map((folder, order) => ({
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: folder.renderedDescription,
    date_created: Math.floor(folder.createdAt / 1000),
    creator_id: folder.creatorId,
    is_archived: folder.isArchived,
    order,
  }));
