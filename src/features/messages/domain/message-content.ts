import type { Mentions, MessageContent } from '../../../events/messages/messages.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { shortened } from '../../../platform/kernel/text.js';
import type { ContentFacts, CrowdFacts, LinkableFile } from '../../markdown/content-facts.js';
import { RENDERER_VERSION, type Rendering, renderMessage } from '../../markdown/render-markdown.js';
import { linkedFile } from '../../markdown/uploaded-files.js';

/** In Unicode code points; clients get it in the register response. */
export const MAX_MESSAGE_LENGTH = 10_000;

/** Wildcards that mention more users than this need a permission. */
const MANY = 15;

/** Matches the addresses in rendered HTML, relative or of any host: a file's own name cannot be guessed. */
const ADDRESS = /\s(?:href|src)="(?:https?:\/\/[^/"]*)?([^"]*)"/g;

/** The last line of a text that was too long. */
export const CUT_TEXT = '\n[message truncated]';

/** The text as it is stored; it may be empty. @throws DomainError MESSAGE_HAS_NULL_BYTES */
export function storedText(content: string): string {
  const text = content.trimEnd();
  if (text.includes('\0')) refuse('MESSAGE_HAS_NULL_BYTES');
  return shortenedText(text);
}

/** Whether a text has nothing but spaces and controls. Invisible characters count: bots send them to say nothing. */
export const isEmptyText = (text: string): boolean => !/[^\s\p{Cc}]/u.test(text);

/** A text that is too long for a message, cut to the greatest length. */
export const shortenedText = (text: string): string => shortened(text, MAX_MESSAGE_LENGTH, CUT_TEXT);

/** The text, and what the renderer makes of it now (D6). Refuses as `mentionsOf` does. */
export function contentOf(text: string, facts: ContentFacts): MessageContent {
  const rendering = renderMessage(text, facts.names, facts.colours);
  const mentions = mentionsOf(rendering, facts);
  const { rendered } = rendering;
  const attachmentIds = filesLinkedIn(rendered, facts.names.files);
  return {
    text,
    rendered,
    rendererVersion: RENDERER_VERSION,
    ...(mentions && { mentions }),
    ...(attachmentIds.length > 0 && { attachmentIds }),
  };
}

/**
 * The users, groups and wildcards that a content mentions.
 * Refuses with STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED, MAY_NOT_MENTION_GROUP.
 *
 * @returns undefined if there are none
 */
function mentionsOf(
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

/**
 * Ids of the files that rendered content links to or shows, ascending.
 * @param known the files that its writer may link to, by the path that the file's URL ends in
 */
export function filesLinkedIn(html: string, known: ReadonlyMap<string, LinkableFile>): readonly number[] {
  if (known.size === 0) return [];
  const ids = new Set<number>();
  for (const [, address = ''] of html.matchAll(ADDRESS)) {
    const file = linkedFile(address, known);
    if (file) ids.add(file.id);
  }
  return ascending(ids);
}
