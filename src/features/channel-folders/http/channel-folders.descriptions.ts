import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';

const NAME = '1 to 60 characters. No other folder that is not archived has it in any case';
const DESCRIPTION = 'at most 1,024 characters of Markdown';

const LIST: Description = {
  summary: 'List the folders of channels, in their order.',
  parameters: { include_archived: 'Whether archived folders are listed, too. Default false' },
};

const CREATE: Description = {
  summary: 'Create a folder for channels.',
  text: 'For administrators. An organization has at most 1,000 folders, archived ones too.',
  parameters: {
    name: `The name: ${NAME}`,
    description: `What the folder is for, ${DESCRIPTION}. Default: empty`,
  },
};

const UPDATE: Description = {
  summary: 'Change the name or description of a folder of channels, archive it, or bring it back.',
  text: 'For administrators. Makes all changes, or none.',
  parameters: {
    channel_folder_id: 'The id of the folder',
    name: `The new name: ${NAME}`,
    description: `The new description, ${DESCRIPTION}`,
    is_archived: 'true archives the folder, which has no channels then; false brings it back',
  },
};

const REORDER: Description = {
  summary: 'Put the folders of channels into another order.',
  text: 'For administrators.',
  parameters: { order: 'The ids of all folders, archived ones too, each once, in the new order' },
};

export const descriptions: Descriptions = {
  'GET /channel_folders': LIST,
  'PATCH /channel_folders': REORDER,
  'POST /channel_folders/create': CREATE,
  'PATCH /channel_folders/{channel_folder_id}': UPDATE,
};
