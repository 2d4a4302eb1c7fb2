import type { Descriptions } from '../../../platform/http/openapi/described-api.js';
import { text, whole } from '../../../platform/http/openapi/schema.js';

export const descriptions: Descriptions = {
  'POST /external/{integration}': {
    id: 'post-from-service',
    tag: 'bots',
    summary: 'Post what a service has sent, as an incoming webhook bot.',
    text: `A service is given this URL with the key of a bot of type 2, which is all that the key opens besides \`POST /messages\`. The
payload's form is the service's own. An event that is not posted is answered with \`ignored\`, which says why.

A channel that does not exist, or that the bot cannot see, is no error for the service: its message goes to the owner of the bot. A
delivery that a service repeats under the same \`X-GitHub-Delivery\`, \`X-Gitlab-Event-UUID\` or \`Idempotency-Key\` is posted once.`,
    parameters: {
      integration:
        'The last part of the URL: `slack_incoming`, `json`, `github`, `gitlab`, `alertmanager` or `grafana`',
      api_key: 'The API key of the bot',
      stream: 'The channel: its name or id. Without it, the message is a direct message to the owner of the bot',
      topic: 'The topic, in place of the one that the payload gives',
      only_events:
        'The events that are posted: names that the service gives in a header, in which `*` stands for any characters',
      exclude_events: 'The events that are not posted, as in `only_events`',
      template:
        'For `json`: the message in Markdown, in which `{{a.b}}` stands for the field `b` of `a`; `0`, `1` and so on are items of lists',
    },
    payload: 'What the service sends. As `payload` of a form, too',
    answer: {
      id: { ...whole, description: 'The id of the message' },
      ignored: { ...text, description: 'Why nothing is posted' },
    },
    optional: ['id', 'ignored'],
  },
};
