import type { Upcaster } from '../../kernel/event-definition.js';

/** Version 1 was written before there were default channels. */
export const userCreatedFrom1: Upcaster = (data) => ({ ...data, channelIds: [] });

/** Version 1 was written before any notice could be asked for. */
export const userDeactivatedFrom1: Upcaster = (data) => ({ ...data, notice: null });

/** Version 1 was written before what fields say was rendered: until it is written anew, clients show it as it is. */
export const userProfileChangedFrom1: Upcaster = (data) => ({ ...data, rendered: null });
