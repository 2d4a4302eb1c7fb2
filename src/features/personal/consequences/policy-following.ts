import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import {
  personal,
  TOPIC_POLICY,
  type TopicPolicyDocument,
} from '../../../../projections/personal/personal.projection.js';
import type { DirectoryKind, DirectoryRecords, PositionInterval } from '../../../directory/directory.records.js';
import { covers } from '../../../directory/intervals.js';
import { type MessagesMoved, type TopicPlace, topicId } from '../../../events/messages/topics.events.js';
import { PERSONAL_STREAMS, type PersonalEvent, personalStream } from '../../../events/personal/personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../../../events/personal/personal.settings.js';
import { ROLES } from '../../../events/shared/role.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { knownThrough } from '../../../platform/consumers/known-documents.js';
import { causerOf, decideAfter, processManager } from '../../../platform/consumers/process-manager.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { forEachConcurrently } from '../../../platform/kernel/for-each-concurrently.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { Position } from '../../../platform/kernel/position.js';
import { foldCase } from '../../../platform/kernel/text.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { isOfSameTopic, personal as personalDecider } from '../domain/personal.state.js';
import { decideFollowTopic, FollowTopic, type FollowTopicFacts } from '../domain/topic-policies.js';

/** Users handled at once. */
const CONCURRENCY = 8;

/** Moves users' policies for a topic with it, if all of it is moved. */
export const policyFollowing = processManager<MessagesMoved>({
  name: 'policy-following',
  on: 'MessagesMoved',
  appends: ['TopicPolicySet'],
  reads: [directoryProjection, personal],
  react: async (event, runner, readModels) => {
    const { from, to, isWholeTopic, joinsTopic = false } = event.data;
    const isOther = from.channelId !== to.channelId || foldCase(from.topic) !== foldCase(to.topic);
    if (!isWholeTopic || !isOther) return event.position;
    const places = joinsTopic ? [from, to] : [from];
    const changed = await changedSince(event, runner);
    const userIds = await usersWithPolicies(places, event.position, changed, readModels);
    if (userIds.length === 0) return event.position;
    const reads = await readersOf(to.channelId, event.position, userIds, readModels);
    let reached = event.position;
    await forEachConcurrently(userIds, CONCURRENCY, async (userId) => {
      const position = await follow(
        userId,
        { joinsTopic, isReader: reads(userId), changedSince: changed.get(userId) ?? NO_POLICIES },
        event,
        runner,
      );
      reached = Math.max(reached, position);
    });
    return reached;
  },
});

async function follow(
  userId: number,
  context: FollowTopicFacts,
  { id, data, metadata, position }: Recorded<MessagesMoved>,
  runner: CommandRunner,
): Promise<Position> {
  const by = causerOf({ metadata });
  const outcome = await decideAfter({ id, metadata, position }, runner, {
    stream: personalStream(userId),
    decider: personalDecider,
    decide: decideFollowTopic,
    command: new FollowTopic(userId, data.from, data.to, by),
    context,
    ids: (index) => derivedId('policy-following', id, userId, index),
    isAboutTheSame: isOfSameTopic,
  });
  return outcome.position;
}

type Policies = Map<string, TopicPolicy>;

const NO_POLICIES: Policies = new Map();

/** The policies for the two topics that users have replaced since the move, by user. */
async function changedSince(
  event: Recorded<MessagesMoved>,
  runner: CommandRunner,
): Promise<ReadonlyMap<number, Policies>> {
  const { from, to } = event.data;
  const keys = new Set([from, to].map(({ channelId, topic }) => topicId(channelId, topic)));
  const byUser = new Map<number, Policies>();
  for await (const { type, data } of runner.eventsSince<PersonalEvent>(event, PERSONAL_STREAMS)) {
    if (type !== 'TopicPolicySet') continue;
    const key = topicId(data.channelId, data.topic);
    const own: Policies = byUser.get(data.userId) ?? new Map();
    if (!keys.has(key) || own.has(key)) continue;
    byUser.set(data.userId, own.set(key, data.from));
  }
  return byUser;
}

/** Ids of the users who had a policy at the move: later policies are about the later messages. */
async function usersWithPolicies(
  places: readonly TopicPlace[],
  position: Position,
  changed: ReadonlyMap<number, Policies>,
  readModels: ReadModels,
): Promise<number[]> {
  await knownThrough(position, [personal], readModels);
  const policies = readModels.collection<TopicPolicyDocument>(personal, TOPIC_POLICY);
  const found = new Set<number>();
  for (const { channelId, topic } of places) {
    for (const document of await policies.find({ channelId, topicKey: foldCase(topic) }))
      if (document.position < position) found.add(document.userId);
    const key = topicId(channelId, topic);
    for (const [userId, own] of changed)
      if ((own.get(key) ?? TOPIC_POLICIES.none) !== TOPIC_POLICIES.none) found.add(userId);
  }
  return [...found].sort((a, b) => a - b);
}

/** The users who read the channel at the move: its subscribers, and of a public channel all users except guests. */
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
