import { useSignal } from '@preact/signals';
import { get } from '../../../platform/api.js';
import { useDeed } from '../../../platform/deed.js';
import type { AuditEvent } from '../found.js';
import { checkProof, type Step } from './check-proof.js';
import { knownKey } from './known-key.js';

const MARKS = { true: '✓ holds:', false: '✗ does not hold:', null: '– not checked:' } as const;

/** Proves in this browser that the log has the event, and shows each step. */
export function ProofOf({ event }: { readonly event: AuditEvent }) {
  const steps = useSignal<readonly Step[]>([]);
  const { problem, run } = useDeed();
  const prove = () =>
    run(async () => {
      const { proofs } = await get('/audit/proof', { event_id: event.id });
      const [proof] = proofs;
      if (!proof) throw new Error('The server has no proof of this event');
      steps.value = await checkProof(event, proof, await knownKey());
    });
  return (
    <section class="proof" aria-label="Proof">
      <button type="button" onClick={prove}>
        Check its proof here
      </button>
      <p class="problem" role="alert">
        {problem}
      </p>
      {steps.value.length > 0 && <p role="status">{verdictOn(steps.value)}</p>}
      <ol>
        {steps.value.map(({ what, found, holds }, n) => (
          <li key={n} class={holds === false ? 'fails' : undefined}>
            <strong>{MARKS[`${holds}`]}</strong> {what}
            {found !== '' && <code>{found}</code>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function verdictOn(steps: readonly Step[]): string {
  if (steps.some(({ holds }) => holds === false)) return 'The proof fails.';
  if (steps.some(({ holds }) => holds === null)) return 'The proof holds as far as it was checked.';
  return 'The proof holds: the log has this event.';
}
