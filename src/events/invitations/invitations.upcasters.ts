import type { Upcaster } from '../../platform/kernel/event-definition.js';

/** Version 1 does not say that others of the same request follow. */
export const asTheLast: Upcaster = (data) => ({ ...data, followedBy: 0 });
