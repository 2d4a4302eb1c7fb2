import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { emoji, loadEmoji } from './emoji.js';
import { type Source, useOffers } from './offers/offers.js';
import { best } from './offers/suggestion.js';
import { type Emoji, suggestionOf } from './state/emoji.js';
import './emoji-button.css';

interface EmojiButtonProps {
  readonly onTake: (emoji: Emoji) => void;
  /** What the button says. */
  readonly children: ComponentChildren;
}

/** Opens a field that finds any emoji by its name. */
export function EmojiButton({ onTake, children }: EmojiButtonProps) {
  const isOpen = useSignal(false);
  const opener = useRef<HTMLButtonElement>(null);

  function close(): void {
    isOpen.value = false;
    opener.current?.focus();
  }

  return (
    <>
      <button
        type="button"
        ref={opener}
        aria-expanded={isOpen}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {children}
      </button>
      {isOpen.value && <Picker onTake={onTake} onClose={close} />}
    </>
  );
}

interface PickerProps {
  readonly onTake: (emoji: Emoji) => void;
  readonly onClose: () => void;
}

function Picker({ onTake, onClose }: PickerProps) {
  const box = useRef<HTMLInputElement>(null);
  const offers = useOffers({
    ...{ box, source: BY_NAME, label: 'Emoji' },
    onTake({ key }) {
      const chosen = emoji.value.find(({ name }) => name === key);
      if (chosen) onTake(chosen);
      onClose();
    },
  });
  // Before the next key is pressed: it is the first of the name.
  useLayoutEffect(() => {
    box.current?.focus();
    offers.look();
  }, []);

  function onKey(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    if (event.isComposing) return;
    // Whoever only goes on takes none: the focus goes on from the button.
    const isTab = event.key === 'Tab';
    if (isTab || event.key === 'Escape') onClose();
    // It may stand in a form, which Enter would send.
    else if (!offers.takesKey(event) && event.key !== 'Enter') return;
    if (!isTab) event.preventDefault();
  }

  return (
    <div class="picker">
      <input
        {...offers.field}
        ref={box}
        type="search"
        aria-label="Emoji by name"
        onInput={offers.look}
        onKeyDown={onKey}
      />
      {offers.list}
      <p class="hint" role="status">
        {emoji.value.length > 0 && offers.isEmpty && 'No emoji has such a name'}
      </p>
    </div>
  );
}

interface AskedEmoji {
  readonly words: string;
  readonly start: number;
}

/** Offered before anything is written. */
const COMMON: readonly string[] = ['+1', 'tada', 'heart', 'joy', 'eyes', 'white_check_mark'];

const BY_NAME: Source<AskedEmoji> = {
  askedAt: (text) => ({ words: text.trim().toLowerCase().replaceAll(' ', '_').replaceAll(':', ''), start: 0 }),
  load: loadEmoji,
  offeredFor({ words }) {
    const nameOf = ({ name }: { readonly name: string }) => name;
    if (words !== '') return best(emoji.value, words, nameOf).map(suggestionOf);
    return COMMON.flatMap((common) => emoji.value.find(({ name }) => name === common) ?? []).map(suggestionOf);
  },
};
