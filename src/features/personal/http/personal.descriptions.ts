import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';
import { SETTING_WORDS } from './settings.descriptions.js';

const ALERT_WORDS: Description = {
  summary: 'List your alert words.',
  text: 'A message that has one of them gets the flag `has_alert_word` for you.',
};

const ADD_ALERT_WORDS: Description = {
  summary: 'Add alert words, and get the whole list.',
  text: 'Words that differ only in case are one, which keeps its first spelling. You have at most 1,000.',
  parameters: { alert_words: 'The words, each of at most 100 characters. At most 1,000' },
};

const REMOVE_ALERT_WORDS: Description = {
  summary: 'Remove alert words, and get the list of the others.',
  parameters: { alert_words: 'The words, in any case. Those that you do not have are ignored' },
};

const MUTE: Description = {
  summary: 'Mute somebody, so that their messages are read for you and hidden by your clients.',
  text: 'Bots and deactivated accounts can be muted, too. Refused if the account is muted already.',
  parameters: { muted_user_id: 'The id of the account, which is not your own' },
};

const UNMUTE: Description = {
  summary: 'Unmute somebody.',
  text: 'Refused if the account is not muted.',
  parameters: { muted_user_id: 'The id of the account' },
};

const SET_TOPIC: Description = {
  summary: 'Mute, unmute or follow a topic, or end that.',
  text: 'The topic needs no messages. In a channel that you see no longer, you can only end it.',
  parameters: { visibility_policy: '0: none. 1: muted. 2: unmuted, in a channel that you have muted. 3: followed' },
};

const MUTE_TOPIC: Description = {
  summary: 'Mute a topic, or end that, for older clients.',
  text: '`POST /user_topics` does the same and more.',
  parameters: {
    stream_id: 'The id of the channel, unless `stream` is sent',
    stream: 'The name of the channel, unless `stream_id` is sent',
    op: '`add` mutes the topic. `remove` ends every policy of it',
  },
};

const UPDATE_SETTINGS: Description = {
  summary: 'Change your settings, and your name, address or password.',
  text: 'For people. Settings that are not sent stay as they are, and nothing is changed if one is refused. A new password ends all other logins. Guesses of the old password are limited.',
  parameters: SETTING_WORDS,
};

const UPDATE_DISPLAY: Description = {
  ...UPDATE_SETTINGS,
  id: 'update-display-settings',
  tag: 'users',
  summary: 'Change your settings, by the older path for those of the display.',
  answer: {},
};

const UPDATE_NOTIFICATIONS: Description = {
  ...UPDATE_SETTINGS,
  id: 'update-notification-settings',
  tag: 'users',
  summary: 'Change your settings, by the older path for those of notifications.',
  answer: {},
};

export const descriptions: Descriptions = {
  'GET /users/me/alert_words': ALERT_WORDS,
  'POST /users/me/alert_words': ADD_ALERT_WORDS,
  'DELETE /users/me/alert_words': REMOVE_ALERT_WORDS,
  'POST /users/me/muted_users/{muted_user_id}': MUTE,
  'DELETE /users/me/muted_users/{muted_user_id}': UNMUTE,
  'POST /user_topics': SET_TOPIC,
  'PATCH /users/me/subscriptions/muted_topics': MUTE_TOPIC,
  'PATCH /settings': UPDATE_SETTINGS,
  'PATCH /settings/display': UPDATE_DISPLAY,
  'PATCH /settings/notifications': UPDATE_NOTIFICATIONS,
};
