import type { StoredDraft } from '../../platform/client-events.js';
import { useDeed } from '../../platform/deed.js';
import { nameOf } from '../../platform/names.js';
import { Problem } from '../../platform/office.js';
import { hrefOf } from '../../platform/places.js';
import { myId } from '../../platform/store.js';
import { discard, isSynchronized, type Kept, keptHere, resume, storedDrafts } from './drafts.js';
import { conversationOfDraft, newestFirst } from './stored-drafts.js';
import './writing.css';

/** What one has written and not sent: on the server, and on this page alone. */
export function Drafts() {
  const here = [...keptHere.value.values()].filter(
    ({ id, draft }) => id.value === null && draft.content.value.trim() !== '',
  );
  return (
    <div class="messages drafts">
      {!isSynchronized.value && <p class="hint">By your settings, drafts are kept on the page alone</p>}
      {here.length + storedDrafts.value.size === 0 && <p class="hint">There are no drafts</p>}
      <ul aria-label="Drafts">
        {here.map((kept) => (
          <HereItem key={hrefOf(kept.place)} kept={kept} />
        ))}
        {newestFirst(storedDrafts.value).map((one) => (
          <StoredItem key={one.id} stored={one} />
        ))}
      </ul>
    </div>
  );
}

function HereItem({ kept: { place, draft } }: { readonly kept: Kept }) {
  return (
    <li>
      <p class="where">
        <a href={hrefOf(place)}>{nameOf(place)}</a> <span class="hint">on this page alone</span>
      </p>
      <p class="words">{draft.content}</p>
      <button type="button" onClick={() => (draft.content.value = '')}>
        Delete
      </button>
    </li>
  );
}

function StoredItem({ stored }: { readonly stored: StoredDraft }) {
  const { problem, isBusy, run } = useDeed();
  const conversation = conversationOfDraft(stored, myId.value);

  const goOn = () =>
    run(async () => {
      const place = await resume(stored);
      if (place) location.hash = hrefOf(place);
    });
  return (
    <li>
      <p class="where">{conversation ? nameOf(conversation) : 'To nobody yet'}</p>
      <p class="words">{stored.content}</p>
      {conversation && (
        <button type="button" aria-disabled={isBusy} onClick={() => void goOn()}>
          Go on writing
        </button>
      )}{' '}
      <button type="button" aria-disabled={isBusy} onClick={() => void run(() => discard(stored))}>
        Delete
      </button>
      <Problem>{problem}</Problem>
    </li>
  );
}
