import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { plannedTime } from '../../platform/clock.js';
import { MessageForm } from '../../platform/message-form/message-form.js';
import { isUploading } from '../../platform/message-form/uploads.js';
import { hrefOf, type Place } from '../../platform/places.js';
import { topic } from '../../platform/state/conversation.js';
import { loadTopics, topicsOf } from '../../platform/topics.js';
import { keptAt, save } from './drafts.js';
import { send } from './outbox.js';
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
  const { content, topic: name } = draft;
  const isLater = useSignal(false);
  /** Seconds since 1970; 0: nothing was scheduled here. */
  const scheduledFor = useSignal(0);
  const box = useRef<HTMLTextAreaElement>(null);
  const isBusy = isUploading(draft);
  useEffect(() => {
    // On a phone, its keyboard would cover what one came to read.
    if (matchMedia('(hover: hover)').matches) box.current?.focus({ preventScroll: true });
    return () => {
      stopTyping();
      void save(kept);
    };
  }, []);

  const to = place.kind === 'channel' ? topic(place.channelId, name.value.trim()) : place;

  function onSend(): void {
    send(to, content.value);
    empty();
    scheduledFor.value = 0;
  }

  function empty(): void {
    stopTyping();
    content.value = '';
    void save(kept);
    isLater.value = false;
  }

  function onScheduled(seconds: number): void {
    empty();
    scheduledFor.value = seconds;
    box.current?.focus();
  }

  return (
    <>
      <MessageForm
        written={draft}
        box={box}
        label="Message"
        onWrite={(words) => {
          if (place.kind !== 'channel') wrote(place, words.trim() === '');
        }}
        onSend={onSend}
        above={
          place.kind === 'channel' && (
            <TopicField channelId={place.channelId} value={name.value} onName={(value) => (name.value = value)} />
          )
        }
      >
        <button
          type="button"
          class="quiet"
          aria-expanded={isLater}
          disabled={(content.value.trim() === '' || isBusy) && !isLater.value}
          onClick={() => (isLater.value = !isLater.value)}
        >
          Send later
        </button>
        <button type="submit" disabled={isBusy}>
          Send
        </button>
      </MessageForm>
      {isLater.value && (
        <SendLater to={to} content={content.value} onDone={onScheduled} onCancel={() => (isLater.value = false)} />
      )}
      <p class="hint" role="status">
        {kept.problem.value !== '' && `What you write is kept on this page alone. ${kept.problem.value} `}
        {scheduledFor.value > 0 && (
          <>
            It is sent at {plannedTime(scheduledFor.value)}. <a href={hrefOf({ kind: 'scheduled' })}>All that waits</a>
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
