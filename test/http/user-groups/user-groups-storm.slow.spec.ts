import { stormOfUserGroups } from './user-groups-storm.js';

stormOfUserGroups([2, 3]);
