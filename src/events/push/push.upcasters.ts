import type { Upcaster } from '../../platform/kernel/event-definition.js';

/** Version 1 does not say which API key the device was added with. */
export const withoutApiKey: Upcaster = (data) => ({ ...data, apiKeyId: null });

/** In version 1, only devices that their service no longer knew were removed. */
export const pushDeviceRemovedFrom1: Upcaster = (data) => ({ ...data, because: 'gone' });
