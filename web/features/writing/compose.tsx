import { useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { hrefOf, type Place } from '../../platform/places.js';
import { type Conversation, topic } from '../../platform/state/conversation.js';
import { send } from './outbox.js';
import { UnsentMessages } from './unsent-messages.js';
import './writing.css';

/** What was written at places and not sent, while the page is open. */
const drafts = new Map<string, string>();

/** Where one can write; in a channel, to a topic that one names. */
export function Compose({ place }: { readonly place: Place }) {
  if (place.kind !== 'topic' && place.kind !== 'direct' && place.kind !== 'channel') return null;
  const key = hrefOf(place);
  return (
    <div class="writing">
      <UnsentMessages place={place} />
      <ComposeBox key={key} draft={key} place={place} />
    </div>
  );
}

interface BoxProps {
  readonly draft: string;
  readonly place: Conversation | { readonly kind: 'channel'; readonly channelId: number };
}

function ComposeBox({ draft, place }: BoxProps) {
  const content = useSignal(drafts.get(draft) ?? '');
  const name = useSignal('');
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // On a phone, its keyboard would cover what one came to read.
    if (matchMedia('(hover: hover)').matches) box.current?.focus({ preventScroll: true });
  }, []);

  function write(words: string): void {
    content.value = words;
    drafts.set(draft, words);
  }

  function submit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (content.value.trim() === '') return;
    send(place.kind === 'channel' ? topic(place.channelId, name.value.trim()) : place, content.value);
    write('');
  }

  function onKey(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
    // While words are composed, Enter takes one of them.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  return (
    <form class="compose" onSubmit={submit}>
      {place.kind === 'channel' && (
        <input
          aria-label="Topic"
          placeholder="Topic"
          value={name}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
      )}
      <textarea
        ref={box}
        aria-label="Message"
        placeholder="Write a message"
        title="Enter sends, Shift and Enter breaks the line"
        rows={2}
        value={content}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={onKey}
      />
      <button type="submit">Send</button>
    </form>
  );
}
