import type { Descriptions } from '../../../platform/http/openapi/described-api.js';

export const descriptions: Descriptions = {
  'POST /messages/{message_id}/report': {
    summary: 'Report a message to the moderators.',
    text: `The Notification Bot quotes it in the channel \`moderation_request_channel_id\` of the organization; without such a channel, the
request is refused. A repeat with the same reason and description reports once.`,
    parameters: {
      report_type: 'The reason; `other` needs a description',
      description: 'What the moderators should know, up to 1,000 characters',
    },
  },
};
