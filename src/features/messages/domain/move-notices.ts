import { type MessagesMoved, resolutionOf, type TopicPlace } from '../../../events/messages/topics.events.js';
import { topicLink } from '../../markdown/channel-links.js';

/** A message that the server itself sends to a topic. */
export interface MoveNotice {
  readonly kind: 'resolved' | 'old' | 'new';
  readonly place: TopicPlace;
  readonly text: string;
}

/** Names at the time the notices are written. */
export interface MoveNames {
  readonly mover: { readonly id: number; readonly fullName: string };
  readonly channelName: (channelId: number) => string;
  readonly isPrivate: (channelId: number) => boolean;
}

/**
 * The notices of a move. A resolved or unresolved topic gets one notice in the topic and no other: to its readers it is
 * where it was. The name of a private channel is not given in another channel: its readers may not know it.
 */
export function moveNotices(
  move: MessagesMoved['data'],
  { mover, channelName, isPrivate }: MoveNames,
): readonly MoveNotice[] {
  const { from, to, notices } = move;
  const who = `@_**${mover.fullName}|${mover.id}**`;
  const resolution = resolutionOf(move);
  if (resolution) return [{ kind: 'resolved', place: to, text: `${who} marked this topic as ${resolution}.` }];
  const link = ({ channelId, topic }: TopicPlace): string =>
    from.channelId !== to.channelId && isPrivate(channelId)
      ? 'a private channel'
      : topicLink({ id: channelId, name: channelName(channelId) }, topic);
  const old = {
    kind: 'old',
    place: from,
    text: `${who} moved ${thingsMoved(move, 'from here')} to ${link(to)}.`,
  } as const;
  const arrived = {
    kind: 'new',
    place: to,
    text: `${who} moved ${thingsMoved(move, 'here')} from ${link(from)}.`,
  } as const;
  return [...(notices.oldThread ? [old] : []), ...(notices.newThread ? [arrived] : [])];
}

function thingsMoved({ isWholeTopic, messageCount }: MessagesMoved['data'], where: 'here' | 'from here'): string {
  if (isWholeTopic) return where === 'here' ? 'this topic here' : 'this topic';
  return `${messageCount === 1 ? 'a message' : `${messageCount} messages`} ${where}`;
}
