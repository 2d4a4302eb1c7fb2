import type { Upcaster } from '../../platform/kernel/event-definition.js';

/** Version 1 is older than default channels. */
export const userCreatedFrom1: Upcaster = (data) => ({ ...data, channelIds: [] });

/** Version 1 is older than notices. */
export const userDeactivatedFrom1: Upcaster = (data) => ({ ...data, notice: null });

/** Version 1 is older than mails to the present address. */
export const emailChangeRequestedFrom1: Upcaster = (data) => ({ ...data, vetoHash: null });
