import { directoryProjection } from '../../projections/directory.projection.js';
import { personal, TOPIC_POLICY, type TopicPolicyDocument } from '../../projections/personal.projection.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import type { DirectoryKind, DirectoryRecords, PositionInterval } from '../directory/directory.records.js';
import { covers } from '../directory/intervals.js';
import { derivedId } from '../kernel/derived-id.js';
import type { Recorded } from '../kernel/event.js';
import { fold } from '../kernel/fold.js';
import type { Position } from '../kernel/position.js';
import { ROLES } from '../kernel/role.js';
import { decideFollowTopic, FollowTopic, type FollowTopicFacts } from '../personal/domain/follow-topic.js';
import { PERSONAL_STREAMS, type PersonalEvent, personalStream } from '../personal/domain/personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../personal/domain/personal.settings.js';
import { isOfSameTopic, personal as personalDecider, topicOf } from '../personal/domain/personal.state.js';
import type { MessagesMoved, TopicPlace } from '../topics/domain/topics.events.js';
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
    const changed = await changedSince(event, runner);
    const userIds = await whoHadPolicies(places, event.position, changed, readModels);
    if (userIds.length === 0) return event.position;
    const reads = await readersOf(to.channelId, event.position, userIds, readModels);
    let reached = event.position;
    const hand = async (): Promise<void> => {
      for (let userId = userIds.shift(); userId !== undefined; userId = userIds.shift()) {
        const position = await follow(
          userId,
          { joinsTopic, isReader: reads(userId), changedSince: changed.get(userId) ?? NOTHING },
          event,
          runner,
        );
        reached = Math.max(reached, position);
      }
    };
    await Promise.all(Array.from({ length: HANDS }, hand));
    return reached;
  },
});

async function follow(
  userId: number,
  context: FollowTopicFacts,
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

type Policies = Map<string, TopicPolicy>;

const NOTHING: Policies = new Map();

/** Of what was said since the move of the two topics, by user: the policies that it took the place of. */
async function changedSince(
  event: Recorded<MessagesMoved>,
  runner: CommandRunner,
): Promise<ReadonlyMap<number, Policies>> {
  const { from, to } = event.data;
  const keys = new Set([from, to].map(({ channelId, topic }) => topicOf(channelId, topic)));
  const byUser = new Map<number, Policies>();
  for await (const { type, data } of runner.eventsSince<PersonalEvent>(event, PERSONAL_STREAMS)) {
    if (type !== 'TopicPolicySet') continue;
    const key = topicOf(data.channelId, data.topic);
    const own: Policies = byUser.get(data.userId) ?? new Map();
    if (!keys.has(key) || own.has(key)) continue;
    byUser.set(data.userId, own.set(key, data.from));
  }
  return byUser;
}

/** As of the move: what somebody has said since is of what is there since. */
async function whoHadPolicies(
  places: readonly TopicPlace[],
  position: Position,
  changed: ReadonlyMap<number, Policies>,
  readModels: ReadModels,
): Promise<number[]> {
  await knownThrough(position, [personal], readModels);
  const policies = readModels.collection<TopicPolicyDocument>(personal, TOPIC_POLICY);
  const found = new Set<number>();
  for (const { channelId, topic } of places) {
    for (const document of await policies.find({ channelId, topicKey: fold(topic) }))
      if (document.position < position) found.add(document.userId);
    const key = topicOf(channelId, topic);
    for (const [userId, own] of changed)
      if ((own.get(key) ?? TOPIC_POLICIES.none) !== TOPIC_POLICIES.none) found.add(userId);
  }
  return [...found].sort((a, b) => a - b);
}

/** Whoever was in the channel when the topic moved reads it, and of a public one everybody but guests. */
async function readersOf(
  channelId: number,
  position: Position,
  userIds: readonly number[],
  readModels: ReadModels,
): Promise<(userId: number) => boolean> {
  await knownThrough(position, [directoryProjection], readModels);
  const records = <K extends DirectoryKind>(kind: K, ids: readonly DirectoryRecords[K]['_id'][]) =>
    readModels.collection<DirectoryRecords[K]>(directoryProjection, kind).find({ _id: { $in: ids } } as never);
  const [channel] = await records('channels', [channelId]);
  const then = <I extends PositionInterval>(intervals: readonly I[] = []): I | undefined =>
    intervals.find((interval) => covers([interval], position));
  const isPublic = then(channel?.sightIntervals)?.seers.roles.includes(ROLES.member) ?? false;
  const subscribed = await records(
    'subscriptions',
    userIds.map((userId) => `${channelId}/${userId}`),
  );
  const readers = new Set(subscribed.filter(({ intervals }) => then(intervals)).map(({ userId }) => userId));
  if (isPublic)
    for (const { _id, role, roleIntervals } of await records('users', userIds))
      if ((then(roleIntervals)?.role ?? role) !== ROLES.guest) readers.add(_id);
  return (userId) => readers.has(userId);
}
