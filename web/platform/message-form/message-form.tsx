import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren, RefObject, TargetedDragEvent, TargetedSubmitEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { Attachments } from './attachments.js';
import { MessageField } from './message-field.js';
import { Preview } from './preview.js';
import { attach, isUploading, type Written } from './uploads.js';
import './message-form.css';

interface MessageFormProps {
  readonly written: Written;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  /** The name of the field. */
  readonly label: string;
  /** Why it is not sent without words; without, nothing happens then. */
  readonly whyNotBlank?: string;
  readonly onWrite?: (words: string) => void;
  /** There are words, and all files are there. */
  readonly onSend: () => void;
  /** Above the words. */
  readonly above?: ComponentChildren;
  /** Buttons, the one that sends among them. */
  readonly children: ComponentChildren;
}

/** Where a message is written, or written anew: names are offered, files attached, and one sees what it will be. */
export function MessageForm({ written, box, label, whyNotBlank, onWrite, onSend, above, children }: MessageFormProps) {
  const { content, uploads } = written;
  const isPreviewed = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  useSignalEffect(() => {
    if (content.value.trim() === '') isPreviewed.value = false;
  });

  function submit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (content.value.trim() !== '' && !isUploading(written)) onSend();
  }

  function addFiles(files: readonly File[]): void {
    for (const file of files) void attach(written, file);
  }

  function onDrop(event: TargetedDragEvent<HTMLFormElement>): void {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    addFiles(files);
  }

  return (
    <form
      class="message-form"
      ref={form}
      onSubmit={submit}
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      {above}
      {isPreviewed.value && <Preview content={content.value} />}
      <MessageField
        box={box}
        label={label}
        value={content.value}
        whyNotBlank={whyNotBlank}
        onWrite={(words) => {
          content.value = words;
          onWrite?.(words);
        }}
        onSend={() => form.current?.requestSubmit()}
        onFiles={addFiles}
      />
      <Attachments uploads={uploads} />
      <div class="tools">
        <label class="attach">
          Attach
          <input
            type="file"
            multiple
            onChange={({ currentTarget }) => {
              addFiles([...(currentTarget.files ?? [])]);
              currentTarget.value = '';
            }}
          />
        </label>
        <button
          type="button"
          class="quiet"
          aria-pressed={isPreviewed.value}
          disabled={content.value.trim() === ''}
          onClick={() => (isPreviewed.value = !isPreviewed.value)}
        >
          Preview
        </button>
        {children}
      </div>
    </form>
  );
}
