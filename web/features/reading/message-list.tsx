import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Message } from '../../platform/client-events.js';
import { connection } from '../../platform/connection.js';
import { contains, type MessagePlace } from '../../platform/places.js';
import { follow, myId } from '../../platform/store.js';
import { MessageRow } from './message-row.js';
import { markRead } from './read-marks.js';
import { openTimeline } from './timeline.js';
import { AT_END, movedWindow, openedWindow, shownOf } from './window.js';

/** How near an end of what is shown more is shown, in heights of the list. */
const NEAR = 1;

/** The place in the list that one looks at: it stays where it is when rows come, go or grow. */
interface Look {
  readonly id: number;
  readonly offset: number;
}

/** The messages of a place. Only a window of what is loaded is rendered; it moves as one scrolls. */
export function MessageList({ place }: { readonly place: MessagePlace }) {
  const list = useRef<HTMLElement>(null);
  const look = useRef<Look | null>(null);
  const isAtEnd = useRef(false);
  const hasOpened = useRef(false);
  /** The frame that extends what is shown; 0: none does. */
  const nextStep = useRef(0);
  const window = useSignal(AT_END);
  const timeline = useMemo(() => openTimeline(place, () => (isAtEnd.current ? null : (look.current?.id ?? null))), []);
  useEffect(() => timeline.close, []);
  useEffect(
    () =>
      follow({
        happened(event) {
          // Who writes here looks for it.
          const isMine = event.type === 'message' && event.local_message_id !== undefined;
          if (isMine && contains(place, { ...event.message, flags: event.flags }, myId.value)) toNewest();
        },
      }),
    [],
  );
  useSignalEffect(() => {
    if (connection.value === 'online' && timeline.problem.peek() !== '') timeline.reload('first_unread');
  });

  const { messages, hasOldest } = timeline.state.value;
  const shown = useComputed(() => shownOf(timeline.state.value.messages, window.value));
  const rows = shown.value;
  const endsWithNewest = useComputed(() => {
    const { messages, hasNewest } = timeline.state.value;
    return hasNewest && shown.value.at(-1) === messages.at(-1);
  });

  /** Shows and loads more where one comes near an end. */
  function extend(): void {
    const element = list.current;
    if (!element || !hasOpened.current) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    if (scrollTop < NEAR * clientHeight) {
      const moved = movedWindow(timeline.state.value, shown.value, -1);
      if (moved === null) timeline.older();
      else window.value = moved;
    }
    if (scrollHeight - scrollTop - clientHeight < NEAR * clientHeight) {
      const moved = movedWindow(timeline.state.value, shown.value, 1);
      if (moved === null) timeline.newer();
      else window.value = moved;
    }
  }

  /** One step a frame: what comes near with it comes in the next. */
  function extendSoon(): void {
    nextStep.current ||= requestAnimationFrame(() => {
      nextStep.current = 0;
      extend();
    });
  }

  function onScroll(): void {
    noteLook();
    extendSoon();
  }

  function noteLook(): void {
    const element = list.current;
    if (!element) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const bottom = scrollTop + clientHeight;
    // An end that more comes after is passed: who followed it would be taken to the newest.
    isAtEnd.current = endsWithNewest.peek() && scrollHeight - bottom < 4;
    const inSight: number[] = [];
    look.current = null;
    for (const row of rowsOf(element)) {
      const end = row.offsetTop + row.offsetHeight;
      if (end <= scrollTop) continue;
      if (row.offsetTop >= bottom) break;
      const id = Number(row.dataset.id);
      look.current ??= { id, offset: row.offsetTop - scrollTop };
      inSight.push(id);
    }
    const seen = new Set(inSight);
    markRead(timeline.state.value.messages.filter(({ id }) => seen.has(id)));
  }

  /** Puts what one looks at where it was, or opens the place. */
  function settle(): void {
    const element = list.current;
    const opensAt = timeline.opensAt.value;
    if (!element || opensAt === null) return;
    if (!hasOpened.current) {
      hasOpened.current = true;
      const row = rowsOf(element).find(({ dataset }) => dataset.id === String(opensAt));
      element.scrollTop = row ? row.offsetTop - element.clientHeight / 4 : element.scrollHeight;
    } else if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    else if (look.current) {
      const { id, offset } = look.current;
      const row = rowsOf(element).find(({ dataset }) => Number(dataset.id) >= id);
      if (row) element.scrollTop = row.offsetTop - offset;
    }
    noteLook();
  }

  const opensAt = timeline.opensAt.value;
  useMemo(() => {
    if (opensAt !== null) window.value = openedWindow(timeline.state.peek(), opensAt);
  }, [opensAt]);

  useLayoutEffect(() => {
    settle();
    extendSoon();
  });
  useEffect(() => () => cancelAnimationFrame(nextStep.current), []);
  useEffect(() => {
    const element = list.current?.firstElementChild;
    if (!element) return;
    // Pictures come later than their messages.
    const grown = new ResizeObserver(settle);
    grown.observe(element);
    addEventListener('focus', noteLook);
    return () => {
      grown.disconnect();
      removeEventListener('focus', noteLook);
    };
  }, []);

  function toNewest(): void {
    window.value = AT_END;
    isAtEnd.current = true;
    if (timeline.state.value.hasNewest) settle();
    else timeline.reload('newest');
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: with a keyboard alone, it is scrolled by its arrows */}
      <section class="messages" aria-label="Messages" ref={list} onScroll={onScroll} tabIndex={0}>
        <div>
          {hasOldest && <p class="hint">{messages.length === 0 ? 'There are no messages here' : 'The beginning'}</p>}
          <ol>
            {rows.map((message, index) => (
              <MessageRow
                key={message.id}
                message={message}
                isNewPlace={!isSamePlace(rows[index - 1], message)}
                place={place}
              />
            ))}
          </ol>
        </div>
      </section>
      {timeline.problem.value && (
        <p class="problem" role="alert">
          {timeline.problem}{' '}
          <button type="button" onClick={() => timeline.reload('first_unread')}>
            Try again
          </button>
        </p>
      )}
      {!endsWithNewest.value && messages.length > 0 && (
        <button type="button" class="to-newest" onClick={toNewest}>
          To the newest
        </button>
      )}
    </>
  );
}

const rowsOf = (element: HTMLElement): HTMLElement[] => [...element.querySelectorAll<HTMLElement>('ol > [data-id]')];

const isSamePlace = (one: Message | undefined, other: Message): boolean =>
  one?.stream_id === other.stream_id &&
  one?.subject === other.subject &&
  (other.type === 'stream' || JSON.stringify(one?.display_recipient) === JSON.stringify(other.display_recipient));
