import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ClientEvent } from './client-events.js';
import { useDeed } from './deed.js';
import { follow } from './store.js';

interface Loaded {
  /** Why it is not there. */
  readonly problem: Signal<string>;
  readonly isLoaded: Signal<boolean>;
}

/** Has something loaded while it is shown, and again when an event of one of the types comes. */
export function useLoaded(load: () => Promise<void>, types: readonly ClientEvent['type'][]): Loaded {
  const { problem, run } = useDeed();
  const isLoaded = useSignal(false);
  useEffect(() => {
    void run(load).then((isDone) => {
      isLoaded.value = isDone;
    });
    return follow({
      happened({ type }) {
        // What failed is asked for at the next event, or by whoever does something here.
        if (types.includes(type)) load().catch(() => undefined);
      },
    });
  }, []);
  return { problem, isLoaded };
}
