import type { Linkifier } from '../../../events/organization/organization.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { compilePattern, firstMatch, groupNames } from './linkifier-pattern.js';
import { templateVariables } from './url-template.js';

export type LinkifierDraft = Omit<Linkifier, 'id'>;

const MAX_EXAMPLE = 500;
const MAX_ALTERNATIVES = 20;

/**
 * Checks a linkifier: its pattern is safe, its templates name exactly the groups of the pattern, its example matches, and
 * its reverse template gives the example back. Refuses other linkifiers.
 * @param others existing linkifiers, which must have other patterns
 */
export function checkLinkifier(draft: LinkifierDraft, others: readonly Linkifier[]): void {
  const pattern = compilePattern(draft.pattern);
  const groups = groupNames(pattern);
  if (draft.alternativeUrlTemplates.length > MAX_ALTERNATIVES)
    refuse('TOO_MANY_URL_TEMPLATES', { limit: MAX_ALTERNATIVES });
  for (const template of [draft.urlTemplate, ...draft.alternativeUrlTemplates])
    requireSameNames(groups, templateVariables(template) ?? refuse('INVALID_URL_TEMPLATE'));
  checkWayBack(draft, pattern, groups);
  if (others.some((other) => other.pattern === draft.pattern)) refuse('LINKIFIER_PATTERN_TAKEN');
}

export const numbered = (id: number, draft: LinkifierDraft): Linkifier => ({
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
