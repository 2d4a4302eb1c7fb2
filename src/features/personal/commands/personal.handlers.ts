import { Directory } from '../../../directory/directory.js';
import { may } from '../../../directory/permissions.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { AddAlertWords, decideAddAlertWords } from '../domain/add-alert-words.js';
import { decideMuteUser, MuteUser } from '../domain/mute-user.js';
import { decideRemoveAlertWords, RemoveAlertWords } from '../domain/remove-alert-words.js';
import { decideSetTopicPolicy, SetTopicPolicy } from '../domain/set-topic-policy.js';
import { decideUnmuteUser, UnmuteUser } from '../domain/unmute-user.js';
import { personalStreamOf } from './personal-stream.js';

export const personalHandlers = [
  decidesOn(SetTopicPolicy, {
    stream: personalStreamOf,
    decide: decideSetTopicPolicy,
    uses: Directory,
    facts: ({ userId, channelId }, directory) => {
      const user = directory.user(userId) ?? refuse('USER_NOT_FOUND');
      const channel = directory.channel(channelId);
      return { isVisible: channel !== undefined && may(user, { channel, to: 'see' }, directory) };
    },
  }),
  decidesOn(AddAlertWords, { stream: personalStreamOf, decide: decideAddAlertWords }),
  decidesOn(RemoveAlertWords, { stream: personalStreamOf, decide: decideRemoveAlertWords }),
  decidesOn(MuteUser, {
    stream: personalStreamOf,
    decide: decideMuteUser,
    uses: Directory,
    facts: ({ mutedUserId }, directory) => ({ exists: directory.user(mutedUserId) !== undefined }),
  }),
  decidesOn(UnmuteUser, {
    stream: personalStreamOf,
    decide: decideUnmuteUser,
    uses: Directory,
    facts: ({ mutedUserId }, directory) => ({ exists: directory.user(mutedUserId) !== undefined }),
  }),
];
