import type { DataOf, Refusals } from '../../platform/http/refusal.js';

/** Refusals of narrows. */
export const narrowRefusals = {
  BAD_NARROW: { status: 400, code: 'BAD_NARROW', message: 'Invalid narrow operator: {desc}', keys: ['desc'] },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof narrowRefusals> {}
}
