import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';

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
