// The projections of roster-projections.ts after an upgrade that raised one version.
import type { Projection } from '../../../src/platform/read-models/projection.js';
import { applications, delicate, rosterRaised } from './roster-projections.js';

export const projections: readonly Projection[] = [rosterRaised, applications, delicate];

export { eventRegistry } from '../../../src/events/event-registry.js';
