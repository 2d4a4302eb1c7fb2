import { useLayoutEffect, useRef } from 'preact/hooks';
import { contentOf } from './content.js';

/** Content that the server has rendered, as the policy of the page permits it. */
export function Rendered({ html }: { readonly html: string }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.replaceChildren(contentOf(html)), [html]);
  return <div class="content" ref={box} />;
}
