import { useSignal } from '@preact/signals';
import { request } from '../../platform/api.js';
import type { Message } from '../../platform/client-events.js';
import { myId } from '../../platform/store.js';

const THUMBS_UP = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };

/** What one can do with a message. The events of it change what is shown. */
export function MessageActions({ message }: { readonly message: Message }) {
  const problem = useSignal('');
  const { id, flags, reactions } = message;
  const isStarred = flags.includes('starred');
  const isLiked = reactions.some(
    ({ user_id, emoji_code }) => user_id === myId.value && emoji_code === THUMBS_UP.emoji_code,
  );

  async function ask(method: string, path: string, body?: object): Promise<void> {
    problem.value = '';
    await request(method, path, body && { body }).catch((error: Error) => {
      problem.value = error.message;
    });
  }

  const star = () =>
    ask('POST', '/messages/flags', { messages: [id], op: isStarred ? 'remove' : 'add', flag: 'starred' });
  const like = () => ask(isLiked ? 'DELETE' : 'POST', `/messages/${id}/reactions`, THUMBS_UP);
  return (
    <p class="actions">
      <button type="button" aria-pressed={isLiked} aria-label="Thumbs up" title="Thumbs up" onClick={like}>
        👍
      </button>
      <button type="button" aria-pressed={isStarred} aria-label="Star" title="Star" onClick={star}>
        {isStarred ? '★' : '☆'}
      </button>
      <span class="problem" role="alert">
        {problem}
      </span>
    </p>
  );
}
