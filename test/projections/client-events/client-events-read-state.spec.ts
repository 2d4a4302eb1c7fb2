import { describe, expect, it } from '@jest/globals';
import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { readStateStream } from '../../../src/events/read-state/read-state.events.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const own = (type: string, data: object): InHistory => [readStateStream(7), { type, data: { userId: 7, ...data } }];
const told = async (...events: InHistory[]) => {
  const { events: documents = [] } = await projected(clientEvents, history(...events));
  return (documents as readonly ClientEventDocument[]).map(({ kind, part, audience, payload }) => ({
    kind,
    part,
    audience,
    payload,
  }));
};
const mine = { part: 'messages', audience: { userIds: [7] } };

describe('client events of flags', () => {
  it('name to the user the messages that get a flag', async () => {
    const ranges = [
      [2, 4],
      [9, 9],
    ];
    expect(await told(own('FlagsAdded', { flag: 'starred', ranges }))).toEqual([
      {
        ...mine,
        kind: 'update_message_flags/add',
        payload: { body: { operation: 'add', flag: 'starred', messages: [2, 3, 4, 9], all: false } },
      },
    ]);
  });

  it('say that all messages are read, without naming them', async () => {
    expect(await told(own('AllMessagesRead', {}))).toEqual([
      {
        ...mine,
        kind: 'update_message_flags/add',
        payload: { body: { operation: 'add', flag: 'read', messages: [], all: true } },
      },
    ]);
  });

  it('name the messages that lose a flag, without their places', async () => {
    expect(await told(own('FlagsRemoved', { flag: 'read', ranges: [[5, 6]] }))).toEqual([
      { ...mine, kind: 'update_message_flags/remove', payload: { flag: 'read', messageIds: [5, 6] } },
    ]);
  });
});
