import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import { FollowedDirectory } from '../../../directory/followed-directory.js';
import { type MessageSent, messageIdAt } from '../../../events/messages/messages.events.js';
import type { OpenFollower } from '../../../platform/consumers/follower.js';
import { QueuedEffect } from '../../../platform/consumers/queued-effect.js';
import { CodeColouring } from '../../code-colours/code-colouring.js';
import type { FeatureFollowerParts } from '../../feature.js';
import { calledWebhooks, mayCall } from '../domain/called-bots.js';
import { BotReplies } from './bot-replies.js';
import { CallPerformer } from './call-performer.js';
import { CALLS, type CallTask, laneOf } from './webhook-tasks.js';

/**
 * Opens the caller of outgoing webhook bots. A call has an id made of the message and the bot. One that is under way when
 * the process ends is made again; its reply is posted once.
 */
export const openWebhookCaller = (parts: FeatureFollowerParts): OpenFollower =>
  new QueuedEffect<CallTask, MessageSent>(CALLS, parts, (tasks) => {
    const facts = new FollowedDirectory(parts, directoryProjection);
    const { directory } = facts;
    const colouring = new CodeColouring();
    const replies = new BotReplies({ ...parts, directory, colouring });
    const performer = new CallPerformer({ ...parts, directory, replies, signal: tasks.signal });
    return {
      facts,
      // Most messages call no bot, and are not worth the decryption.
      concerns: (data) => mayCall(data, directory),
      on: {
        MessageSent: async ({ data, revision }) => {
          const messageId = messageIdAt(revision);
          const channelId = data.recipient.type === 'channel' ? data.recipient.channelId : null;
          for (const { botId, trigger } of calledWebhooks(data, directory))
            await tasks.add({
              _id: `${messageId}/${botId}`,
              lane: laneOf(botId),
              messageId,
              botId,
              trigger,
              channelId,
            });
        },
      },
      openLanes: () => [...directory.allWebhookBots()].map(laneOf),
      perform: (task) => performer.perform(task),
      recordRefusal: (task) => performer.postFailure(task),
      close: () => colouring.onApplicationShutdown(),
    };
  });
