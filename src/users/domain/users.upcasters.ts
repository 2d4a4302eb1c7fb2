import type { Upcaster } from '../../kernel/event-definition.js';

/** Version 1 was written before there were default channels. */
export const userCreatedFrom1: Upcaster = (data) => ({ ...data, channelIds: [] });

/** Version 1 was written before any notice could be asked for. */
export const userDeactivatedFrom1: Upcaster = (data) => ({ ...data, notice: null });
