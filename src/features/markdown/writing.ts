import type { Wildcard } from '../../events/messages/messages.events.js';
import { type CodeColours, NO_COLOURS } from './code-facts.js';
import type { NamedGroup, NameFacts } from './content-facts.js';
import { Growth } from './growth.js';
import { Formulas } from './math.js';

/** A text being rendered: the meaning of its names, and the mentions found so far. */
export interface Writing {
  readonly names: NameFacts;
  readonly userIds: Set<number>;
  readonly groups: Map<number, NamedGroup>;
  readonly wildcards: Set<Wildcard>;
  readonly formulas: Formulas;
  readonly growth: Growth;
  readonly colours: CodeColours;
}

export function beginWriting(names: NameFacts, colours: CodeColours = NO_COLOURS): Writing {
  const growth = new Growth();
  return {
    names,
    userIds: new Set(),
    groups: new Map(),
    wildcards: new Set(),
    formulas: new Formulas(growth),
    growth,
    colours,
  };
}
