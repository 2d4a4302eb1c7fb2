import { UNMEASURED, type Upcaster } from '../../platform/kernel/event-definition.js';

/** Version 1 does not record the bytes of the picture. */
export const organizationPictureChangedFrom1: Upcaster = (data) => ({ ...data, measure: UNMEASURED });
