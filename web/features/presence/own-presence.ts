import { request } from '../../platform/api.js';
import type { Presences } from '../../platform/client-events.js';
import { me } from '../../platform/session.js';
import { follow, learnPresence, presence } from '../../platform/store.js';

/** Without input, one is at the page no longer. */
const IDLE_MS = 300_000;
const INPUTS = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const;

let lastInputAt = performance.now();
let isToldActive = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let intervalMs = 0;

/** Tells the server at its interval whether one is there, as long as somebody is signed in at the page, and learns who else is. */
export function followPresence(): void {
  for (const input of INPUTS) addEventListener(input, noteInput, { passive: true, capture: true });
  follow({
    started({ server_presence_ping_interval_seconds: seconds }) {
      intervalMs = seconds * 1000;
      lastInputAt = performance.now();
      void tell();
    },
    happened() {},
  });
}

/** Whoever comes back is told at once. */
function noteInput(): void {
  const wasIdle = !isActive();
  lastInputAt = performance.now();
  if (wasIdle && !isToldActive && intervalMs > 0) void tell();
}

const isActive = (): boolean => performance.now() - lastInputAt < IDLE_MS;

/** The server tells nobody of people whose setting is off, and tells them of others all the same. */
async function tell(): Promise<void> {
  clearTimeout(timer);
  if (!me.value) return;
  timer = setTimeout(tell, intervalMs);
  isToldActive = isActive();
  const status = isToldActive ? 'active' : 'idle';
  const body = { status, last_update_id: presence.value.lastUpdateId, new_user_input: isToldActive };
  // The next one is soon enough, and the queue tells that there is no connection.
  await request<Presences>('POST', '/users/me/presence', { body }).then(learnPresence, () => {});
}
