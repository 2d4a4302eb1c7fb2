import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const channelFolderRefusals = {
  CHANNEL_FOLDER_NAME_EMPTY: badRequest("Channel folder name can't be empty."),
  CHANNEL_FOLDER_NAME_TOO_LONG: badRequest('name is too long (limit: {limit} characters)'),
  CHANNEL_FOLDER_NAME_INVALID: badRequest('Channel folder name has characters that are not allowed'),
  CHANNEL_FOLDER_NAME_TAKEN: badRequest('Channel folder name already in use'),
  CHANNEL_FOLDER_DESCRIPTION_TOO_LONG: badRequest('description is too long (limit: {limit} characters)'),
  CHANNEL_FOLDER_NOT_EMPTY: badRequest('A channel folder with channels cannot be archived: take them out first.'),
  CHANNEL_FOLDER_ORDER_INVALID: badRequest('Invalid order mapping'),
  TOO_MANY_CHANNEL_FOLDERS: badRequest('Too many channel folders (limit: {limit})'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof channelFolderRefusals> {}
}

export const channelFoldersFeature = {
  name: 'channel-folders',
  refusals: channelFolderRefusals,
  describes: () => import('./http/channel-folders.descriptions.js'),
  api: [() => import('./http/channel-folders.controller.js'), () => import('./channel-folders.handlers.js')],
} as const satisfies Feature;
