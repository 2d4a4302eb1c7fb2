import { Directory } from '../../../directory/directory.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { ArchiveChannel, decideArchiveChannel } from '../domain/archive-channel.js';
import { decideSubscribeUsers, joinedBy, SubscribeUsers } from '../domain/subscribe-users.js';
import { administrationFacts } from './administration-facts.js';
import { channelsStream, subscriptionsIn } from './channel-streams.js';

export const channelHandlers = [
  decidesOn(ArchiveChannel, {
    stream: channelsStream,
    decide: decideArchiveChannel,
    uses: Directory,
    facts: administrationFacts,
  }),
  decidesOn(SubscribeUsers, { stream: subscriptionsIn, decide: decideSubscribeUsers, answer: joinedBy }),
];
