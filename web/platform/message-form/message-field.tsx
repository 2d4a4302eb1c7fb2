import type { RefObject, TargetedClipboardEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect } from 'preact/hooks';
import { emoji, loadEmoji } from '../emoji.js';
import { type Source, useOffers } from '../offers/offers.js';
import { channels, longestMessage, people, settings } from '../store.js';
import { loadTopics, topicsOf } from '../topics.js';
import { type Asked, askedAt, suggestionsFor } from './suggestions.js';

interface FieldProps {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly label: string;
  readonly value: string;
  /** Why there is to be something in it; without, it may be empty. */
  readonly whyNotBlank?: string | undefined;
  readonly onWrite: (words: string) => void;
  readonly onSend: () => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Where a message is written. Names of people, channels, topics and emoji are offered as one begins them. */
export function MessageField({ box, label, value, whyNotBlank, onWrite, onSend, onFiles }: FieldProps) {
  const offers = useOffers({ box, source: NAMES, label: 'Offered names', onWrite });
  const longest = longestMessage.value;
  // The browser tells it at the field, and submits nothing.
  useEffect(() => {
    const tooLong = `It is too long for one message, which has at most ${longest} characters.`;
    const blank = value.trim() === '' ? (whyNotBlank ?? '') : '';
    box.current?.setCustomValidity(value.length > longest ? tooLong : blank);
  }, [value, longest, whyNotBlank]);
  const enterSends = settings.value?.enter_sends === true;

  /** @returns whether the key goes on to the topics of the channel that is chosen */
  function goesOn({ key }: KeyboardEvent): boolean {
    if (key !== '>' || offers.chosen === null || offers.asked.value?.kind !== 'channel') return false;
    offers.put(offers.chosen.text.replace(/\*\* $/, '>'));
    return true;
  }

  function onKey(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
    // While words are composed, Enter takes one of them.
    if (event.isComposing) return;
    const isCtrlEnter = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    const isChoice = !isCtrlEnter && (goesOn(event) || offers.takesKey(event));
    const isSend = isCtrlEnter || (!isChoice && enterSends && event.key === 'Enter' && !event.shiftKey);
    if (isChoice || isSend) event.preventDefault();
    if (isSend) onSend();
  }

  function onPaste(event: TargetedClipboardEvent<HTMLTextAreaElement>): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  }

  return (
    <div class="field">
      {offers.list}
      <textarea
        {...offers.field}
        ref={box}
        aria-label={label}
        placeholder="Write a message"
        title={`${enterSends ? 'Enter sends, Shift and Enter breaks the line' : 'Ctrl and Enter sends'}; @, # and : offer names`}
        rows={2}
        value={value}
        onInput={({ currentTarget }) => {
          onWrite(currentTarget.value);
          offers.look();
        }}
        onKeyDown={onKey}
        onPaste={onPaste}
      />
    </div>
  );
}

const NAMES: Source<Asked> = {
  askedAt,
  load(asked) {
    if (asked.kind === 'emoji') loadEmoji();
    const channelId = asked.kind === 'topic' ? channelIdOf(asked.channel) : undefined;
    if (channelId !== undefined && !topicsOf.value.has(channelId)) loadTopics(channelId);
  },
  offeredFor(asked) {
    const topics = topicsOf.value.get(channelIdOf(asked.channel) ?? 0) ?? [];
    return suggestionsFor(asked, {
      people: people.value.values(),
      channels: channels.value.values(),
      topics: topics.map(({ name }) => name).filter((name) => name !== ''),
      emoji: emoji.value,
    });
  },
};

const channelIdOf = (name: string): number | undefined =>
  [...channels.value.values()].find((channel) => channel.name === name)?.stream_id;
