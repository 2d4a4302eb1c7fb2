import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import { RE2JS } from 're2js';
import type {
  LinkifierAdded,
  LinkifierChanged,
  LinkifierRemoved,
  LinkifiersReordered,
} from '../../../events/organization/organization.events.js';
import type { Linkifier } from '../../../events/organization/organization.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type Administration, existing, newOrder, type OrganizationState } from './organization.js';

const MAX_PATTERN = 1000;

/** Maximum number of steps of the matcher for each character of a text. Matching takes time linear in the text's length. */
const MAX_PROGRAM = 1000;

/**
 * Compiles a regular expression in RE2's syntax. It has no look-around and no back-references, so no text can make it
 * hang. Refuses with LINKIFIER_PATTERN_INVALID.
 */
export function compilePattern(pattern: string): RE2JS {
  if (pattern.trim() === '') refuse('LINKIFIER_PATTERN_INVALID', { reason: 'it is empty' });
  if (pattern.length > MAX_PATTERN) refuse('LINKIFIER_PATTERN_INVALID', { reason: 'it is too long' });
  const compiled = compile(pattern);
  if (compiled.programSize() > MAX_PROGRAM) refuse('LINKIFIER_PATTERN_INVALID', { reason: 'it is too complex' });
  return compiled;
}

const groupNames = (pattern: RE2JS): ReadonlySet<string> => new Set(Object.keys(pattern.namedGroups()));

/** Gives the groups' values of the first match; null without a match. */
function firstMatch(pattern: RE2JS, text: string): ReadonlyMap<string, string> | null {
  const matcher = pattern.matcher(text);
  if (!matcher.find()) return null;
  return new Map([...groupNames(pattern)].map((name) => [name, matcher.group(name) ?? '']));
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return refuse('LINKIFIER_PATTERN_INVALID', { reason: error instanceof Error ? error.message : 'unknown' });
  }
}

const MAX_TEMPLATE = 2000;

