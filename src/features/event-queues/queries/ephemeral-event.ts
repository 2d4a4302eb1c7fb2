import type { Audience } from '../../../../projections/client-events/client-events.documents.js';
import type { JsonObject } from '../../../platform/kernel/json.js';

/** An event that is delivered and not stored (D13): it is in no log and no document. */
export interface EphemeralEvent {
  /** Its name in `event_types`. */
  readonly type: 'typing' | 'typing_edit_message' | 'presence';
  /** Evaluated as of the process's receipt of the event. */
  readonly audience: Audience;
  /** A client gets the first form whose capabilities it has, or none. */
  readonly forms: readonly EphemeralForm[];
}

export interface EphemeralForm {
  readonly needs: readonly string[];
  /** The published fields, but for `id`. */
  readonly body: JsonObject;
}
