import type { DomainEvent, Recorded } from '../../src/kernel/event.js';
import type { MessageLifeEvent, ReactionAdded, ReactionRemoved } from '../../src/messages/domain/message.events.js';
import type { Audience, MessagePlace } from '../client-events.documents.js';
import type { Change, EventHandlers, EventLookUps, LookUp, OwnDocuments } from '../projection.js';
import { entry } from './entries.js';
import { originsLookedUp, originsOf, placeThen } from './places.js';
import { channelOf } from './records.js';
import { FILE_LINKS } from './uploads.js';
import { written } from './written.js';

const PART = { part: 'messages' } as const;

/** Who of the audience had access to the message is known as the event leaves: by then, so is when it was sent. */
interface Told {
  readonly place: MessagePlace;
  readonly audience: Audience;
}

async function toldOf(event: Recorded<MessageLifeEvent>, documents: OwnDocuments): Promise<Told> {
  const place = await placeThen(event, documents);
  if (place.type === 'direct') return { place, audience: { userIds: place.userIds } };
  const { channelId } = place;
  const { inviteOnly, historyPublicToSubscribers: isHistoryOpen } = await channelOf(channelId, documents);
  return {
    place: { ...place, isPublic: !inviteOnly, isHistoryOpen },
    audience: inviteOnly
      ? { subscribersOf: channelId }
      : { everSubscribedTo: [channelId, ...(await originsOf(place, documents))] },
  };
}

const reaction =
  <E extends ReactionAdded | ReactionRemoved>(kind: 'reaction/add' | 'reaction/remove') =>
  async (event: Recorded<E>, documents: OwnDocuments): Promise<readonly Change[]> => {
    const { messageId, userId, emojiName, emojiCode, reactionType } = event.data;
    const { place, audience } = await toldOf(event, documents);
    const payload = { messageId, place, userId, emojiName, emojiCode, reactionType };
    return written(event as Recorded<DomainEvent>, documents, [entry(event, kind, audience, payload, PART)]);
  };

export const messageLifeRules: EventHandlers<MessageLifeEvent> = {
  MessageEdited: async (event, documents) => {
    const { messageId, contentRevision } = event.data;
    const { place, audience } = await toldOf(event, documents);
    const payload = { messageId, place, editorId: event.metadata.actorId, contentRevision };
    return written(event, documents, [entry(event, 'update_message', audience, payload, PART)]);
  },
  MessageDeleted: async (event, documents) => {
    const { place, audience } = await toldOf(event, documents);
    const payload = { messageId: event.data.messageId, place };
    return written(event, documents, [entry(event, 'delete_message', audience, payload, PART)]);
  },
  ReactionAdded: reaction<ReactionAdded>('reaction/add'),
  ReactionRemoved: reaction<ReactionRemoved>('reaction/remove'),
};

export const messageLifeLookUps: EventLookUps<MessageLifeEvent> = {
  MessageEdited: toldBy,
  MessageDeleted: (event) => [...toldBy(event), [FILE_LINKS, event.data.messageId]],
  ReactionAdded: toldBy,
  ReactionRemoved: toldBy,
};

function toldBy({ data: { place } }: Recorded<MessageLifeEvent>): readonly LookUp[] {
  return place.type === 'channel' ? [['channels', place.channelId], originsLookedUp(place)] : [];
}
