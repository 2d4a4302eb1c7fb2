import { useEffect, useMemo } from 'preact/hooks';
import type { Message } from '../../platform/client-events.js';
import { contentOf } from '../../platform/content.js';
import { nameOf } from '../../platform/names.js';
import { hrefOf } from '../../platform/places.js';
import { type Conversation, conversationOf, keyOf } from '../../platform/state/conversation.js';
import { countOf } from '../../platform/state/unread.js';
import { myId, unread } from '../../platform/store.js';
import { openTimeline } from './timeline.js';

const MOST_WORDS = 120;

/** The conversations of the newest messages. */
export function Recent() {
  const timeline = useMemo(() => openTimeline({ kind: 'recent' }, () => null, 'newest'), []);
  useEffect(() => timeline.close, []);
  const recent = recentOf(timeline.state.value.messages, myId.value);
  return (
    <section class="messages recent" aria-label="Recent conversations">
      {timeline.problem.value && (
        <p class="problem" role="alert">
          {timeline.problem}{' '}
          <button type="button" onClick={() => timeline.reload('newest')}>
            Try again
          </button>
        </p>
      )}
      {recent.length === 0 && timeline.state.value.hasNewest && <p class="hint">There are no messages yet</p>}
      <ol>
        {recent.map(({ conversation, newest }) => {
          const count = countOf(unread.value, conversation);
          return (
            <li key={keyOf(conversation)}>
              <a href={hrefOf(conversation)}>
                <strong>{nameOf(conversation)}</strong>{' '}
                {count > 0 && (
                  <span class="count" role="img" aria-label={`${count} unread`}>
                    {count}
                  </span>
                )}
              </a>
              <p class="hint">
                {newest.sender_full_name}: {wordsOf(newest)}
              </p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface RecentConversation {
  readonly conversation: Conversation;
  readonly newest: Message;
}

function recentOf(messages: readonly Message[], mine: number): readonly RecentConversation[] {
  const byKey = new Map<string, RecentConversation>();
  for (const newest of [...messages].reverse()) {
    const conversation = conversationOf(newest, mine);
    const key = keyOf(conversation);
    if (!byKey.has(key)) byKey.set(key, { conversation, newest });
  }
  return [...byKey.values()];
}

function wordsOf({ content }: Message): string {
  const words = contentOf(content).textContent?.trim() ?? '';
  return words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS)} …` : words;
}
