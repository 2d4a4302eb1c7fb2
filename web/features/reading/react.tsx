import { useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { emoji, loadEmoji } from '../../platform/emoji.js';
import { type Source, useOffers } from '../../platform/offers/offers.js';
import { best } from '../../platform/offers/suggestion.js';
import { suggestionOf } from '../../platform/state/emoji.js';
import type { Emoji } from './reactions.js';

interface ReactProps {
  readonly onReact: (emoji: Emoji) => void;
}

/** Reacts with any emoji, by its name. */
export function React({ onReact }: ReactProps) {
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
        React
      </button>
      {isOpen.value && <Picker onReact={onReact} onClose={close} />}
    </>
  );
}

interface PickerProps extends ReactProps {
  readonly onClose: () => void;
}

function Picker({ onReact, onClose }: PickerProps) {
  const box = useRef<HTMLInputElement>(null);
  const offers = useOffers({
    ...{ box, source: BY_NAME, label: 'Emoji' },
    onTake({ key }) {
      const chosen = emoji.value.find(({ name }) => name === key);
      if (chosen) onReact({ emoji_name: chosen.name, emoji_code: chosen.code, reaction_type: chosen.type });
      onClose();
    },
  });
  useEffect(() => {
    box.current?.focus();
    offers.look();
  }, []);

  function onKey(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    if (event.isComposing) return;
    // Whoever only goes on does not react: the focus goes on from the button.
    const isTab = event.key === 'Tab';
    if (isTab || event.key === 'Escape') onClose();
    else if (!offers.takesKey(event)) return;
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
