import type { Signal } from '@preact/signals';
import './later-field.css';
import { choicesAt, fieldOf } from './later-times.js';

interface LaterFieldProps {
  /** As a field of the type `datetime-local` has it; empty: none is chosen. */
  readonly value: Signal<string>;
}

/** A time to come: one that people often mean, or any minute. */
export const LaterField = ({ value }: LaterFieldProps) => (
  <>
    <label>
      Time
      <input
        type="datetime-local"
        required
        min={fieldOf(new Date())}
        value={value}
        onInput={({ currentTarget }) => (value.value = currentTarget.value)}
      />
    </label>
    <div class="choices">
      {choicesAt(new Date()).map(({ label, at }) => (
        <button key={label} type="button" class="quiet" onClick={() => (value.value = fieldOf(at))}>
          {label}
        </button>
      ))}
    </div>
  </>
);
