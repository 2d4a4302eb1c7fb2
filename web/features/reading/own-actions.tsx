import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { request } from '../../platform/api.js';
import { bytesOf, sha256, toHex } from '../../platform/bytes.js';
import type { Message } from '../../platform/client-events.js';

interface OwnActionsProps {
  readonly message: Message;
  readonly ask: (method: string, path: string, body?: object) => Promise<boolean>;
}

/** Edits and deletes a message of one's own; the server decides whether one may. */
export function OwnActions({ message: { id }, ask }: OwnActionsProps) {
  /** What its sender wrote, while it is edited; null: it is not. */
  const written = useSignal<string | null>(null);
  const isDeleting = useSignal(false);

  async function edit(): Promise<void> {
    const { message } = await request<{ message: { content: string } }>('GET', `/messages/${id}`, {
      query: { apply_markdown: false },
    });
    written.value = message.content;
  }

  async function save(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const content = String(new FormData(event.currentTarget).get('content'));
    const prev_content_sha256 = await digestOf(written.value ?? '');
    // Another edit since is not lost: the server refuses this one.
    if (await ask('PATCH', `/messages/${id}`, { content, ...(prev_content_sha256 && { prev_content_sha256 }) }))
      written.value = null;
  }

  if (written.value !== null)
    return (
      <form class="compose" onSubmit={save}>
        <textarea name="content" aria-label="Edited message" rows={3} required>
          {written.value}
        </textarea>
        <button type="submit">Save</button>
        <button type="button" onClick={() => (written.value = null)}>
          Cancel
        </button>
      </form>
    );
  if (isDeleting.value)
    return (
      <>
        <button type="button" onClick={() => ask('DELETE', `/messages/${id}`)}>
          Delete for everybody
        </button>
        <button type="button" onClick={() => (isDeleting.value = false)}>
          Keep
        </button>
      </>
    );
  return (
    <>
      <button type="button" onClick={() => edit().catch(() => ask('GET', `/messages/${id}`))}>
        Edit
      </button>
      <button type="button" onClick={() => (isDeleting.value = true)}>
        Delete
      </button>
    </>
  );
}

/** @returns null: the browser has no digests where the page is not of a secure origin */
const digestOf = async (text: string): Promise<string | null> =>
  isSecureContext ? toHex(await sha256(bytesOf(text))) : null;
