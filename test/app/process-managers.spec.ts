import { expect, it } from '@jest/globals';
import { consequences } from '../../src/app/features.js';

it('process managers handle an event in a fixed order', () => {
  expect(consequences.map(({ name }) => name)).toEqual([
    'invited-account',
    'invited-membership',
    'account-creation',
    'channel-creation',
    'default-channel-creation',
    'private-channel-withdrawal',
    'archived-channel-withdrawal',
    'announcement-channel-withdrawal',
    'move-noticing',
    'joining-notices',
    'addition-notices',
    'acceptance-notices',
    'schedule-failure-notices',
    'policy-following',
    'topic-participation',
    'reaction-participation',
    'mention-following',
    'left-behind',
    'muted-sender',
    'draft-withdrawal',
    'push-token-withdrawal',
    'push-withdrawal-by-password',
    'push-withdrawal-by-deactivation',
    'push-withdrawal-by-key',
    'late-push-token',
    'late-push-registration',
    'invitation-completion',
    'inviter-departure',
    'late-invitation',
    'late-invitation-link',
    'invited-address-taken',
    'invited-address-moved-to',
  ]);
});
