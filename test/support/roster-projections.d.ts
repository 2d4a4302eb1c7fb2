import type { Projection } from '../../projections/projection.js';

export declare const roster: Projection;
export declare const rosterRaised: Projection;
export declare const applications: Projection;
export declare const delicate: Projection;
export declare const projections: readonly Projection[];
