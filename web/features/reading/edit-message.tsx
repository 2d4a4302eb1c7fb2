import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { bytesOf, sha256, toHex } from '../../platform/bytes.js';
import { MessageForm } from '../../platform/message-form/message-form.js';
import { isUploading, type Upload } from '../../platform/message-form/uploads.js';

interface EditMessageProps {
  readonly id: number;
  /** What its sender wrote. */
  readonly before: string;
  readonly ask: (method: string, path: string, body?: object) => Promise<boolean>;
  readonly onDone: () => void;
}

/** Writes a message anew, with the help that one has for a new one. */
export function EditMessage({ id, before, ask, onDone }: EditMessageProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const written = useMemo(() => ({ content: signal(before), uploads: signal<readonly Upload[]>([]) }), []);
  useEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(before.length, before.length);
    return () => {
      for (const { stop } of written.uploads.peek()) stop();
    };
  }, []);

  async function save(): Promise<void> {
    const prev_content_sha256 = await digestOf(before);
    const content = written.content.value;
    // Another edit since is not lost: the server refuses this one.
    if (await ask('PATCH', `/messages/${id}`, { content, ...(prev_content_sha256 && { prev_content_sha256 }) }))
      onDone();
  }

  return (
    <MessageForm
      written={written}
      box={box}
      label="Edited message"
      whyNotBlank="Nothing would be left of it: to take the message away, cancel, and delete it."
      onSend={save}
    >
      <button type="submit" disabled={isUploading(written)}>
        Save
      </button>
      <button type="button" onClick={onDone}>
        Cancel
      </button>
    </MessageForm>
  );
}

/** @returns null: the browser has no digests where the page is not of a secure origin */
const digestOf = async (text: string): Promise<string | null> =>
  isSecureContext ? toHex(await sha256(bytesOf(text))) : null;
