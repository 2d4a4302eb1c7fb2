import { type Signal, useSignal } from '@preact/signals';

export interface Deed {
  /** In the words of the server. */
  readonly problem: Signal<string>;
  readonly isBusy: Signal<boolean>;
  /** Does it unless something is being done: a second press of the key would do it twice. @returns whether it is done */
  run(work: () => Promise<void>): Promise<boolean>;
}

/** Something that a person does, and the server may refuse. */
export function useDeed(): Deed {
  const problem = useSignal('');
  const isBusy = useSignal(false);
  return {
    problem,
    isBusy,
    async run(work) {
      if (isBusy.value) return false;
      isBusy.value = true;
      problem.value = '';
      try {
        await work();
        return true;
      } catch (error) {
        problem.value = wordsOf(error);
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}

/** Why something was not done: in the words of the server, if it has answered. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
