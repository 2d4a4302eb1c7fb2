import { CHANNEL_PERMISSIONS } from '../events/channels/channels.settings.js';
import { REALM_PERMISSIONS } from '../events/organization/realm.settings.js';
import { awaitedIn } from '../events/shared/awaited-setting.js';
import { namesOf } from '../events/shared/settings.js';
import { SPECIAL_PERMISSIONS } from '../events/users/users.settings.js';
import type { ChannelRecord } from './directory.records.js';
import type { Action, ChannelAction } from './permissions.js';

/** Actions in a channel by plain words. */
const WORDS = { read: 'read', post: 'post', subscribe: 'join', administer: 'administer' } as const satisfies Record<
  string,
  ChannelAction
>;

const awaited = awaitedIn(REALM_PERMISSIONS);
const IN_CHANNELS = namesOf(CHANNEL_PERMISSIONS);
const EVERYWHERE = [...namesOf(REALM_PERMISSIONS).filter((name) => !awaited.includes(name)), ...SPECIAL_PERMISSIONS];

/** Names of actions that people can ask about: words, and the settings of the API. */
export const ACTION_NAMES: readonly string[] = [...new Set([...namesOf(WORDS), ...IN_CHANNELS, ...EVERYWHERE])];

/** @returns 'in a channel only' or 'in no channel' if the name means nothing there */
export function namedAction(
  name: string,
  channel: ChannelRecord | null,
): Action | 'in a channel only' | 'in no channel' {
  if (channel === null)
    return (name === 'administer' ? name : EVERYWHERE.find((one) => one === name)) ?? 'in a channel only';
  const word = namesOf(WORDS).find((one) => one === name);
  const to = word === undefined ? IN_CHANNELS.find((one) => one === name) : WORDS[word];
  return to === undefined ? 'in no channel' : { channel, to };
}
