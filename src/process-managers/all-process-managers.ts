import { accountCreation } from './account-creation.js';
import { announcementChannelWithdrawal } from './announcement-channel-withdrawal.js';
import { channelCreation } from './channel-creation.js';
import { defaultChannelCreation } from './default-channel-creation.js';
import { archivedChannelWithdrawal, privateChannelWithdrawal } from './default-channel-withdrawal.js';
import { draftWithdrawal } from './draft-withdrawal.js';
import { leftBehind } from './left-behind.js';
import { mentionFollowing } from './mention-following.js';
import { moveNoticing } from './move-noticing.js';
import { mutedSender } from './muted-sender.js';
import { policyFollowing } from './policy-following.js';
import type { ProcessManager } from './process-manager.js';
import { reactionParticipation, topicParticipation } from './topic-participation.js';

/** Everything that decisions cause in other streams. */
export const processManagers: readonly ProcessManager[] = [
  accountCreation,
  channelCreation,
  defaultChannelCreation,
  privateChannelWithdrawal,
  archivedChannelWithdrawal,
  announcementChannelWithdrawal,
  moveNoticing,
  policyFollowing,
  topicParticipation,
  reactionParticipation,
  mentionFollowing,
  leftBehind,
  mutedSender,
  draftWithdrawal,
];
