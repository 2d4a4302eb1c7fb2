import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { wordsOf } from '../../../platform/deed.js';
import { knowKey, writtenKey } from './known-key.js';

/** Where an auditor gives the key with which checkpoints are checked. */
export function KeyForm() {
  const told = useSignal('');
  const know = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    try {
      await knowKey(String(new FormData(event.currentTarget).get('verifier-key')));
      told.value = writtenKey.value === '' ? 'No key is known.' : 'The key is known in this browser.';
    } catch (error) {
      told.value = wordsOf(error);
    }
  };
  return (
    <details>
      <summary>The key of the log</summary>
      <form onSubmit={know}>
        <label for="verifier-key">Verifier key</label>
        <input
          id="verifier-key"
          name="verifier-key"
          value={writtenKey.value}
          placeholder="name+id+key"
          autocomplete="off"
        />
        <p class="hint">
          “annals key” prints it. Get it from the operator on another way than through this server: with a key that the
          server gave, a proof shows only that the server agrees with itself.
        </p>
        <button type="submit">Use it for proofs</button>
        <p role="status">{told}</p>
      </form>
    </details>
  );
}
