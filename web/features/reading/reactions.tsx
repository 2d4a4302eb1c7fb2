import type { Message, Reaction } from '../../platform/client-events.js';
import { ownEmoji } from '../../platform/emoji.js';
import { characterOf } from '../../platform/state/emoji.js';
import { myId, people } from '../../platform/store.js';

/** To make a format takes longer than all else of a row. */
const LIST = new Intl.ListFormat('en');

export type Emoji = Pick<Reaction, 'emoji_name' | 'emoji_code' | 'reaction_type'>;

interface ReactionsProps {
  readonly message: Message;
  /** Adds one's own reaction, or takes it back. */
  readonly onToggle: (emoji: Emoji) => void;
}

/** What others think of a message. Each is a button, with which one thinks so, too. */
export function Reactions({ message: { reactions }, onToggle }: ReactionsProps) {
  if (reactions.length === 0) return null;
  const alike = new Map<string, Reaction[]>();
  for (const reaction of reactions) alike.set(keyOf(reaction), [...(alike.get(keyOf(reaction)) ?? []), reaction]);
  return (
    <ul class="reactions" aria-label="Reactions">
      {[...alike].map(([key, some]) => (
        <li key={key}>
          <ReactionButton some={some} onToggle={onToggle} />
        </li>
      ))}
    </ul>
  );
}

interface ReactionButtonProps {
  /** With one emoji. */
  readonly some: readonly Reaction[];
  readonly onToggle: (emoji: Emoji) => void;
}

function ReactionButton({ some, onToggle }: ReactionButtonProps) {
  const [first] = some;
  if (!first) return null;
  const { emoji_name, emoji_code, reaction_type } = first;
  const names = some.map(({ user_id }) => people.value.get(user_id)?.full_name ?? 'Somebody');
  return (
    <button
      type="button"
      aria-pressed={isMine(some, first)}
      title={LIST.format(names)}
      onClick={() => onToggle({ emoji_name, emoji_code, reaction_type })}
    >
      <Sign emoji={first} /> {some.length}
    </button>
  );
}

function Sign({ emoji: { emoji_name, emoji_code, reaction_type } }: { readonly emoji: Emoji }) {
  const own = reaction_type === 'realm_emoji' ? ownEmoji.value[emoji_code] : undefined;
  if (own) return <img src={own.source_url} alt={emoji_name} />;
  return (
    <span role="img" aria-label={emoji_name}>
      {reaction_type === 'unicode_emoji' ? characterOf(emoji_code) : `:${emoji_name}:`}
    </span>
  );
}

const keyOf = ({ emoji_code, reaction_type }: Emoji): string => `${reaction_type} ${emoji_code}`;

export const isMine = (reactions: readonly Reaction[], emoji: Emoji): boolean =>
  reactions.some((one) => one.user_id === myId.value && keyOf(one) === keyOf(emoji));
