import { type TopicPolicyDocument, topicPolicyId } from '../../../../../projections/personal/personal.projection.js';
import type { Directory } from '../../../../directory/directory.js';
import type { UserRecord } from '../../../../directory/directory.records.js';
import type { Facts } from '../../../../directory/facts.js';
import { TOPIC_POLICIES } from '../../../../events/personal/personal.settings.js';
import type { NarrowedMessage } from '../../../narrow/domain/narrow-match.js';
import type { Narrow } from '../../../narrow/domain/narrow-resolve.js';
import { readPersonal } from '../../../personal/queries/personal.queries.js';

/** Topics of one channel. */
interface ChannelTopics {
  readonly channelId: number;
  /** Folded names; null: all topics of the channel, though some may be excepted. */
  readonly topicKeys: readonly string[] | null;
}

/** The topics that a reader follows or has muted, by a policy for the topic or by a mute of its channel. */
export class TopicPolicies {
  private readonly policies: ReadonlyMap<string, TopicPolicyDocument['policy']>;
  private muted: ReadonlySet<number> | null = null;

  constructor(
    private readonly topics: readonly TopicPolicyDocument[],
    private readonly reader: UserRecord,
    private readonly directory: Directory,
  ) {
    this.policies = new Map(
      topics.map(({ channelId, topicKey, policy }) => [topicPolicyId(channelId, topicKey), policy]),
    );
  }

  /** Collected when first asked for: most narrows never ask. */
  private get mutedChannels(): ReadonlySet<number> {
    this.muted ??= new Set(
      [...this.directory.subscriptionsOf(this.reader._id)].flatMap(([channelId, { settings }]) =>
        settings.is_muted ? channelId : [],
      ),
    );
    return this.muted;
  }

  has(as: 'followed' | 'muted', message: NarrowedMessage): boolean {
    if (message.type === 'direct') return false;
    const { channelId, topicKey } = message;
    if (as === 'muted') return this.isMuted(channelId, topicKey);
    return this.policies.get(topicPolicyId(channelId, topicKey)) === TOPIC_POLICIES.followed;
  }

  isMuted(channelId: number, topicKey: string): boolean {
    const policy = this.policies.get(topicPolicyId(channelId, topicKey));
    return policy === undefined ? this.mutedChannels.has(channelId) : policy === TOPIC_POLICIES.muted;
  }

  /** The topics that such messages can be in. */
  places(as: 'followed' | 'muted'): ChannelTopics[] {
    const topics = this.topics.filter(({ policy }) => policy === TOPIC_POLICIES[as]);
    const wholly = as === 'muted' ? this.mutedChannels : new Set<number>();
    const byChannel = new Map<number, string[]>();
    for (const { channelId, topicKey } of topics)
      if (!wholly.has(channelId)) byChannel.set(channelId, [...(byChannel.get(channelId) ?? []), topicKey]);
    return [
      ...[...wholly].map((channelId) => ({ channelId, topicKeys: null })),
      ...[...byChannel].map(([channelId, topicKeys]) => ({ channelId, topicKeys })),
    ];
  }

  /** Muted channels of which every topic is muted. */
  get silentChannels(): number[] {
    const excepted = new Set(
      this.topics.flatMap(({ channelId, policy }) => (policy === TOPIC_POLICIES.muted ? [] : channelId)),
    );
    return [...this.mutedChannels].filter((channelId) => !excepted.has(channelId));
  }
}

/** The reader's topic policies; reads nothing if the narrow does not need them. */
export async function topicPoliciesFor(
  { required, excluded }: Narrow,
  reader: UserRecord,
  facts: Facts,
): Promise<TopicPolicies> {
  const asks = [...required, ...excluded].some(({ kind }) => kind === 'followed' || kind === 'muted');
  const topics = asks ? (await readPersonal(facts.readModels, reader._id, facts.directory.position)).topics : [];
  return new TopicPolicies(topics, reader, facts.directory);
}
