import { useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId } from 'preact/hooks';
import type { Suggestion } from './suggestion.js';
import './offers.css';

/** What one begins to name. */
interface Named {
  /** Where its text begins, which the choice replaces. */
  readonly start: number;
  /** Whether it may be meant as it stands: no name is chosen until the arrows choose one. */
  readonly isFree?: boolean;
}

/** What a field offers. */
export interface Source<Asked extends Named> {
  /** @returns null: nothing is being named before the caret */
  askedAt(text: string, caret: number): Asked | null;
  /** Has names loaded that are not there yet. */
  load(asked: Asked): void;
  offeredFor(asked: Asked): readonly Suggestion[];
}

interface OffersProps<Asked extends Named> {
  readonly box: RefObject<HTMLInputElement | HTMLTextAreaElement | null>;
  readonly source: Source<Asked>;
  /** The list's name for screen readers. */
  readonly label: string;
  /** What a choice does; else it stands in the text. */
  readonly onTake?: (one: Suggestion) => void;
  readonly onWrite?: (text: string) => void;
}

/** Offers names in a list at a field that keeps the focus: arrows choose, Enter takes. */
export function useOffers<Asked extends Named>({ box, source, label, onTake, onWrite }: OffersProps<Asked>) {
  const id = useId();
  const asked = useSignal<Asked | null>(null);
  /** -1: none is. */
  const chosen = useSignal(0);
  const options = useComputed(() => (asked.value ? source.offeredFor(asked.value) : [])).value;
  const isOpen = options.length > 0;

  /** Offers what is being named now. */
  function look(): void {
    const { current } = box;
    const { selectionStart: caret, selectionEnd } = current ?? {};
    asked.value =
      current && typeof caret === 'number' && caret === selectionEnd ? source.askedAt(current.value, caret) : null;
    chosen.value = asked.value?.isFree ? -1 : 0;
    if (asked.value) source.load(asked.value);
  }

  /** @param text stands where the name was begun */
  function put(text: string): void {
    const { current } = box;
    if (!current || !asked.value) return;
    current.setRangeText(text, asked.value.start, current.selectionStart ?? current.value.length, 'end');
    onWrite?.(current.value);
    look();
    current.focus();
  }

  const take = (one: Suggestion): void => (onTake ? onTake(one) : put(one.text));

  /** @returns whether the key was for the list */
  function takesKey({ key, shiftKey }: KeyboardEvent): boolean {
    if (!isOpen || shiftKey) return false;
    const option = options[chosen.value];
    switch (key) {
      case 'ArrowDown':
        chosen.value = (chosen.value + 1) % options.length;
        return true;
      case 'ArrowUp':
        chosen.value = (chosen.value > 0 ? chosen.value : options.length) - 1;
        return true;
      case 'Enter':
      case 'Tab':
        if (option) take(option);
        return option !== undefined;
      case 'Escape':
        asked.value = null;
        return true;
      default:
        return false;
    }
  }

  const isChosen = isOpen && chosen.value >= 0;
  return {
    asked,
    look,
    put,
    takesKey,
    /** Whether something is asked for, and there is nothing to offer. */
    isEmpty: asked.value !== null && !isOpen,
    /** Null: none is. */
    chosen: options[chosen.value] ?? null,
    /** Properties of the field. */
    field: {
      autocomplete: 'off',
      'aria-autocomplete': 'list',
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isChosen ? `${id}-${chosen.value}` : undefined,
      onKeyUp: ({ key }: KeyboardEvent) => (key === 'ArrowLeft' || key === 'ArrowRight') && look(),
      onClick: look,
      onBlur: () => {
        asked.value = null;
      },
    } as const,
    list: (
      <>
        {isOpen && <Options id={id} label={label} all={options} chosen={chosen.value} onChoose={take} />}
        <p class="unseen" role="status">
          {isOpen ? `${options.length} offered: arrows choose, Enter takes` : ''}
        </p>
      </>
    ),
  };
}

interface OptionsProps {
  readonly id: string;
  readonly label: string;
  readonly all: readonly Suggestion[];
  readonly chosen: number;
  readonly onChoose: (one: Suggestion) => void;
}

function Options({ id, label, all, chosen, onChoose }: OptionsProps) {
  return (
    <div class="offers" role="listbox" id={id} aria-label={label}>
      {all.map((one, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus, and names what is chosen
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text has the keys
        <div
          key={one.key}
          ref={index === chosen ? showRow : undefined}
          role="option"
          id={`${id}-${index}`}
          aria-selected={index === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(one)}
        >
          {one.picture && <img src={one.picture} alt="" />} {one.label}
        </div>
      ))}
    </div>
  );
}

const showRow = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'nearest' });
