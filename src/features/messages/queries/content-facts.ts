import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { customEmojiUrl } from '../../../directory/custom-emoji.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { Facts } from '../../../directory/facts.js';
import { may } from '../../../directory/permissions.js';
import { mayRead } from '../../../directory/readable-messages.js';
import type { Recipient } from '../../../events/messages/messages.events.js';
import { DEFAULT_USER_SETTINGS } from '../../../events/personal/user.settings.js';
import { isSystemGroupName, SYSTEM_GROUP_IDS, SYSTEM_GROUP_TITLES } from '../../../events/shared/group-setting.js';
import { foldCase } from '../../../platform/kernel/text.js';
import {
  type ContentFacts,
  type CrowdFacts,
  type NamedGroup,
  type NamedUser,
  type NameFacts,
  NO_CONTENT_FACTS,
  NO_NAMES,
  type WritingSettings,
} from '../../markdown/content-facts.js';
import { linkableFiles } from '../../uploads/queries/linkable-files.js';
import { topicParticipants } from './topic-participants.js';

/** Content without a match names nothing that has to be looked up. */
const MAY_HAVE_NAMES = /[@#]|user_uploads\//;

/** Participants are looked up only for content with a match. A match in code mentions nobody. */
const MENTIONS_TOPIC = /@\*\*topic\*\*/;
const LINKS_TOPIC = /#\*\*([^*>]+)>([^*]*)\*\*/g;

/** Number of linked topics that are looked up. Further links lead to their topics by name alone. */
const MOST_TOPICS = 20;

/**
 * Facts that content is decided on, but for its colours.
 * @param place place of the content; null if the writer may not write there
 * @param site the server's public URL, without a slash at its end
 */
export function contentFacts(
  text: string,
  writer: UserRecord,
  place: Recipient | null,
  facts: Facts,
  site: string,
): ContentFacts | Promise<ContentFacts> {
  const settings = writingSettings(writer, facts.directory, site);
  if (!MAY_HAVE_NAMES.test(text)) return { ...NO_CONTENT_FACTS, names: { ...NO_NAMES, settings } };
  return factsOfNames(text, writer, place, facts, settings);
}

/** Settings as of now. They hold for this content for ever: it is rendered once. */
const writingSettings = (writer: UserRecord, directory: Directory, site: string): WritingSettings => ({
  linkifiers: directory.linkifiers,
  site,
  codeLanguage: directory.setting('default_code_block_language'),
  showsPictures: directory.setting('inline_image_preview'),
  translatesEmoticons: writer.settings?.translate_emoticons ?? DEFAULT_USER_SETTINGS.translate_emoticons,
  customEmojiUrl: (name) => {
    const emoji = directory.customEmoji.activeNamed(name);
    return emoji && customEmojiUrl(emoji);
  },
});

async function factsOfNames(
  text: string,
  writer: UserRecord,
  place: Recipient | null,
  facts: Facts,
  settings: WritingSettings,
): Promise<ContentFacts> {
  return {
    ...NO_CONTENT_FACTS,
    names: { ...(await nameFacts(text, writer, facts)), files: await linkableFiles(text, writer, facts), settings },
    crowd: place?.type === 'channel' ? await crowdFacts(text, writer, place, facts) : null,
  };
}

async function nameFacts(
  text: string,
  writer: UserRecord,
  facts: Facts,
): Promise<Omit<NameFacts, 'files' | 'settings'>> {
  const channelNamed = (name: string) => {
    const channel = facts.directory.channelByName(name);
    return channel && isSameName(channel.name, name) && may(writer, { channel, to: 'see' }, facts.directory)
      ? channel
      : undefined;
  };
  const newest = new Map<string, number>();
  const topicKey = (channelId: number, topic: string): string => `${channelId}/${foldCase(topic)}`;
  const linked = new Map<string, readonly [channelId: number, topic: string]>();
  for (const [, name = '', topic = ''] of text.matchAll(LINKS_TOPIC)) {
    const channel = linked.size < MOST_TOPICS && channelNamed(name);
    if (channel) linked.set(topicKey(channel._id, topic), [channel._id, topic]);
  }
  for (const [key, [channelId, topic]] of linked) {
    const id = await newestIn(channelId, topic, writer, facts);
    if (id !== null) newest.set(key, id);
  }
  return {
    user: (name) => {
      const users = facts.directory.usersNamed(name);
      const user = users.findLast(({ isActive }) => isActive) ?? users.at(-1);
      return user && named(user);
    },
    userById: (id) => {
      const user = facts.directory.user(id);
      return user && named(user);
    },
    group: (name) => groupNamed(name, writer, facts.directory),
    channel: (name) => {
      const channel = channelNamed(name);
      if (!channel) return undefined;
      const { _id: id, name: called } = channel;
      return { id, name: called, newestIn: (topic) => newest.get(topicKey(id, topic)) ?? null };
    },
  };
}

const named = ({ _id: id, fullName, isActive }: UserRecord): NamedUser => ({ id, fullName, isActive });

function groupNamed(name: string, writer: UserRecord, directory: Directory): NamedGroup | undefined {
  // System groups cannot be mentioned: wildcards take their place.
  if (isSystemGroupName(name))
    return {
      id: SYSTEM_GROUP_IDS[name],
      name,
      title: SYSTEM_GROUP_TITLES[name],
      isDeactivated: false,
      mayMention: false,
    };
  const group = directory.groups.groupByName(name);
  if (!group || !isSameName(group.name, name)) return undefined;
  const mayMention = may(writer, { group, to: 'can_mention_group' }, directory);
  return { id: group._id, name: group.name, isDeactivated: group.isDeactivated, mayMention };
}

/** In the same case, in whatever Unicode spelling. */
const isSameName = (one: string, other: string): boolean => one.normalize('NFC') === other.normalize('NFC');

async function newestIn(channelId: number, topic: string, writer: UserRecord, facts: Facts): Promise<number | null> {
  const [message] = await facts.readModels
    .collection<MessageDocument>(messages, MESSAGES)
    .find({ channelId, topicKey: foldCase(topic) }, { sort: { sentPosition: -1 }, limit: 1 });
  return message && mayRead(writer, message, facts.directory) ? message._id : null;
}

async function crowdFacts(
  text: string,
  writer: UserRecord,
  { channelId, topic }: Extract<Recipient, { type: 'channel' }>,
  facts: Facts,
): Promise<CrowdFacts> {
  const earlier = MENTIONS_TOPIC.test(text) ? await topicParticipants(facts.readModels, channelId, topic) : [];
  return {
    subscribers: facts.directory.subscriberIds(channelId).length,
    // The writer takes part from now on.
    participantIds: [...new Set([...earlier, writer._id])],
    mayMentionMany: may(writer, 'can_mention_many_users_group', facts.directory),
  };
}
