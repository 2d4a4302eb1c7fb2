import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useDeed } from './deed.js';
import { Problem } from './office.js';
import { Sure } from './sure.js';

interface DescribedListProps {
  /** `channel`, `group` */
  readonly kind: string;
  readonly count: number;
  /** Said of an empty list, with what to do. */
  readonly none: string;
  readonly children: ComponentChildren;
}

/** Those that are in use. */
export const DescribedList = ({ kind, count, none, children }: DescribedListProps) => (
  <section aria-labelledby="in-use">
    <h2 id="in-use">{count === 0 ? `No ${kind}` : `${count} ${kind}${count === 1 ? '' : 's'}`}</h2>
    {count === 0 ? <p class="hint">{none}</p> : <ul class="rows">{children}</ul>}
  </section>
);

/** What one can do with one's own part in it, or with all of it once it is out of use. */
export interface Step {
  readonly label: string;
  readonly run: () => Promise<void>;
  /** Said before; undefined: one can undo it. */
  readonly warning?: string | undefined;
}

interface DescribedRowProps {
  readonly name: string;
  readonly title: ComponentChildren;
  readonly hint: ComponentChildren;
  /** null: none is allowed. */
  readonly step: Step | null;
  /** All that is under *More*; null: nothing is. */
  readonly children: ComponentChildren;
}

/** A channel or a group and what one can do with it. */
export function DescribedRow({ name, title, hint, step, children }: DescribedRowProps) {
  const isOpen = useSignal(false);
  return (
    <li>
      <div class="who">
        {title}
        <span class="hint">{hint}</span>
      </div>
      {step && <StepButton name={name} step={step} />}
      {children !== null && (
        <button
          type="button"
          class="quiet"
          aria-expanded={isOpen}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          More<span class="unseen">{` of ${name}`}</span>
        </button>
      )}
      {isOpen.value && children !== null && <div class="more">{children}</div>}
    </li>
  );
}

function StepButton({ name, step: { label, run: work, warning } }: { readonly name: string; readonly step: Step }) {
  const { problem, isBusy, run } = useDeed();
  const isAsked = useSignal(false);
  return (
    <>
      {isAsked.value && warning !== undefined ? (
        <Sure
          warning={warning}
          does={`${label} all the same`}
          keeps="Stay"
          onDo={() => void run(work)}
          onKeep={() => (isAsked.value = false)}
        />
      ) : (
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() => {
            if (warning === undefined) void run(work);
            else isAsked.value = true;
          }}
        >
          {label}
          <span class="unseen">{` ${name}`}</span>
        </button>
      )}
      <Problem>{problem}</Problem>
    </>
  );
}

export const peopleInWords = (count: number): string => (count === 1 ? '1 person' : `${count} people`);
