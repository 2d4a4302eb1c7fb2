import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { request } from '../../platform/api.js';
import type { Message } from '../../platform/client-events.js';
import { EditMessage } from './edit-message.js';

interface OwnActionsProps {
  readonly message: Message;
  readonly ask: (method: string, path: string, body?: object) => Promise<boolean>;
}

/** Edits and deletes a message of one's own; the server decides whether one may. */
export function OwnActions({ message: { id }, ask }: OwnActionsProps) {
  /** What its sender wrote, while it is edited; null: it is not. */
  const written = useSignal<string | null>(null);
  const isDeleting = useSignal(false);
  const wasEdited = useRef(false);

  async function edit(): Promise<void> {
    const { message } = await request<{ message: { content: string } }>('GET', `/messages/${id}`, {
      query: { apply_markdown: false },
    });
    written.value = message.content;
  }

  /** Whoever has no mouse is where the edit began. */
  function comeBack(button: HTMLButtonElement | null): void {
    if (button && wasEdited.current) button.focus();
    if (button) wasEdited.current = false;
  }

  if (written.value !== null)
    return (
      <EditMessage
        id={id}
        before={written.value}
        ask={ask}
        onDone={() => {
          wasEdited.current = true;
          written.value = null;
        }}
      />
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
      <button type="button" ref={comeBack} onClick={() => edit().catch(() => ask('GET', `/messages/${id}`))}>
        Edit
      </button>
      <button type="button" onClick={() => (isDeleting.value = true)}>
        Delete
      </button>
    </>
  );
}
