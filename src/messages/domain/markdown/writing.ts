import type { NamedGroup, NameFacts } from '../content-facts.js';
import type { Wildcard } from '../messages.events.js';
import { Formulas } from './math.js';

/** One text on its way to HTML: what its names stand for, and whom it has been found to mention. */
export interface Writing {
  readonly names: NameFacts;
  readonly userIds: Set<number>;
  readonly groups: Map<number, NamedGroup>;
  readonly wildcards: Set<Wildcard>;
  readonly formulas: Formulas;
}

export const beginWriting = (names: NameFacts): Writing => ({
  names,
  userIds: new Set(),
  groups: new Map(),
  wildcards: new Set(),
  formulas: new Formulas(),
});
