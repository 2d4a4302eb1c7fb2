import { request } from '../../platform/api.js';
import type { Message } from '../../platform/client-events.js';
import { useDeed } from '../../platform/deed.js';
import { myId } from '../../platform/store.js';
import { MoveMessage } from './move-message.js';
import { OwnActions } from './own-actions.js';
import { React } from './react.js';
import { type Emoji, isMine, Reactions } from './reactions.js';
import { RemindMe } from './remind-me.js';

const THUMBS_UP: Emoji = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };

/** What one can do with a message. The events of it change what is shown. */
export function MessageActions({ message }: { readonly message: Message }) {
  const { problem, run } = useDeed();
  const { id, flags, reactions } = message;
  const isStarred = flags.includes('starred');

  /** @returns whether it was done */
  const ask = (method: string, path: string, body?: object): Promise<boolean> =>
    run(async () => void (await request(method, path, body && { body })));

  const star = () =>
    ask('POST', '/messages/flags', { messages: [id], op: isStarred ? 'remove' : 'add', flag: 'starred' });
  const toggle = (emoji: Emoji) =>
    void ask(isMine(reactions, emoji) ? 'DELETE' : 'POST', `/messages/${id}/reactions`, emoji);
  return (
    <>
      <Reactions message={message} onToggle={toggle} />
      <div class="actions">
        <button
          type="button"
          aria-pressed={isMine(reactions, THUMBS_UP)}
          aria-label="+1: thumbs up"
          title="Thumbs up"
          onClick={() => toggle(THUMBS_UP)}
        >
          +1
        </button>
        <React onReact={toggle} />
        <button type="button" aria-pressed={isStarred} aria-label="Star" title="Star" onClick={star}>
          {isStarred ? '★' : '☆'}
        </button>
        <RemindMe messageId={id} />
        {message.type === 'stream' && <MoveMessage message={message} ask={ask} />}
        {message.sender_id === myId.value && <OwnActions message={message} ask={ask} />}
        <span class="problem" role="alert">
          {problem}
        </span>
      </div>
    </>
  );
}
