import { describe, expect, it } from '@jest/globals';
import type { PersonalEvent } from '../../../src/events/personal/personal.events.js';
import type { TopicPolicy } from '../../../src/events/personal/personal.settings.js';
import { hasOneOf } from '../../../src/features/message-flags/domain/alert-words.js';
import {
  AddAlertWords,
  decideAddAlertWords,
  decideRemoveAlertWords,
  MOST_ALERT_WORDS,
  RemoveAlertWords,
} from '../../../src/features/personal/domain/alert-words.js';
import {
  decideMuteUser,
  decideUnmuteUser,
  MuteUser,
  UnmuteUser,
} from '../../../src/features/personal/domain/muted-users.js';
import { personal } from '../../../src/features/personal/domain/personal.state.js';
import { decideSetTopicPolicy, SetTopicPolicy } from '../../../src/features/personal/domain/topic-policies.js';
import { given } from '../../support/events/given.js';
import { processorTime } from '../../support/processor-time.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };

const policySet = (topic: string, from: TopicPolicy, to: TopicPolicy, channelId = 7): PersonalEvent => ({
  type: 'TopicPolicySet',
  data: { userId: 1, channelId, topic, from, to },
});
const added = (...words: string[]): PersonalEvent => ({ type: 'AlertWordsAdded', data: { userId: 1, words } });
const removed = (...words: string[]): PersonalEvent => ({ type: 'AlertWordsRemoved', data: { userId: 1, words } });
const muted = (mutedUserId: number): PersonalEvent => ({ type: 'UserMuted', data: { userId: 1, mutedUserId } });
const unmuted = (mutedUserId: number): PersonalEvent => ({ type: 'UserUnmuted', data: { userId: 1, mutedUserId } });

describe('the policy of a user for a topic', () => {
  const set = (topic: string, to: TopicPolicy, channelId = 7) =>
    new SetTopicPolicy({ userId: 1, channelId, topic, to, by });
  const seen = { isVisible: true };
  const hidden = { isVisible: false };

  it.each([1, 2, 3] as const)('is set to %i from none', (to) => {
    given(personal, [])
      .when(decideSetTopicPolicy, set('lunch', to), seen)
      .then([policySet('lunch', 0, to)]);
  });

  it('changes to any other policy, with the old value in the event', () => {
    given(personal, [policySet('lunch', 0, 1)])
      .when(decideSetTopicPolicy, set('lunch', 3), seen)
      .then([policySet('lunch', 1, 3)]);
    given(personal, [policySet('lunch', 0, 1), policySet('lunch', 1, 3)])
      .when(decideSetTopicPolicy, set('lunch', 0), seen)
      .then([policySet('lunch', 3, 0)]);
  });

  it('does not change if it is already set', () => {
    given(personal, []).when(decideSetTopicPolicy, set('lunch', 0), seen).thenNothing();
    given(personal, [policySet('lunch', 0, 2)])
      .when(decideSetTopicPolicy, set('lunch', 2), seen)
      .thenNothing();
  });

  it('ignores the case of the topic, and keeps its first spelling', () => {
    const history = [policySet('Lunch', 0, 1)];
    given(personal, history).when(decideSetTopicPolicy, set('lUNCH', 1), seen).thenNothing();
    given(personal, history)
      .when(decideSetTopicPolicy, set('lunch', 2), seen)
      .then([policySet('Lunch', 1, 2)]);
    given(personal, [...history, policySet('Lunch', 1, 0)])
      .when(decideSetTopicPolicy, set('lunch', 2), seen)
      .then([policySet('lunch', 0, 2)]);
  });

  it('is separate for each channel, and may be for the empty topic', () => {
    given(personal, [policySet('', 0, 1)])
      .when(decideSetTopicPolicy, set('', 1, 8), seen)
      .then([policySet('', 0, 1, 8)]);
  });

  it('is refused if the channel is hidden, but can be removed', () => {
    given(personal, []).when(decideSetTopicPolicy, set('lunch', 1), hidden).thenRefuses('INVALID_CHANNEL_ID');
    given(personal, []).when(decideSetTopicPolicy, set('lunch', 0), hidden).thenRefuses('INVALID_CHANNEL_ID');
    given(personal, [policySet('lunch', 0, 1)])
      .when(decideSetTopicPolicy, set('lunch', 1), hidden)
      .thenRefuses('INVALID_CHANNEL_ID');
    given(personal, [policySet('lunch', 0, 1)])
      .when(decideSetTopicPolicy, set('lunch', 0), hidden)
      .then([policySet('lunch', 1, 0)]);
  });
});

