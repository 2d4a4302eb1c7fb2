import type { TargetedInputEvent, TargetedKeyboardEvent, TargetedSubmitEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { type Source, useOffers } from '../../platform/offers/offers.js';
import { hrefOf } from '../../platform/places.js';
import { channels, people } from '../../platform/store.js';
import { loadTopics, topicsOf } from '../../platform/topics.js';
import { type Asked, askedAt, goesOnAt, suggestionsFor } from './search-names.js';

/** Searches messages. Operators and their operands are offered. */
export function Search() {
  const box = useRef<HTMLInputElement>(null);
  const offers = useOffers({ box, source: NAMES, label: 'Ways to search' });

  function go(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    offers.asked.value = null;
    const words = box.current?.value.trim();
    if (words) location.hash = hrefOf({ kind: 'search', words });
  }

  function onKey(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    if (!event.isComposing && offers.takesKey(event)) event.preventDefault();
  }

  function onInput({ currentTarget }: TargetedInputEvent<HTMLInputElement>): void {
    const caret = currentTarget.selectionStart ?? 0;
    const start = goesOnAt(currentTarget.value, caret);
    if (start !== null) currentTarget.setRangeText(',', start, caret, 'end');
    offers.look();
  }

  return (
    <search>
      <form onSubmit={go}>
        <input
          {...offers.field}
          ref={box}
          type="search"
          aria-label="Search messages"
          placeholder="Search"
          onFocus={offers.look}
          onInput={onInput}
          onKeyDown={onKey}
        />
        {offers.list}
      </form>
    </search>
  );
}

const NAMES: Source<Asked> = {
  askedAt,
  load({ operator, channel }) {
    const id = channelIdOf(channel);
    if (operator === 'topic' && id !== undefined && !topicsOf.value.has(id)) loadTopics(id);
  },
  offeredFor(asked) {
    const id = channelIdOf(asked.channel);
    const some = id === undefined ? [...topicsOf.value.values()].flat() : (topicsOf.value.get(id) ?? []);
    return suggestionsFor(asked, {
      people: people.value.values(),
      channels: channels.value.values(),
      topics: [...new Set(some.map(({ name }) => name).filter((name) => name !== ''))],
    });
  },
};

const channelIdOf = (name: string): number | undefined =>
  [...channels.value.values()].find((channel) => channel.name.toLowerCase() === name.toLowerCase())?.stream_id;