/** Lists the variables of an RFC 6570 template; null for an invalid template. */
export function templateVariables(template: string): ReadonlySet<string> | null {
  if (template === '' || template.length > MAX_TEMPLATE) return null;
  // The library wrongly accepts braces inside a name, and spaces in a URL.
  if (/\{[^}]*\{|[\s\p{Cc}]/u.test(template)) return null;
  const names = new Set<string>();
  const asked = new Proxy<Record<string, never>>({}, { get: (_, name) => void names.add(String(name)) });
  try {
    StdUriTemplate.expand(template, asked);
  } catch {
    return null;
  }
  return names;
}

export type LinkifierDraft = Omit<Linkifier, 'id'>;

const MAX_EXAMPLE = 500;
const MAX_ALTERNATIVES = 20;

/**
 * Checks a linkifier: its pattern is safe, its templates name exactly the groups of the pattern, its example matches, and
 * its reverse template gives the example back. Refuses other linkifiers.
 * @param others existing linkifiers, which must have other patterns
 */
function checkLinkifier(draft: LinkifierDraft, others: readonly Linkifier[]): void {
  const pattern = compilePattern(draft.pattern);
  const groups = groupNames(pattern);
  if (draft.alternativeUrlTemplates.length > MAX_ALTERNATIVES)
    refuse('TOO_MANY_URL_TEMPLATES', { limit: MAX_ALTERNATIVES });
  for (const template of [draft.urlTemplate, ...draft.alternativeUrlTemplates])
    requireSameNames(groups, templateVariables(template) ?? refuse('INVALID_URL_TEMPLATE'));
  checkWayBack(draft, pattern, groups);
  if (others.some((other) => other.pattern === draft.pattern)) refuse('LINKIFIER_PATTERN_TAKEN');
}

const numbered = (id: number, draft: LinkifierDraft): Linkifier => ({
  id,
  pattern: draft.pattern,
  urlTemplate: draft.urlTemplate,
  exampleInput: draft.exampleInput,
  reverseTemplate: draft.reverseTemplate,
  alternativeUrlTemplates: draft.alternativeUrlTemplates,
});

function checkWayBack(
  { exampleInput, reverseTemplate }: LinkifierDraft,
  pattern: ReturnType<typeof compilePattern>,
  groups: ReadonlySet<string>,
): void {
  if (exampleInput === null) {
    if (reverseTemplate !== null) refuse('REVERSE_NEEDS_EXAMPLE');
    return;
  }
  if (exampleInput.length > MAX_EXAMPLE) refuse('EXAMPLE_TOO_LONG', { limit: MAX_EXAMPLE });
  const match = firstMatch(pattern, exampleInput) ?? refuse('EXAMPLE_DOES_NOT_MATCH');
  if (reverseTemplate === null) return;
  const parts = reverseParts(reverseTemplate) ?? refuse('INVALID_REVERSE_TEMPLATE');
  requireSameNames(groups, new Set(parts.flatMap((part) => ('name' in part ? [part.name] : []))));
  const back = parts.map((part) => ('name' in part ? match.get(part.name) : part.text)).join('');
  if (back !== exampleInput) refuse('REVERSE_DOES_NOT_MATCH');
}

function requireSameNames(groups: ReadonlySet<string>, variables: ReadonlySet<string>): void {
  const [unknown] = [...variables].filter((name) => !groups.has(name)).sort();
  if (unknown !== undefined) refuse('TEMPLATE_GROUP_UNKNOWN', { name: unknown });
  const [unused] = [...groups].filter((name) => !variables.has(name)).sort();
  if (unused !== undefined) refuse('PATTERN_GROUP_UNUSED', { name: unused });
}

type ReversePart = { readonly text: string } | { readonly name: string };

/** Splits a reverse template: `{name}` is a group's value, `{{` and `}}` are braces. null if a brace stands alone. */
function reverseParts(template: string): ReversePart[] | null {
  const parts: ReversePart[] = [];
  for (const [token, name] of template.matchAll(/\{\{|\}\}|\{(\w+)\}|[^{}]+|./gsu)) {
    if (name !== undefined) parts.push({ name });
    else if (token === '{' || token === '}') return null;
    else parts.push({ text: token === '{{' || token === '}}' ? token.slice(1) : token });
  }
  return parts;
}

export class AddLinkifier extends Command<{ linkifier: LinkifierDraft }, number> {}

export const decideAddLinkifier: Decide<AddLinkifier, OrganizationState, LinkifierAdded, Administration> = (
  { linkifier },
  state,
  { mayAdminister },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { linkifiers, lastIds } = existing(state);
  checkLinkifier(linkifier, linkifiers);
  return [{ type: 'LinkifierAdded', data: { linkifier: numbered(lastIds.linkifier + 1, linkifier) } }];
};

export class ChangeLinkifier extends Command<{
  linkifierId: number;
  /** The new linkifier, complete. */
  linkifier: LinkifierDraft;
}> {}

export const decideChangeLinkifier: Decide<ChangeLinkifier, OrganizationState, LinkifierChanged, Administration> = (
  { linkifierId, linkifier },
  state,
  { mayAdminister },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { linkifiers } = existing(state);
  const from = linkifiers.find(({ id }) => id === linkifierId) ?? refuse('LINKIFIER_NOT_FOUND');
  const others = linkifiers.filter((other) => other !== from);
  checkLinkifier(linkifier, others);
  const to = numbered(from.id, linkifier);
  if (isSame(from, to)) return [];
  return [{ type: 'LinkifierChanged', data: { from, to } }];
};

const isSame = (a: Linkifier, b: Linkifier): boolean =>
  a.pattern === b.pattern &&
  a.urlTemplate === b.urlTemplate &&
  a.exampleInput === b.exampleInput &&
  a.reverseTemplate === b.reverseTemplate &&
  a.alternativeUrlTemplates.length === b.alternativeUrlTemplates.length &&
  a.alternativeUrlTemplates.every((template, index) => template === b.alternativeUrlTemplates[index]);

export class RemoveLinkifier extends Command<{ linkifierId: number }> {}

export const decideRemoveLinkifier: Decide<RemoveLinkifier, OrganizationState, LinkifierRemoved, Administration> = (
  { linkifierId },
  state,
  { mayAdminister },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const linkifier = existing(state).linkifiers.find(({ id }) => id === linkifierId) ?? refuse('LINKIFIER_NOT_FOUND');
  return [{ type: 'LinkifierRemoved', data: { linkifier } }];
};

export class ReorderLinkifiers extends Command<{
  /** Ids of all linkifiers, in the new order of application. */
  order: readonly number[];
}> {}

export const decideReorderLinkifiers: Decide<
  ReorderLinkifiers,
  OrganizationState,
  LinkifiersReordered,
  Administration
> = ({ order }, state, { mayAdminister }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const change = newOrder(existing(state).linkifiers, order);
  if (change === 'invalid') return refuse('LINKIFIER_ORDER_INVALID');
  if (change === 'same') return [];
  return [{ type: 'LinkifiersReordered', data: { from: change.from, to: change.to } }];
};