describe('alert words', () => {
  const add = (...words: string[]) => new AddAlertWords({ userId: 1, words, by });
  const remove = (...words: string[]) => new RemoveAlertWords({ userId: 1, words, by });

  it('are added once in any case, trimmed, in their first spelling', () => {
    given(personal, [added('Deploy')])
      .when(decideAddAlertWords, add(' build ', 'DEPLOY', 'Build', ' ', '', 'on call'), undefined)
      .then([added('build', 'on call')]);
  });

  it('that are present already change nothing', () => {
    given(personal, [added('Deploy')])
      .when(decideAddAlertWords, add('deploy', ''), undefined)
      .thenNothing();
    given(personal, []).when(decideAddAlertWords, add(), undefined).thenNothing();
  });

  it('are limited in number', () => {
    const words = Array.from({ length: MOST_ALERT_WORDS - 1 }, (_, index) => `word ${index}`);
    given(personal, [added(...words)])
      .when(decideAddAlertWords, add('one'), undefined)
      .then([added('one')]);
    given(personal, [added(...words)])
      .when(decideAddAlertWords, add('one', 'two'), undefined)
      .thenRefuses('TOO_MANY_ALERT_WORDS', { limit: MOST_ALERT_WORDS });
  });

  it('are removed in any case, and named in the event as they were added', () => {
    given(personal, [added('Deploy', 'build')])
      .when(decideRemoveAlertWords, remove('dePLOY', 'Deploy', 'none'), undefined)
      .then([removed('Deploy')]);
    given(personal, [added('Deploy'), removed('Deploy')])
      .when(decideRemoveAlertWords, remove('Deploy'), undefined)
      .thenNothing();
  });
});

describe('muting users', () => {
  const exists = { exists: true };

  it('mutes an existing user once', () => {
    given(personal, [])
      .when(decideMuteUser, new MuteUser({ userId: 1, mutedUserId: 2, by }), exists)
      .then([muted(2)]);
    given(personal, [muted(2)])
      .when(decideMuteUser, new MuteUser({ userId: 1, mutedUserId: 2, by }), exists)
      .thenRefuses('USER_ALREADY_MUTED');
    given(personal, [])
      .when(decideMuteUser, new MuteUser({ userId: 1, mutedUserId: 9, by }), { exists: false })
      .thenRefuses('USER_NOT_FOUND');
    given(personal, [])
      .when(decideMuteUser, new MuteUser({ userId: 1, mutedUserId: 1, by }), exists)
      .thenRefuses('CANNOT_MUTE_SELF');
  });

  it('unmutes a muted user', () => {
    given(personal, [muted(2)])
      .when(decideUnmuteUser, new UnmuteUser({ userId: 1, mutedUserId: 2, by }), exists)
      .then([unmuted(2)]);
    given(personal, [muted(2), unmuted(2)])
      .when(decideUnmuteUser, new UnmuteUser({ userId: 1, mutedUserId: 2, by }), exists)
      .thenRefuses('USER_NOT_MUTED');
    given(personal, [])
      .when(decideUnmuteUser, new UnmuteUser({ userId: 1, mutedUserId: 9, by }), { exists: false })
      .thenRefuses('USER_NOT_FOUND');
  });
});

it('an unknown event of the stream is ignored', () => {
  const later = { type: 'SomethingElse', data: {} } as unknown as PersonalEvent;
  expect(given(personal, [later]).state).toBe(personal.initialState);
});

describe('alert words and code blocks', () => {
  it('are found only outside of closed code blocks', () => {
    expect(hasOneOf(['tea'], 'a\n```js\ntea\n```\nb')).toBe(false);
    expect(hasOneOf(['tea'], 'a\n```\nx\n```\ntea\n~~~\ny\n~~~~')).toBe(true);
    expect(hasOneOf(['tea'], '```\n~~~\ntea\n```')).toBe(false);
    expect(hasOneOf(['tea'], '```\ntea')).toBe(true);
  });

  it('are searched in bounded time, whatever the fences', () => {
    const took = processorTime(() => {
      for (let time = 0; time < 40; time++) hasOneOf(['tea'], `${'`'.repeat(50)}x\n`.repeat(190));
    });
    expect(took).toBeLessThan(2000);
  });
});
