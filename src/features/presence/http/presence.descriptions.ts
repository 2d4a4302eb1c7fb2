import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';

const OLDER = 'The newer form is one of ids of accounts and times; the older one, of addresses and statuses.';

const UPDATE: Description = {
  summary: 'Tell that you are at a client, and get the presence of others.',
  text: `For people, whose clients send it once a minute. It tells nobody of you while your setting \`presence_enabled\` is off. ${OLDER}`,
  parameters: {
    status: '`active`: you have used the client lately; `idle`: it is open, and no more',
    last_update_id:
      'The `presence_last_update_id` of the answer before: only later changes are in this one. -1: all presences. Asks for the newer form',
    history_limit_days: 'How many days back a person was last seen to be in a first answer. Default 14',
    new_user_input: 'Has no effect: it is for statistics that this server does not keep',
    ping_only: 'Whether the answer leaves out the presences. Default false',
    slim_presence: 'Whether the answer has the newer form without `last_update_id`, too. Default false',
  },
};

const ONE: Description = {
  summary: 'Get the presence of a person.',
  text: 'Refused for bots, for accounts that are deactivated, and for those of whom none is known.',
  parameters: { user: 'The id of the account, or its address in any case' },
};

const ALL: Description = {
  summary: 'Get the presence of everybody, by address.',
  text: 'Of those who were seen in the last 14 days.',
};

export const descriptions: Descriptions = {
  'POST /users/me/presence': UPDATE,
  'GET /users/{user}/presence': ONE,
  'GET /realm/presence': ALL,
};
