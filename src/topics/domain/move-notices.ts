import { topicLink } from '../../messages/domain/topic-link.js';
import { type MessagesMoved, resolutionOf, type TopicPlace } from './topics.events.js';

/** Words that the server itself says in a topic. */
export interface MoveNotice {
  readonly kind: 'resolved' | 'old' | 'new';
  readonly place: TopicPlace;
  readonly text: string;
}

/** Names as they are when the notices are written. */
export interface MoveNames {
  readonly mover: { readonly id: number; readonly fullName: string };
  readonly channelName: (channelId: number) => string;
  readonly isPrivate: (channelId: number) => boolean;
}

/**
 * What a move is announced by, and where. Who resolves a topic, or takes that back, is told of in the topic and by
 * nothing else: it is still where it was, for all that people see. Of a private channel, the other place is not told its
 * name: not everybody there may know of it.
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
