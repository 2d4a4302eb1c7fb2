import { type Signal, useSignal } from '@preact/signals';
import { type LabelOf, withLabels } from './labels.js';

export interface Deed {
  /** In the words of the server. */
  readonly problem: Signal<string>;
  readonly isBusy: Signal<boolean>;
  /**
   * Does it unless something is being done: a second press of the key would do it twice.
   *
   * @param labelOf what the page calls a parameter that the server refuses
   * @returns whether it is done
   */
  run(work: () => Promise<void>, labelOf?: LabelOf): Promise<boolean>;
}

/** The labels of a form whose fields have the names of parameters. */
export const labelsIn =
  (form: HTMLFormElement): LabelOf =>
  (parameter) => {
    const field = form.elements.namedItem(parameter);
    return field instanceof HTMLInputElement ? field.labels?.[0]?.textContent?.trim() : undefined;
  };

/** Something that a person does, and the server may refuse. */
export function useDeed(): Deed {
  const problem = useSignal('');
  const isBusy = useSignal(false);
  return {
    problem,
    isBusy,
    async run(work, labelOf = () => undefined) {
      if (isBusy.value) return false;
      isBusy.value = true;
      problem.value = '';
      try {
        await work();
        return true;
      } catch (error) {
        problem.value = withLabels(wordsOf(error), labelOf);
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}

/** Why something was not done: in the words of the server, if it has answered. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
