import { signal } from '@preact/signals';
import { parseVerifierKey, type VerifierKey } from './note.js';

const STORED = 'annals.verifier-key';

/** The verifier key of the log, as it was given in this browser; empty: none. Whoever takes it from this server has to trust it. */
export const writtenKey = signal(localStorage.getItem(STORED) ?? '');

/** @throws Malformed */
export async function knowKey(written: string): Promise<void> {
  if (written.trim() !== '') await parseVerifierKey(written);
  writtenKey.value = written.trim();
  localStorage.setItem(STORED, writtenKey.value);
}

export const knownKey = (): Promise<VerifierKey | null> =>
  writtenKey.value === '' ? Promise.resolve(null) : parseVerifierKey(writtenKey.value);
