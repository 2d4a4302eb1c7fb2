import type { LinkableFile } from './content-facts.js';
import { type Element, element, isElement, isText, textOf } from './tree.js';
import { linkedFile, thumbnailOf } from './uploaded-files.js';

/** A text with more links than this shows no pictures and no videos. */
const MOST_PREVIEWS = 24;

const PICTURE = /^[^?#]*\.(?:bmp|gif|jpe|jpe?g|png|webp)(?:[?#]|$)/i;

/** Only uploaded videos are shown: a client that plays another one asks the host that the writer has chosen. */
const VIDEO = /^\/?user_uploads\/[^?#]*\.(?:mp4|webm)(?:[?#]|$)/i;

interface FoundLink {
  readonly link: Element;
  readonly parent: Element;
  readonly grandparent: Element | null;
  readonly href: string;
}

/** Adds pictures and videos below links to them, or in place of a link that stands alone. Quoted links show none. */
export function showPreviews(root: Element, files: ReadonlyMap<string, LinkableFile>): void {
  const links = linksIn(root);
  if (new Set(links.map(({ href }) => href)).size > MOST_PREVIEWS) return;
  const shown = new Set<string>();
  for (const found of links) {
    const make = shown.has(found.href) ? null : previewOf(found.href, linkedFile(found.href, files));
    if (!make) continue;
    shown.add(found.href);
    showPreview(root, found, make);
  }
}

/** What an uploaded picture is follows from its bytes; what else is shown follows from the extension in the address. */
function previewOf(href: string, file: LinkableFile | undefined): MakePreview | null {
  if (file?.picture) return uploadedPictureOf(file);
  if (VIDEO.test(href)) return videoOf;
  if (!PICTURE.test(href)) return null;
  if (thumbnailOf(href) === null) return pictureOf;
  const mayBePicture = file === undefined || (file.picture === undefined && file.contentType.startsWith('image/'));
  return mayBePicture ? uploadedPictureOf(file) : null;
}

/** Links outside of quotations, the outermost first. */
function linksIn(root: Element): FoundLink[] {
  const found: FoundLink[] = [];
  const waiting: { readonly parent: Element; readonly grandparent: Element | null }[] = [
    { parent: root, grandparent: null },
  ];
  for (const { parent, grandparent } of waiting) {
    for (const child of parent.children) {
      if (!isElement(child) || child.tag === 'blockquote') continue;
      waiting.push({ parent: child, grandparent: parent });
      if (child.tag === 'a') found.push({ link: child, parent, grandparent, href: child.attributes.href ?? '' });
    }
  }
  return found;
}

function showPreview(root: Element, found: FoundLink, make: MakePreview): void {
  const { link, parent, grandparent, href } = found;
  const text = link.children.map(textOf).join('');
  const isBare = text === href;
  const preview = make(href, isBare ? null : text);
  const standsAlone =
    isBare && parent.children.every((child) => child === link || (isText(child) && child.trim() === ''));
  if (parent.tag === 'li') {
    parent.children.push(preview);
    const next = parent.children[parent.children.indexOf(link) + 1];
    if (isBare && parent.children[0] === link && !isText(next)) parent.children.splice(0, 1);
  } else if (parent.tag === 'p' && grandparent) {
    grandparent.children.splice(placeBehind(grandparent, parent), 0, preview);
    if (standsAlone) grandparent.children.splice(grandparent.children.indexOf(parent), nodeCount(grandparent, parent));
  } else root.children.push(preview);
}

/** Number of nodes of a paragraph and its line end. */
const nodeCount = ({ children }: Element, paragraph: Element): number =>
  isText(children[children.indexOf(paragraph) + 1]) ? 2 : 1;

/** Index after a paragraph and its previews. */
function placeBehind(container: Element, paragraph: Element): number {
  const { children } = container;
  const own = new Set(linksIn(paragraph).map(({ href }) => href));
  let at = children.indexOf(paragraph) + nodeCount(container, paragraph);
  for (let next = children[at]; isElement(next) && isPreview(next); next = children[at]) {
    const [shown] = next.children;
    if (!isElement(shown) || !own.has(shown.attributes.href ?? '')) break;
    at += 1;
  }
  return at;
}

const PICTURE_CLASS = 'message_inline_image';
const VIDEO_CLASS = `${PICTURE_CLASS} message_inline_video`;

const isPreview = ({ tag, attributes }: Element): boolean =>
  tag === 'div' && (attributes.class === PICTURE_CLASS || attributes.class === VIDEO_CLASS);

type MakePreview = (href: string, title: string | null) => Element;

/** The preview of an uploaded picture. What is known of the file says how large it is before it is loaded. */
const uploadedPictureOf =
  (file: LinkableFile | undefined): MakePreview =>
  (href, title) =>
    preview(PICTURE_CLASS, linkTo(href, title, element('img', { ...describe(file), src: thumbnailOf(href) ?? href })));

function describe(file: LinkableFile | undefined): Record<string, string> {
  if (!file?.picture) return {};
  const { width, height, isAnimated } = file.picture;
  return {
    ...(isAnimated && { 'data-animated': 'true' }),
    'data-original-content-type': file.contentType,
    'data-original-dimensions': `${width}x${height}`,
  };
}

/**
 * The preview of a picture of another site. It comes through this server: readers' clients do not ask the writer's host.
 */
const pictureOf: MakePreview = (href, title) => {
  const source = encodeURIComponent(href.replace(/^\/+/, '').replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const picture = element('img', {
    'data-src-fullsize': `/thumbnail?url=${source}&size=full`,
    src: `/thumbnail?url=${source}&size=thumbnail`,
  });
  return preview(PICTURE_CLASS, linkTo(href, title, picture));
};

/** The preview of a video. Clients load its length and its first picture, and the rest when it is played. */
const videoOf: MakePreview = (href, title) =>
  preview(VIDEO_CLASS, linkTo(href, title, element('video', { preload: 'metadata', src: href.replace(/^\/?/, '/') })));

const linkTo = (href: string, title: string | null, shown: Element): Element =>
  element('a', title === null ? { href } : { href, title }, [shown]);

const preview = (name: string, link: Element): Element => element('div', { class: name }, [link]);
