import { useLayoutEffect, useRef } from 'preact/hooks';
import { contentOf } from './content.js';
import { settings } from './store.js';

/** Content that the server has rendered, as the policy of the page permits it. */
export function Rendered({ html }: { readonly html: string }) {
  const box = useRef<HTMLDivElement>(null);
  // Times in it are written by one's settings.
  const clock = settings.value?.twenty_four_hour_time;
  useLayoutEffect(() => box.current?.replaceChildren(contentOf(html)), [html, clock]);
  return <div class="content" ref={box} />;
}
