import type { Place } from '../../platform/places.js';
import { keyOf } from '../../platform/state/conversation.js';
import { discard, outbox, sendAgain } from './outbox.js';
import type { Unsent } from './outbox-state.js';

/** What one has written here and has not come back yet. */
export function UnsentMessages({ place }: { readonly place: Place }) {
  const here = outbox.value.filter(({ conversation }) =>
    place.kind === 'channel'
      ? conversation.kind === 'topic' && conversation.channelId === place.channelId
      : (place.kind === 'topic' || place.kind === 'direct') && keyOf(conversation) === keyOf(place),
  );
  return (
    <ul class="unsent" aria-label="Not sent yet">
      {here.map((one) => (
        <UnsentMessage key={one.localId} unsent={one} />
      ))}
    </ul>
  );
}

function UnsentMessage({ unsent }: { readonly unsent: Unsent }) {
  const { content, state, problem } = unsent;
  return (
    <li>
      <p class="words">{content}</p>
      {state !== 'refused' && (
        <p class="hint" role="status">
          {problem ? `It is sent as soon as it can be. ${problem}` : 'Sending …'}
        </p>
      )}
      <p class="problem" role="alert">
        {state === 'refused' ? problem : ''}
      </p>
      {state === 'refused' && (
        <button type="button" onClick={() => sendAgain(unsent)}>
          Send again
        </button>
      )}
      {(state === 'refused' || problem !== '') && (
        <button type="button" onClick={() => discard(unsent)}>
          Discard
        </button>
      )}
    </li>
  );
}
