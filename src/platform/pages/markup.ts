/** HTML that is safe to send: every text in it is escaped. */
export class Markup {
  constructor(readonly html: string) {}
}

type Part = string | number | Markup | readonly Markup[];

/** Writes HTML. Texts in it are escaped: `` markup`<p>${name}</p>` ``. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const texts = strings.map((text, index) => text + (index < parts.length ? htmlOf(parts[index] as Part) : ''));
  return new Markup(texts.join(''));
}

export const NOTHING = new Markup('');

function htmlOf(part: Part): string {
  if (part instanceof Markup) return part.html;
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(({ html }) => html).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for an element's content, or for an attribute's value in quotation marks. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
