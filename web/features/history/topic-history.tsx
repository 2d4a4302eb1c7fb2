import { useSignal } from '@preact/signals';
import { useDeed } from '../../platform/deed.js';
import { channels } from '../../platform/store.js';
import { timeOf } from '../../platform/times.js';
import { pastOf } from './topic-past.js';
import { type PastEvent, type PastMessage, type TopicName, topicThen } from './topic-then.js';

/** A topic at any time of its past, for whoever may audit. */
export function TopicHistory({ place }: { readonly place: TopicName }) {
  const past = useSignal<readonly PastEvent[] | null>(null);
  const { problem, run } = useDeed();
  const read = (hasWords: boolean) =>
    run(async () => {
      past.value = await pastOf(place, hasWords);
    });
  const channel = channels.value.get(place.channelId)?.name ?? place.channelId;
  return (
    <section aria-labelledby="topic-history">
      <h2 id="topic-history">
        #{channel} &gt; {place.topic}, as it was
      </h2>
      <p class="problem" role="alert">
        {problem}
      </p>
      {past.value === null ? (
        <>
          <p class="hint">
            The words of conversations that you are no part of are read on record: all auditors see that you have read
            them.
          </p>
          <p class="choices">
            <button type="button" onClick={() => read(true)}>
              With words
            </button>{' '}
            <button type="button" onClick={() => read(false)}>
              Without words
            </button>
          </p>
        </>
      ) : (
        <Slider place={place} past={past.value} />
      )}
    </section>
  );
}

/** Each step is an event: clocks differ, and the log has an order of its own. */
function Slider({ place, past }: { readonly place: TopicName; readonly past: readonly PastEvent[] }) {
  const at = useSignal(past.length);
  const latest = past[at.value - 1];
  const messages = topicThen(place, past.slice(0, at.value));
  if (past.length === 0) return <p role="status">Nothing has ever happened in this topic.</p>;
  return (
    <>
      <label for="then">Then</label>
      <input
        id="then"
        type="range"
        min={0}
        max={past.length}
        value={at.value}
        aria-valuetext={toldOf(latest)}
        onInput={(event) => {
          at.value = Number(event.currentTarget.value);
        }}
      />
      <p role="status">
        {toldOf(latest)} · {at.value} of {past.length} events · {messages.filter(({ deleted }) => !deleted).length}{' '}
        messages
      </p>
      <ol class="then">
        {messages.map((message) => (
          <li key={message.id}>
            <Then message={message} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Then({ message: { id, sender, sentAt, isEdited, text, deleted } }: { readonly message: PastMessage }) {
  return (
    <article class={deleted ? 'gone' : undefined}>
      <p class="who">
        <strong>{sender}</strong> <time dateTime={sentAt}>{timeOf(sentAt)}</time>
        {isEdited && ' edited'} <a href={`#/history?message=${id}`}>its life</a>
      </p>
      {deleted ? (
        <p>
          Deleted by {deleted.by}, {timeOf(deleted.at)}
        </p>
      ) : (
        <p class="words">{text ?? '(sealed or gone)'}</p>
      )}
    </article>
  );
}

const DEEDS: Readonly<Record<string, string>> = {
  MessageSent: 'sent',
  MessageEdited: 'edited',
  MessagesMoved: 'moved messages',
  MessageDeleted: 'deleted',
};

const toldOf = (event: PastEvent | undefined): string =>
  event === undefined
    ? 'Before the first message'
    : `${timeOf(event.time)}: ${event.actor?.name ?? 'the server'} ${DEEDS[event.kind] ?? event.kind}`;
