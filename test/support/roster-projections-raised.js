// The same after an upgrade: one projection's version has been raised.
import { applications, delicate, rosterRaised } from './roster-projections.js';

export const projections = [rosterRaised, applications, delicate];
