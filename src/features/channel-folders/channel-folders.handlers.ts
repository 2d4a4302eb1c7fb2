import { type ChannelFolderForClients, channelFoldersForClients } from '../../directory/channel-folders-for-clients.js';
import { Directory } from '../../directory/directory.js';
import { decidesOn, firstOf } from '../../platform/commands/decides-on.js';
import type { CommandContext } from '../../platform/kernel/deciding.js';
import { Query } from '../../platform/kernel/query.js';
import { answersFrom } from '../../platform/read-models/answers-from.js';
import { channelsStream } from '../channels/commands/channels.handlers.js';
import { ReadsState, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { renderMarkdown } from '../markdown/render-markdown.js';
import { administration } from '../organization/commands/organization.handlers.js';
import {
  ChangeChannelFolder,
  CreateChannelFolder,
  decideChangeChannelFolder,
  decideCreateChannelFolder,
  decideReorderChannelFolders,
  type FolderFacts,
  MAX_FOLDER_DESCRIPTION,
  MAX_FOLDER_NAME,
  ReorderChannelFolders,
} from './domain/channel-folders.js';

/** In order of display. */
export class GetChannelFolders extends Query<{ includeArchived: boolean }, readonly ChannelFolderForClients[]> {}

const byAdministrators = {
  stream: channelsStream,
  uses: Directory,
  facts: (command: { readonly by: CommandContext }, directory: Directory): FolderFacts => ({
    ...administration(command, directory),
    render: renderMarkdown,
  }),
} as const;

export const channelFolderHandlers = [
  decidesOn(CreateChannelFolder, {
    ...byAdministrators,
    decide: decideCreateChannelFolder,
    answer: (events) => firstOf(events).data.folderId,
  }),
  decidesOn(ChangeChannelFolder, { ...byAdministrators, decide: decideChangeChannelFolder }),
  decidesOn(ReorderChannelFolders, { ...byAdministrators, decide: decideReorderChannelFolders }),
  answersFrom(GetChannelFolders, Directory, ({ includeArchived }, { organization }) =>
    channelFoldersForClients(organization?.channelFolders).filter((folder) => includeArchived || !folder.is_archived),
  ),
];

const LIMITS = {
  max_channel_folder_name_length: MAX_FOLDER_NAME,
  max_channel_folder_description_length: MAX_FOLDER_DESCRIPTION,
} as const;

/** Archived folders are in the state: clients learn by events that one is archived or restored. */
@ReadsState()
export class ChannelFolderStateReader implements StateReader {
  constructor(private readonly directory: Directory) {}

  parts(): StateParts {
    const { organization } = this.directory;
    return {
      organization: {
        realm: () => LIMITS,
        channel_folders: () => ({ channel_folders: channelFoldersForClients(organization?.channelFolders) }),
      },
    };
  }
}
