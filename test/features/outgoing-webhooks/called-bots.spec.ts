import { describe, expect, it } from '@jest/globals';
import { BOT_TYPES, type BotType } from '../../../src/events/users/users.settings.js';
import {
  type BotAccounts,
  calledWebhooks,
  type MaybeBot,
  mayCall,
} from '../../../src/features/outgoing-webhooks/domain/called-bots.js';

const account = (type: BotType | null, isActive = true) => ({ isActive, bot: type && { type } });
const [PERSON, OTHER, HOOK, SECOND, GONE, GENERIC] = [1, 2, 3, 4, 5, 6] as const;
const all = new Map<number, MaybeBot>([
  [PERSON, account(null)],
  [OTHER, account(null)],
  [HOOK, account(BOT_TYPES.outgoingWebhook)],
  [SECOND, account(BOT_TYPES.outgoingWebhook)],
  [GONE, account(BOT_TYPES.outgoingWebhook, false)],
  [GENERIC, account(BOT_TYPES.generic)],
]);
const accountsWith = (...webhooks: readonly number[]): BotAccounts => ({
  user: (id) => all.get(id),
  allWebhookBots: () => new Set(webhooks),
});
const accounts = accountsWith(HOOK, SECOND, GONE);
const inChannel = { type: 'channel', channelId: 1, topic: 't' } as const;
const direct = (...userIds: readonly number[]) => ({ type: 'direct', userIds }) as const;
const mentioning = (...userIds: readonly number[]) => ({
  text: '',
  rendered: '',
  rendererVersion: 1,
  mentions: { userIds },
});

describe('a message of a person', () => {
  it('calls the active outgoing webhook bots that it mentions in a channel', () => {
    const content = mentioning(OTHER, GENERIC, GONE, HOOK, SECOND);
    expect(calledWebhooks({ senderId: PERSON, recipient: inChannel, content }, accounts)).toEqual([
      { botId: HOOK, trigger: 'mention' },
      { botId: SECOND, trigger: 'mention' },
    ]);
  });

  it('calls those of its direct conversation, whomever it mentions', () => {
    const sent = { senderId: PERSON, recipient: direct(PERSON, OTHER, HOOK, GENERIC), content: mentioning(SECOND) };
    expect(calledWebhooks(sent, accounts)).toEqual([{ botId: HOOK, trigger: 'direct_message' }]);
  });

  it('calls nobody once its content is erased, unless it is direct', () => {
    expect(calledWebhooks({ senderId: PERSON, recipient: inChannel, content: null }, accounts)).toEqual([]);
  });
});

describe('the message of a bot', () => {
  it.each([HOOK, GENERIC])('calls nobody: %s', (senderId) => {
    for (const recipient of [inChannel, direct(SECOND, senderId)]) {
      expect(calledWebhooks({ senderId, recipient, content: mentioning(SECOND) }, accounts)).toEqual([]);
      expect(mayCall({ senderId, recipient }, accounts)).toBe(false);
    }
  });
});

describe('the open part of a message', () => {
  it('says that a message to a channel may call a bot if there is an active one', () => {
    expect(mayCall({ senderId: PERSON, recipient: inChannel }, accountsWith(GONE, HOOK))).toBe(true);
    expect(mayCall({ senderId: PERSON, recipient: inChannel }, accountsWith(GONE))).toBe(false);
    expect(mayCall({ senderId: PERSON, recipient: inChannel }, accountsWith())).toBe(false);
  });

  it('says that a direct message may call a bot if one takes part', () => {
    expect(mayCall({ senderId: PERSON, recipient: direct(PERSON, HOOK) }, accounts)).toBe(true);
    expect(mayCall({ senderId: PERSON, recipient: direct(PERSON, OTHER, GENERIC, GONE) }, accounts)).toBe(false);
  });
});
