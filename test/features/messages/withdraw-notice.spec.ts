import { describe, expect, it } from '@jest/globals';
import type { MessageDeleted, MessageEvent } from '../../../src/events/messages/message.events.js';
import type { MessageSent } from '../../../src/events/messages/messages.events.js';
import { NOTIFICATION_BOT } from '../../../src/events/shared/system-bots.js';
import { NO_CONTENT_FACTS } from '../../../src/features/markdown/content-facts.js';
import { contentOf } from '../../../src/features/messages/domain/message-content.js';
import {
  asResolutionNotice,
  decideWithdrawNotice,
  moveNoticeId,
  resolutionNotice,
  WithdrawNotice,
} from '../../../src/features/messages/domain/withdraw-notice.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { given } from '../../support/events/given.js';
import { history } from '../../support/events/history.js';

const place = { type: 'channel', channelId: 5, topic: 'lunch' } as const;
const [sent] = history([
  'messages',
  {
    type: 'MessageSent',
    data: {
      senderId: NOTIFICATION_BOT.id,
      recipient: place,
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content: contentOf('resolved', NO_CONTENT_FACTS),
    },
  },
]) as Recorded<MessageSent>[];
const message = sent as Recorded<MessageSent>;
const notice: Recorded<MessageSent> = {
  ...message,
  id: moveNoticeId('move', 'resolved'),
  metadata: { ...message.metadata, causationId: 'move' },
};
const where = { place, placeAsOf: 9 };
const having = (origin: Recorded<MessageSent>, ...events: MessageEvent[]) =>
  given({ ...resolutionNotice, initialState: asResolutionNotice(origin) }, events);
const secondsLater = (seconds: number) => new WithdrawNotice(notice.metadata.at + seconds * 1000);
const withdrawn: MessageDeleted = {
  type: 'MessageDeleted',
  data: { messageId: 1, senderId: NOTIFICATION_BOT.id, ...where, keyId: notice.id },
};

describe('the notice of a resolved topic that is unresolved again', () => {
  it('is deleted within a minute', () => {
    having(notice).when(decideWithdrawNotice, secondsLater(0), where).then([withdrawn]);
    having(notice).when(decideWithdrawNotice, secondsLater(60), where).then([withdrawn]);
  });

  it('stays if it is older', () => {
    having(notice).when(decideWithdrawNotice, secondsLater(60.001), where).thenNothing();
  });

  it('is deleted once', () => {
    having(notice, withdrawn).when(decideWithdrawNotice, secondsLater(1), where).thenNothing();
  });

  it('is not a message of a user, a notice of another kind, or another message of the server', () => {
    const others: Recorded<MessageSent>[] = [
      { ...notice, data: { ...notice.data, senderId: 3 } },
      { ...notice, id: moveNoticeId('move', 'new') },
      { ...notice, id: moveNoticeId('another', 'resolved') },
      message,
    ];
    for (const other of others) {
      expect(asResolutionNotice(other)).toEqual({ status: 'none' });
      having(other).when(decideWithdrawNotice, secondsLater(1), where).thenNothing();
    }
  });
});
