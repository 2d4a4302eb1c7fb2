import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { wordsOf } from '../../platform/deed.js';
import { useMayAudit } from '../../platform/may-audit.js';
import { myId } from '../../platform/store.js';
import { type Deed, lifeForAuditors, lifeForReaders, mayNotAudit } from './life.js';

/** What has happened to a message, from its first words on. */
export function MessageLife({ messageId }: { readonly messageId: number }) {
  const deeds = useSignal<readonly Deed[]>([]);
  const problem = useSignal('');
  const isAudit = useSignal(false);
  const audits = useMayAudit();
  const read = async (life: typeof lifeForReaders) => {
    problem.value = '';
    try {
      deeds.value = await life(messageId);
      isAudit.value = life === lifeForAuditors;
    } catch (error) {
      problem.value = mayNotAudit(error) ? 'Only auditors see more of it.' : wordsOf(error);
    }
  };
  // It names people and channels, which are told first.
  const isTold = myId.value !== 0;
  useEffect(() => {
    if (isTold) void read(lifeForReaders);
  }, [messageId, isTold]);
  return (
    <section aria-labelledby="life">
      <h2 id="life">The life of message {messageId}</h2>
      <p class="problem" role="alert">
        {problem}
      </p>
      <ol class="life">
        {deeds.value.map((deed, n) => (
          <li key={n}>
            <Happened deed={deed} />
          </li>
        ))}
      </ol>
      {audits && !isAudit.value && (
        <p class="choices">
          <button type="button" onClick={() => read(lifeForAuditors)}>
            As auditors see it
          </button>{' '}
          <span class="hint">with programs, addresses and its deletion; the reading of words is on record</span>
        </p>
      )}
    </section>
  );
}

function Happened({ deed: { at, who, fromWhere, did, words, move } }: { readonly deed: Deed }) {
  return (
    <>
      <p class="who">
        <time>{at}</time> <strong>{who}</strong> {did}
        {fromWhere !== '' && <span class="hint"> from {fromWhere}</span>}
      </p>
      {move && (
        <p>
          <span class="from">{move.from}</span> → <span class="to">{move.to}</span>
        </p>
      )}
      {words.length > 0 && (
        <p class="words">
          {words.map(({ text, kind }, n) =>
            kind === 'added' ? <ins key={n}>{text}</ins> : kind === 'removed' ? <del key={n}>{text}</del> : text,
          )}
        </p>
      )}
    </>
  );
}
