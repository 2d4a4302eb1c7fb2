import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** The organization's channel folders: registered with, and kept up to date by events. */
export class ClientChannelFolders {
  private readonly folders: Map<number, Fields>;

  constructor({ channel_folders = [] }: Fields) {
    this.folders = new Map((channel_folders as Fields[]).map((folder) => [folder.id, { ...folder }]));
  }

  apply({ op, channel_folder, channel_folder_id, data, order }: ClientEvent): void {
    if (op === 'add') this.folders.set(channel_folder.id, { ...channel_folder });
    else if (op === 'update') Object.assign(this.known(channel_folder_id), data);
    else for (const [index, id] of order.entries()) this.known(id).order = index;
  }

  get comparable(): Fields[] {
    return [...this.folders.values()].sort((a, b) => a.order - b.order);
  }

  private known(id: number): Fields {
    const folder = this.folders.get(id);
    if (!folder) throw new Error(`channel folder ${id} changed, and was not told at first`);
    return folder;
  }
}
