import type { Projection } from '../../projections/projection.js';

export declare const projections: readonly Projection[];
