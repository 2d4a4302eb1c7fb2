import type { Wildcard } from '../../events/messages/messages.events.js';
import type { NamedGroup, NameFacts } from './content-facts.js';
import { Formulas } from './math.js';

/** A text being rendered: the meaning of its names, and the mentions found so far. */
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
