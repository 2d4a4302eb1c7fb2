import type { Audience } from '../../../projections/client-events.documents.js';
import type { JsonObject } from '../../kernel/json.js';

/** What clients are told that nobody keeps (D13): it is in no log, and nobody asks for it again. */
export interface EphemeralEvent {
  /** What a queue names in `event_types`. */
  readonly type: 'typing' | 'typing_edit_message';
  /** As of when a process hears of it. */
  readonly audience: Audience;
  /** A client gets the first of them whose capabilities it has; none where it lacks some of each. */
  readonly forms: readonly EphemeralForm[];
}

export interface EphemeralForm {
  readonly needs: readonly string[];
  /** The published fields, but for `id`. */
  readonly body: JsonObject;
}
