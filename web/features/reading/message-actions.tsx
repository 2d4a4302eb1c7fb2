import { request } from '../../platform/api.js';
import type { Message } from '../../platform/client-events.js';
import { useDeed } from '../../platform/deed.js';
import { myId } from '../../platform/store.js';
import { MoveMessage } from './move-message.js';
import { OwnActions } from './own-actions.js';
import { RemindMe } from './remind-me.js';

const THUMBS_UP = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };

/** What one can do with a message. The events of it change what is shown. */
export function MessageActions({ message }: { readonly message: Message }) {
  const { problem, run } = useDeed();
  const { id, flags, reactions } = message;
  const isStarred = flags.includes('starred');
  const isLiked = reactions.some(
    ({ user_id, emoji_code }) => user_id === myId.value && emoji_code === THUMBS_UP.emoji_code,
  );

  /** @returns whether it was done */
  const ask = (method: string, path: string, body?: object): Promise<boolean> =>
    run(async () => void (await request(method, path, body && { body })));

  const star = () =>
    ask('POST', '/messages/flags', { messages: [id], op: isStarred ? 'remove' : 'add', flag: 'starred' });
  const like = () => ask(isLiked ? 'DELETE' : 'POST', `/messages/${id}/reactions`, THUMBS_UP);
  return (
    <div class="actions">
      <button type="button" aria-pressed={isLiked} aria-label="+1: thumbs up" title="Thumbs up" onClick={like}>
        +1
      </button>
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
  );
}
