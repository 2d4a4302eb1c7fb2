import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';

const MAX_TEMPLATE = 2000;

/** The names that an RFC 6570 template asks for; null where it is no such template. */
export function templateVariables(template: string): ReadonlySet<string> | null {
  if (template === '' || template.length > MAX_TEMPLATE) return null;
  // The library takes what stands in a name for the beginning of another, and a space for part of a URL.
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
