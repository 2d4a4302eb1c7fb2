import { BusUnavailable } from '../bus/bus.js';
import { Fenced } from '../cluster/fence.js';
import { ContentKeysUnavailable } from '../content-keys/content-keys.js';
import { DocumentStoreUnavailable } from '../documents/document-store.js';
import { FileStoreUnavailable } from '../file-store/file-store.js';
import { UnavailableError } from '../kernel/outcome-errors.js';
import { NewerEvent } from '../log/event-codec.js';
import { EventStoreUnavailable } from '../log/event-store.js';

const UNAVAILABLE = [
  UnavailableError,
  EventStoreUnavailable,
  DocumentStoreUnavailable,
  ContentKeysUnavailable,
  FileStoreUnavailable,
  BusUnavailable,
  Fenced,
  NewerEvent,
];

/** Codes of the system and of SQLite that tell of a disk, a network or a limit, and nothing about an event. */
const OF_THE_MACHINE =
  /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|NOMEM|CANTOPEN|READONLY|CORRUPT|NOTADB|INTERRUPT|PROTOCOL)|E(IO|NOSPC|DQUOT|ROFS|ACCES|PERM|MFILE|NFILE|NOMEM|AGAIN|BUSY|INTR|PIPE|TIMEDOUT|NOTFOUND|AI_|CONN|HOST|NET)|ABORT_ERR$)/;

/** Tells whether an error, or an error that caused it, says that the work may succeed later without any change to it. */
export function isUnavailability(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (at.name === 'AbortError' || UNAVAILABLE.some((kind) => at instanceof kind)) return true;
    if ('code' in at && typeof at.code === 'string' && OF_THE_MACHINE.test(at.code)) return true;
  }
  return false;
}
