import { UNMEASURED, type Upcaster } from '../../platform/kernel/event-definition.js';

/** Version 1 does not record the bytes of the pictures. */
export const avatarChangedFrom1: Upcaster = (data) => ({ ...data, measure: UNMEASURED, mediumMeasure: UNMEASURED });
