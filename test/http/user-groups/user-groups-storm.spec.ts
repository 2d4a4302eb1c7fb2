import { stormOfUserGroups } from './user-groups-storm.js';

/** `user-groups-storm.slow.spec.ts` has more. */
stormOfUserGroups([1]);
