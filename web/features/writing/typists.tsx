import { type Conversation, keyOf } from '../../platform/state/conversation.js';
import { people } from '../../platform/store.js';
import { typists } from './typing.js';

/** Who else is writing. It is not read aloud: it changes with every few keys of others. */
export function Typists({ place }: { readonly place: Conversation }) {
  const names = (typists.value.get(keyOf(place)) ?? []).map((id) => people.value.get(id)?.full_name ?? 'Somebody');
  if (names.length === 0) return null;
  return (
    <p class="typists hint">
      {new Intl.ListFormat('en').format(names)} {names.length === 1 ? 'is' : 'are'} typing …
    </p>
  );
}
