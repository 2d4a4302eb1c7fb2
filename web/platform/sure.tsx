import { useLayoutEffect, useRef } from 'preact/hooks';

interface SureProps {
  /** What will be so. */
  readonly warning: string;
  readonly does: string;
  readonly keeps: string;
  readonly onDo: () => void;
  readonly onKeep: () => void;
}

/** Stands in the stead of a button whose deed cannot be undone. A second press of the key does nothing. */
export function Sure({ warning, does, keeps, onDo, onKeep }: SureProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => keep.current?.focus(), []);
  return (
    <div class="sure">
      <p role="alert">{warning}</p>
      <button type="button" onClick={onDo}>
        {does}
      </button>{' '}
      <button type="button" ref={keep} onClick={onKeep}>
        {keeps}
      </button>
    </div>
  );
}
