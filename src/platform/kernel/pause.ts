import { setTimeout } from 'node:timers/promises';

/** Resolves after so many milliseconds, or when the signal aborts. */
export async function pause(
  milliseconds: number,
  signal: AbortSignal,
  options: { /** Whether the pause keeps the process alive; default true. */ readonly ref?: boolean } = {},
): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, { ...options, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
