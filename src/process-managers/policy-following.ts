import { personal, TOPIC_POLICY, type TopicPolicyDocument } from '../../projections/personal.projection.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import { CHANNELS_STREAM } from '../channels/domain/channels.events.js';
import { channels } from '../channels/domain/channels.state.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import { derivedId } from '../kernel/derived-id.js';
import type { Recorded } from '../kernel/event.js';
import { fold } from '../kernel/fold.js';
import type { Position } from '../kernel/position.js';
import { ROLES } from '../kernel/role.js';
import { decideFollowTopic, FollowTopic } from '../personal/domain/follow-topic.js';
import { personalStream } from '../personal/domain/personal.events.js';
import { isOfSameTopic, personal as personalDecider } from '../personal/domain/personal.state.js';
import { subscriptionsStream } from '../subscriptions/domain/subscriptions.events.js';
import { subscriptions } from '../subscriptions/domain/subscriptions.state.js';
import type { MessagesMoved, TopicPlace } from '../topics/domain/topics.events.js';
import { USERS_STREAM } from '../users/domain/users.events.js';
import { users } from '../users/domain/users.state.js';
import { knownThrough } from './known-documents.js';
import { processManager } from './process-manager.js';

/** Users looked after at once. */
const HANDS = 8;

/** What people have said of a topic goes with it where all of it goes. */
export const policyFollowing = processManager<MessagesMoved>({
  name: 'policy-following',
  on: 'MessagesMoved',
  react: async (event, runner, readModels) => {
    const { from, to, isWholeTopic, joinsTopic = false } = event.data;
    const isOther = from.channelId !== to.channelId || fold(from.topic) !== fold(to.topic);
    if (!isWholeTopic || !isOther) return event.position;
    const places = joinsTopic ? [from, to] : [from];
    const userIds = await whoHasPolicies(places, event.position, readModels);
    if (userIds.length === 0) return event.position;
    const reads = await readersOf(to.channelId, runner);
    let reached = event.position;
    const hand = async (): Promise<void> => {
      for (let userId = userIds.shift(); userId !== undefined; userId = userIds.shift()) {
        const position = await follow(userId, { joinsTopic, isReader: reads(userId) }, event, runner);
        reached = Math.max(reached, position);
      }
    };
    await Promise.all(Array.from({ length: HANDS }, hand));
    return reached;
  },
});

async function follow(
  userId: number,
  context: { readonly joinsTopic: boolean; readonly isReader: boolean },
  { id, data, metadata, position }: Recorded<MessagesMoved>,
  runner: CommandRunner,
): Promise<Position> {
  const by = { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId };
  const outcome = await runner.decide({
    stream: personalStream(userId),
    decider: personalDecider,
    decide: decideFollowTopic,
    command: new FollowTopic(userId, data.from, data.to, by),
    context,
    by,
    cause: {
      eventId: id,
      position,
      ids: (index) => derivedId('policy-following', id, userId, index),
      isAboutTheSame: isOfSameTopic,
    },
  });
  return outcome.position;
}

/** What somebody has said since the move is of what is there since: it stays. */
async function whoHasPolicies(
  places: readonly TopicPlace[],
  position: Position,
  readModels: ReadModels,
): Promise<number[]> {
  await knownThrough(position, [personal], readModels);
  const policies = readModels.collection<TopicPolicyDocument>(personal, TOPIC_POLICY);
  const found: number[] = [];
  for (const { channelId, topic } of places) {
    const documents = await policies.find({ channelId, topicKey: fold(topic) });
    found.push(...documents.filter((document) => document.position < position).map(({ userId }) => userId));
  }
  return [...new Set(found)].sort((a, b) => a - b);
}

/** Whoever is in a channel reads it, and of a public one everybody but guests. */
async function readersOf(channelId: number, runner: CommandRunner): Promise<(userId: number) => boolean> {
  const { byId } = await runner.stateOf({ stream: CHANNELS_STREAM, decider: channels });
  const stream = subscriptionsStream(channelId);
  const { subscribed } = await runner.stateOf({ stream, decider: subscriptions });
  const people = await runner.stateOf({ stream: USERS_STREAM, decider: users });
  const isPublic = byId.get(channelId)?.inviteOnly === false;
  return (userId) =>
    subscribed.has(userId) || (isPublic && (people.byId.get(userId)?.role ?? ROLES.guest) !== ROLES.guest);
}
