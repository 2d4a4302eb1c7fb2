import { useSignal } from '@preact/signals';
import type { TargetedDragEvent, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { timeInWords } from '../../platform/later-times.js';
import { hrefOf, type Place } from '../../platform/places.js';
import { topic } from '../../platform/state/conversation.js';
import { loadTopics, topicsOf } from '../../platform/topics.js';
import { Attachments } from './attachments.js';
import { attach } from './draft.js';
import { keptAt, save } from './drafts.js';
import { MessageField } from './message-field.js';
import { send } from './outbox.js';
import { Preview } from './preview.js';
import { SendLater } from './send-later.js';
import { isWritingPlace, type WritingPlace } from './stored-drafts.js';
import { stopTyping, wrote } from './typing.js';
import { Typists } from './typists.js';
import { UnsentMessages } from './unsent-messages.js';
import './writing.css';

/** Where one can write; in a channel, to a topic that one names. */
export function Compose({ place }: { readonly place: Place }) {
  if (!isWritingPlace(place)) return null;
  return (
    <div class="writing">
      <UnsentMessages place={place} />
      {place.kind !== 'channel' && <Typists place={place} />}
      <ComposeBox key={hrefOf(place)} place={place} />
    </div>
  );
}

function ComposeBox({ place }: { readonly place: WritingPlace }) {
  const kept = keptAt(place);
  const { draft } = kept;
  const { content, uploads, topic: name } = draft;
  const isPreviewed = useSignal(false);
  const isLater = useSignal(false);
  /** Seconds since 1970; 0: nothing was scheduled here. */
  const scheduledFor = useSignal(0);
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const isUploading = uploads.value.some(({ problem }) => problem === '');
  useEffect(() => {
    // On a phone, its keyboard would cover what one came to read.
    if (matchMedia('(hover: hover)').matches) box.current?.focus({ preventScroll: true });
    return () => {
      stopTyping();
      void save(kept);
    };
  }, []);

  const to = place.kind === 'channel' ? topic(place.channelId, name.value.trim()) : place;

  function submit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    // A link to a file that comes later would be in another message.
    if (content.value.trim() === '' || isUploading) return;
    send(to, content.value);
    empty();
    scheduledFor.value = 0;
  }

  function empty(): void {
    stopTyping();
    content.value = '';
    void save(kept);
    isPreviewed.value = false;
    isLater.value = false;
  }

  function onScheduled(seconds: number): void {
    empty();
    scheduledFor.value = seconds;
    box.current?.focus();
  }

  function addFiles(files: readonly File[]): void {
    for (const file of files) void attach(draft, file);
  }

  function onDrop(event: TargetedDragEvent<HTMLFormElement>): void {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    addFiles(files);
  }

  return (
    <>
      <form class="compose" ref={form} onSubmit={submit} onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
        {place.kind === 'channel' && (
          <TopicField channelId={place.channelId} value={name.value} onName={(value) => (name.value = value)} />
        )}
        {isPreviewed.value && <Preview content={content.value} />}
        <MessageField
          box={box}
          value={content.value}
          onWrite={(words) => {
            content.value = words;
            if (place.kind !== 'channel') wrote(place, words.trim() === '');
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
            disabled={content.value.trim() === '' && !isPreviewed.value}
            onClick={() => (isPreviewed.value = !isPreviewed.value)}
          >
            Preview
          </button>
          <button
            type="button"
            class="quiet"
            aria-expanded={isLater}
            disabled={(content.value.trim() === '' || isUploading) && !isLater.value}
            onClick={() => (isLater.value = !isLater.value)}
          >
            Send later
          </button>
          <button type="submit" disabled={isUploading}>
            Send
          </button>
        </div>
      </form>
      {isLater.value && (
        <SendLater to={to} content={content.value} onDone={onScheduled} onCancel={() => (isLater.value = false)} />
      )}
      <p class="hint" role="status">
        {kept.problem.value !== '' && `What you write is kept on this page alone. ${kept.problem.value} `}
        {scheduledFor.value > 0 && (
          <>
            It is sent at {timeInWords(scheduledFor.value)}. <a href={hrefOf({ kind: 'scheduled' })}>All that waits</a>
          </>
        )}
      </p>
    </>
  );
}

/** The server cuts longer names. */
const LONGEST_TOPIC = 60;

interface TopicFieldProps {
  readonly channelId: number;
  readonly value: string;
  readonly onName: (name: string) => void;
}

/** Offers the topics that there are. */
function TopicField({ channelId, value, onName }: TopicFieldProps) {
  useEffect(() => loadTopics(channelId), [channelId]);
  const topics = topicsOf.value.get(channelId) ?? [];
  return (
    <>
      <input
        aria-label="Topic"
        placeholder="Topic"
        maxLength={LONGEST_TOPIC}
        list="topics"
        value={value}
        onInput={({ currentTarget }) => onName(currentTarget.value)}
      />
      <datalist id="topics">
        {topics.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
