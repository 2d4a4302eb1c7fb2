import { useComputed } from '@preact/signals';
import { characterOf } from './state/emoji.js';
import { whereaboutsOf } from './state/presence.js';
import { presence, statuses } from './store.js';
import './beside-name.css';

interface Of {
  readonly userId: number;
}

/** A mark of who is there, with its word for those who do not see it; none for who is not. */
export function PresenceMark({ userId }: Of) {
  const where = useComputed(() => whereaboutsOf(presence.value, userId)).value;
  if (where === 'offline') return null;
  return <span class={`presence ${where}`} role="img" aria-label={where} title={where} />;
}

/** Both, in a list of people. */
export const BesideName = ({ userId }: Of) => (
  <>
    <PresenceMark userId={userId} /> <StatusOf userId={userId} />
  </>
);

interface StatusOf extends Of {
  /** Otherwise they are the title of the emoji. */
  readonly showsWords?: boolean;
}

/** What somebody has written beside their name. */
export function StatusOf({ userId, showsWords = false }: StatusOf) {
  const status = useComputed(() => statuses.value.get(userId)).value;
  const { status_text: words = '', emoji_name: name = '', emoji_code: code = '', reaction_type: kind } = status ?? {};
  if (words === '' && name === '') return null;
  const sign = name === '' ? '💬' : kind === 'unicode_emoji' ? characterOf(code) : `:${name}:`;
  if (showsWords) return <span class="status">{`${name === '' ? '' : `${sign} `}${words}`}</span>;
  return (
    <span class="status" role="img" aria-label={words || name} title={words || name}>
      {sign}
    </span>
  );
}
