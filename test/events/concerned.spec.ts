import { expect, it } from '@jest/globals';
import { eventRegistry } from '../../src/events/event-registry.js';
import type { Concerned } from '../../src/platform/kernel/concerned.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { recordedEvents } from '../support/events/recorded.js';

/** By the name of a field with ids: the list of `Concerned` that must have them. */
const LISTS: Readonly<Record<string, keyof Concerned>> = {
  userId: 'userIds',
  userIds: 'userIds',
  ownerId: 'userIds',
  senderId: 'userIds',
  creatorId: 'userIds',
  authorId: 'userIds',
  inviterId: 'userIds',
  mutedUserId: 'userIds',
  memberIds: 'userIds',
  subscriberIds: 'userIds',
  newFollowerIds: 'userIds',
  calledBotIds: 'userIds',
  direct_members: 'userIds',
  channelId: 'channelIds',
  channelIds: 'channelIds',
  messageId: 'messageIds',
  messageIds: 'messageIds',
  anchorId: 'messageIds',
};

/** Ids that concern nobody, or whom they concern is not asked. */
const OTHERS = [
  ...['keyId', 'previousKeyId', 'apiKeyId', 'fileId', 'previousFileId', 'mediumFileId', 'previousMediumFileId'],
  ...['stillFileId', 'attachmentId', 'attachmentIds', 'queueId', 'groupId', 'groupIds', 'subgroupIds', 'draftId'],
  ...['createdIds', 'snippetId', 'scheduleId', 'reminderId', 'invitationId', 'linkId', 'fieldId', 'emojiId'],
  ...['pushAccountId', 'deviceId', 'id', 'localId', 'folderId', 'folderIds'],
];

/** Accesses that name things, and are found by their actor alone. Of MoreAccesses, those that count questions. */
const CONCERN_NOBODY = ['AuditRead', 'ActRefused', 'OperatorActed', 'MoreAccesses'];

const isId = (name: string): boolean => /(^id|Ids?)$/.test(name) || name === 'direct_members';

it('every event that names a user, a channel or a message concerns them', async () => {
  const events = await recordedEvents();
  expect(events.length).toBeGreaterThan(100);
  for (const event of events) {
    const concerned = concernedBy(event);
    for (const [name, value] of idsIn(withoutContent(event).data)) {
      // Who sends a message asks for it as its actor. The narrow of a queue names whom somebody wants to hear.
      if (name === 'senderId' && event.type === 'MessageSent') continue;
      if (event.type === 'QueueRegistered' && name !== 'userId') continue;
      // A question that is asked again would find itself, and a refused act names what its account may not see.
      if (CONCERN_NOBODY.includes(event.type)) continue;
      const list = LISTS[name];
      if (list === undefined) expect(OTHERS).toContain(name);
      else
        for (const id of [value].flat())
          if (id !== null)
            expect({ type: event.type, ids: concerned[list] }).toEqual({
              type: event.type,
              ids: expect.arrayContaining([id]),
            });
    }
  }
});

it('what an event concerns does not depend on content, which may be gone', async () => {
  for (const event of await recordedEvents()) {
    expect(concernedBy(withoutContent(event))).toEqual(concernedBy(event));
  }
});

function concernedBy(event: Recorded): Concerned {
  const definition = eventRegistry.get(event.type);
  if (!definition) throw new Error(`${event.type} is not registered`);
  const concerned = definition.concerns(event);
  const { topics = [], channelIds = [] } = concerned;
  return { ...concerned, channelIds: [...channelIds, ...topics.map(({ channelId }) => channelId)] };
}

function withoutContent(event: Recorded): Recorded {
  const sealed = eventRegistry.get(event.type)?.sealed;
  return sealed ? { ...event, data: { ...event.data, [sealed.field]: null } } : event;
}

function* idsIn(value: unknown): Generator<readonly [name: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (isId(name)) yield [name, inner];
    else yield* idsIn(inner);
  }
}
