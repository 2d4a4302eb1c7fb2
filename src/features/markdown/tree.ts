/** HTML as a tree. Text is escaped when it is written, and only then. */
export type Node = string | Element | RawHtml;

export interface Element {
  readonly tag: string;
  readonly attributes: Record<string, string>;
  children: Node[];
}

/** HTML made by this code. */
interface RawHtml {
  readonly html: string;
  /** If it is alone in a paragraph, it replaces the paragraph. */
  readonly isBlock: boolean;
}

export const element = (tag: string, attributes: Record<string, string> = {}, children: Node[] = []): Element => ({
  tag,
  attributes,
  children,
});

export const isElement = (node: Node | undefined): node is Element => typeof node === 'object' && 'tag' in node;

export const isText = (node: Node | undefined): node is string => typeof node === 'string';

const BLOCKS: ReadonlySet<string> = new Set(
  'blockquote div h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td th thead tr ul'.split(' '),
);

const isBlock = (node: Node | undefined): boolean => isElement(node) && BLOCKS.has(node.tag);

/** Attributes that are written without a value. */
const BARE: ReadonlySet<string> = new Set(['controls']);

const EMPTY: ReadonlySet<string> = new Set(['br', 'hr', 'img']);

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Escapes attributes and the contents of code blocks. */
export const escapeQuoted = (text: string): string => escapeText(text).replaceAll('"', '&quot;');

/** The visible text of a node. */
export function textOf(node: Node): string {
  if (isText(node)) return node;
  return isElement(node) ? node.children.map(textOf).join('') : '';
}

/** Puts each block on lines of its own, and ends the line at each line break. */
export function layOut({ children }: Element): void {
  const laid: Node[] = [];
  const isBlank = (node: Node | undefined): boolean => node === undefined || (isText(node) && node.trim() === '');
  const first = children.find((child) => !isText(child));
  if (isBlock(first) && (children[0] === first || isBlank(children[0]))) laid.push('\n');
  children.forEach((child, index) => {
    const before = children[index - 1];
    const follows = before === undefined ? laid.length > 0 : breaksLine(before);
    if (isText(child) && follows && isBlank(child)) return;
    laid.push(isText(child) && isElement(before) && before.tag === 'br' ? `\n${child}` : child);
    if (isElement(child) && isBlock(child) && child.tag !== 'pre') layOut(child);
    const next = children[index + 1];
    if (breaksLine(child) && !(isText(next) && !isBlank(next))) laid.push('\n');
  });
  children.splice(0, children.length, ...laid);
}

/** Whether a line ends after a node, unless text follows it. */
const breaksLine = (node: Node): boolean => isBlock(node) || (isElement(node) && node.tag === 'br');

export function write(node: Node, out: Output): void {
  if (isText(node)) out.add(escapeText(node));
  else if (!isElement(node)) out.add(node.html);
  else if (node.tag === 'p' && isReplaced(node.children)) out.add(node.children[0].html);
  else writeElement(node, out);
}

const isReplaced = (children: readonly Node[]): children is readonly [RawHtml] => {
  const [only] = children;
  return children.length === 1 && typeof only === 'object' && 'html' in only && only.isBlock;
};

function writeElement({ tag, attributes, children }: Element, out: Output): void {
  let opening = `<${tag}`;
  for (const name of Object.keys(attributes).sort())
    opening += BARE.has(name) ? ` ${name}` : ` ${name}="${escapeQuoted(attributes[name] ?? '')}"`;
  out.add(`${opening}>`);
  if (EMPTY.has(tag)) return;
  for (const child of children) write(child, out);
  out.add(`</${tag}>`);
}

/** The HTML written so far, up to a length. */
export class Output {
  private readonly parts: string[] = [];
  private length = 0;

  constructor(private readonly limit: number) {}

  /** @throws TooLongError */
  add(html: string): void {
    this.length += html.length;
    if (this.length > this.limit) throw new TooLongError();
    this.parts.push(html);
  }

  toString(): string {
    return this.parts.join('');
  }
}

/** Raised for markup whose HTML is too long. */
export class TooLongError extends Error {}
