import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { request } from '../api.js';
import { contentOf } from '../content.js';
import { wordsOf } from '../deed.js';

/** A message as others will see it, by the server. */
export function Preview({ content }: { readonly content: string }) {
  const box = useRef<HTMLDivElement>(null);
  const problem = useSignal('');
  useEffect(() => {
    const stopped = new AbortController();
    request<{ rendered: string }>('POST', '/messages/render', { body: { content }, stop: stopped.signal })
      .then(({ rendered }) => {
        problem.value = '';
        if (!stopped.signal.aborted) box.current?.replaceChildren(contentOf(rendered));
      })
      .catch((error: unknown) => {
        if (!stopped.signal.aborted) problem.value = wordsOf(error);
      });
    return () => stopped.abort();
  }, [content]);
  return (
    <section class="preview" aria-label="Preview">
      <div class="content" ref={box} />
      <p class="problem" role="alert">
        {problem}
      </p>
    </section>
  );
}
