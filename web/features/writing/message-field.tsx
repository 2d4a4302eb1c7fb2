import { useComputed, useSignal } from '@preact/signals';
import type { RefObject, TargetedClipboardEvent, TargetedKeyboardEvent } from 'preact';
import { channels, people } from '../../platform/store.js';
import { loadTopics, topicsOf } from '../../platform/topics.js';
import { emoji, loadEmoji } from './emoji.js';
import { type Asked, askedAt, type Suggestion, suggestionsFor } from './suggestions.js';

interface FieldProps {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly value: string;
  readonly onWrite: (words: string) => void;
  readonly onSend: () => void;
  readonly onFiles: (files: readonly File[]) => void;
}

const LIST = 'suggestions';

/** Where a message is written. Names of people, channels, topics and emoji are offered as one begins them. */
export function MessageField({ box, value, onWrite, onSend, onFiles }: FieldProps) {
  const asked = useSignal<Asked | null>(null);
  const chosen = useSignal(0);
  const offered = useComputed(() => (asked.value ? offeredFor(asked.value) : []));
  const options = offered.value;

  function look(): void {
    const { current } = box;
    const now = current && current.selectionStart === current.selectionEnd ? current : null;
    asked.value = now && askedAt(now.value, now.selectionStart);
    chosen.value = 0;
    if (asked.value?.kind === 'emoji') loadEmoji();
    const channelId = asked.value?.kind === 'topic' ? channelIdOf(asked.value.channel) : undefined;
    if (channelId !== undefined && !topicsOf.value.has(channelId)) loadTopics(channelId);
  }

  /** @param text what stands where the name was begun */
  function put(text: string): void {
    const { current } = box;
    if (!current || !asked.value) return;
    current.setRangeText(text, asked.value.start, current.selectionStart, 'end');
    onWrite(current.value);
    look();
    current.focus();
  }

  /** @returns whether the key was for the list */
  function chooses({ key }: KeyboardEvent): boolean {
    const option = options[chosen.value];
    if (!option) return false;
    switch (key) {
      case 'ArrowDown':
      case 'ArrowUp':
        chosen.value = (chosen.value + (key === 'ArrowDown' ? 1 : options.length - 1)) % options.length;
        return true;
      case 'Enter':
      case 'Tab':
        put(option.text);
        return true;
      case 'Escape':
        asked.value = null;
        return true;
      case '>':
        // Goes on to the topics of the channel.
        if (asked.value?.kind !== 'channel') return false;
        put(option.text.replace(/\*\* $/, '>'));
        return true;
      default:
        return false;
    }
  }

  function onKey(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
    // While words are composed, Enter takes one of them.
    if (event.isComposing) return;
    const isChoice = !event.shiftKey || event.key === '>' ? chooses(event) : false;
    const isSend = !isChoice && event.key === 'Enter' && !event.shiftKey;
    if (isChoice || isSend) event.preventDefault();
    if (isSend) onSend();
  }

  function onPaste(event: TargetedClipboardEvent<HTMLTextAreaElement>): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  }

  const isOpen = options.length > 0;
  return (
    <div class="field">
      {isOpen && <Options all={options} chosen={chosen.value} onChoose={({ text }) => put(text)} />}
      <textarea
        ref={box}
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls={isOpen ? LIST : undefined}
        aria-activedescendant={isOpen ? `${LIST}-${chosen.value}` : undefined}
        placeholder="Write a message"
        title="Enter sends, Shift and Enter breaks the line; @, # and : offer names"
        rows={2}
        value={value}
        onInput={({ currentTarget }) => {
          onWrite(currentTarget.value);
          look();
        }}
        onKeyDown={onKey}
        onKeyUp={({ key }) => (key === 'ArrowLeft' || key === 'ArrowRight') && look()}
        onClick={look}
        onBlur={() => (asked.value = null)}
        onPaste={onPaste}
      />
      <p class="unseen" role="status">
        {isOpen ? `${options.length} offered: arrows choose, Enter takes` : ''}
      </p>
    </div>
  );
}

interface OptionsProps {
  readonly all: readonly Suggestion[];
  readonly chosen: number;
  readonly onChoose: (one: Suggestion) => void;
}

function Options({ all, chosen, onChoose }: OptionsProps) {
  return (
    <div class="suggestions" role="listbox" id={LIST} aria-label="Offered names">
      {all.map((one, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus, and names what is chosen
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text has the keys
        <div
          key={one.key}
          role="option"
          id={`${LIST}-${index}`}
          aria-selected={index === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(one)}
        >
          {one.label}
        </div>
      ))}
    </div>
  );
}

const channelIdOf = (name: string): number | undefined =>
  [...channels.value.values()].find((channel) => channel.name === name)?.stream_id;

function offeredFor(asked: Asked): readonly Suggestion[] {
  const topics = topicsOf.value.get(channelIdOf(asked.channel) ?? 0) ?? [];
  return suggestionsFor(asked, {
    people: people.value.values(),
    channels: channels.value.values(),
    topics: topics.map(({ name }) => name).filter((name) => name !== ''),
    emoji: emoji.value,
  });
}
