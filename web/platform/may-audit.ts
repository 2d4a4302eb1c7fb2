import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get, Refused } from './api.js';
import { ROLES } from './roles.js';
import { me } from './session.js';

/** Whether the server lets who is signed in audit: no client is told of the setting, auditors alone read it. */
const isNamed = signal(false);
let isAsked = false;

const isOwner = (): boolean => me.value?.role === ROLES.owner;

async function askOnce(): Promise<void> {
  if (isAsked || isOwner()) return;
  isAsked = true;
  try {
    await get('/audit/auditors');
    isNamed.value = true;
  } catch (error) {
    isAsked = error instanceof Refused;
  }
}

const mayAudit = computed(() => isOwner() || isNamed.value);

/** Has it found out while something is shown that depends on it. */
export function useMayAudit(): boolean {
  useEffect(() => void askOnce(), []);
  return mayAudit.value;
}
