import { describe, expect, it } from '@jest/globals';
import { type AutoFollowFrom, policyAfter } from '../../../src/events/personal/auto-topic-policy.settings.js';
import type { PersonalEvent } from '../../../src/events/personal/personal.events.js';
import type { TopicPolicy } from '../../../src/events/personal/personal.settings.js';
import { personal } from '../../../src/features/personal/domain/personal.state.js';
import {
  decideFollowWhereMentioned,
  decideRaiseTopicPolicy,
  FollowWhereMentioned,
  RaiseTopicPolicy,
} from '../../../src/features/personal/domain/topic-policies.js';
import { given } from '../../support/events/given.js';

const [PARTICIPATE, SEND, START, NEVER] = [1, 2, 3, 4] as const;
const [NONE, MUTED, UNMUTED, FOLLOWED] = [0, 1, 2, 3] as const;

describe('The topic policy after a trigger:', () => {
  it.each<[string, AutoFollowFrom, AutoFollowFrom, boolean, TopicPolicy, 1 | 2 | 3, number | null]>([
    ['no policy if both settings are never', NEVER, NEVER, true, NONE, START, null],
    ['a started topic is followed', START, NEVER, false, NONE, START, FOLLOWED],
    ['an existing topic is not followed by the setting for started topics', START, NEVER, false, NONE, SEND, null],
    [
      'a topic with a policy is not followed by the setting for started topics',
      START,
      NEVER,
      false,
      MUTED,
      START,
      null,
    ],
    ['sending follows by the setting for sending', SEND, NEVER, false, NONE, SEND, FOLLOWED],
    ['starting follows by the setting for sending', SEND, NEVER, false, NONE, START, FOLLOWED],
    ['reacting does not follow by the setting for sending', SEND, NEVER, false, NONE, PARTICIPATE, null],
    ['reacting follows by the setting for participation', PARTICIPATE, NEVER, false, NONE, PARTICIPATE, FOLLOWED],
    ['sending follows a muted topic', SEND, NEVER, false, MUTED, SEND, FOLLOWED],
    ['a followed topic stays followed', PARTICIPATE, PARTICIPATE, true, FOLLOWED, SEND, null],
    ['sending unmutes in a muted channel', NEVER, SEND, true, NONE, SEND, UNMUTED],
    ['sending unmutes a muted topic in a muted channel', NEVER, SEND, true, MUTED, SEND, UNMUTED],
    ['an unmuted topic stays unmuted', NEVER, SEND, true, UNMUTED, SEND, null],
    ['nothing is unmuted in a channel that is not muted', NEVER, SEND, false, MUTED, SEND, null],
    ['starting unmutes in a muted channel', NEVER, START, true, NONE, START, UNMUTED],
    ['following takes precedence over unmuting', START, SEND, true, NONE, START, FOLLOWED],
    ['sending unmutes an existing topic that is followed only if started', START, SEND, true, NONE, SEND, UNMUTED],
  ])('%s', (_, follow, unmute, isChannelMuted, policy, act, expected) => {
    expect(policyAfter(act, { autoTopicPolicy: { follow, unmute }, isChannelMuted, policy })).toBe(expected);
  });
});

describe('a policy that follows from an act', () => {
  const set = (from: TopicPolicy, to: TopicPolicy, topic = 'Lunch'): PersonalEvent => ({
    type: 'TopicPolicySet',
    data: { userId: 1, channelId: 5, topic, from, to },
  });
  const outcome = (history: readonly PersonalEvent[], to: 2 | 3) =>
    given(personal, history).when(decideRaiseTopicPolicy, new RaiseTopicPolicy(1, 5, 'lunch', to), undefined);

  const mentioned = (history: readonly PersonalEvent[]) =>
    given(personal, history).when(decideFollowWhereMentioned, new FollowWhereMentioned(1, 5, 'lunch'), undefined);

  it('is to follow for a mentioned user', () => mentioned([]).then([set(NONE, FOLLOWED, 'lunch')]));
  it('takes the place of unmuting alone', () => mentioned([set(NONE, UNMUTED)]).then([set(UNMUTED, FOLLOWED)]));
  it('follows once', () => mentioned([set(NONE, FOLLOWED)]).thenNothing());
  it('leaves muted topics muted', () => mentioned([set(NONE, MUTED)]).thenNothing());
  it('is set', () => outcome([], 3).then([set(NONE, FOLLOWED, 'lunch')]));
  it('takes the place of another', () => outcome([set(NONE, MUTED)], 2).then([set(MUTED, UNMUTED)]));
  it('is set once', () => outcome([set(NONE, UNMUTED)], 2).thenNothing());
  it('leaves followed topics followed', () => outcome([set(NONE, FOLLOWED)], 2).thenNothing());
});
