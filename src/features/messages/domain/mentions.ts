import type { Mentions } from '../../../events/messages/messages.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { ContentFacts, CrowdFacts } from '../../markdown/content-facts.js';
import type { Rendering } from '../../markdown/render-markdown.js';

/** Wildcards that mention more users than this need a permission. */
const MANY = 15;

/**
 * The users, groups and wildcards that a content mentions.
 * Refuses with STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED, MAY_NOT_MENTION_GROUP.
 *
 * @returns undefined if there are none
 */
export function mentionsOf(
  { userIds, groups, wildcards }: Rendering,
  { crowd }: Pick<ContentFacts, 'crowd'>,
): Mentions | undefined {
  if (userIds.size + groups.size + wildcards.size === 0) return undefined;
  if (crowd) requireCrowdAllowed(wildcards, crowd);
  for (const { name, mayMention } of groups.values()) if (!mayMention) refuse('MAY_NOT_MENTION_GROUP', { name });
  return {
    ...(userIds.size > 0 && { userIds: ascending(userIds) }),
    ...(groups.size > 0 && { groupIds: ascending(groups.keys()) }),
    ...(wildcards.size > 0 && { wildcards: [...wildcards].sort() }),
    ...(crowd && wildcards.has('topic') && { participantIds: ascending(crowd.participantIds) }),
  };
}

function requireCrowdAllowed(wildcards: Rendering['wildcards'], crowd: CrowdFacts): void {
  if (crowd.mayMentionMany) return;
  if (wildcards.has('stream') && crowd.subscribers > MANY) refuse('STREAM_WILDCARD_MENTION_NOT_ALLOWED');
  if (wildcards.has('topic') && crowd.participantIds.length > MANY) refuse('TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
}

const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);
