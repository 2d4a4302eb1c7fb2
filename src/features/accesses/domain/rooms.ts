import type { Access } from './access.js';
import { questionKind, thingAskedFor } from './question-kind.js';

/** The most traces that are remembered at a time, which is about a minute's. */
interface RoomLimits {
  readonly inAll: number;
  /** Of one source. */
  readonly ofSource: number;
  /** About one thing: guesses at one account, or one source's questions about one thing and refusals of one operation. */
  readonly ofThing: number;
}

const NO_MORE = Number.POSITIVE_INFINITY;

/** Each kind of access has room of its own, which no flood of another kind can use up. */
const ROOMS = {
  /** Failed logins to accounts that exist. */
  guesses: { inAll: 300, ofSource: 100, ofThing: 20 },
  /** Failed logins to accounts that do not exist. */
  noAccount: { inAll: 100, ofSource: 20, ofThing: NO_MORE },
  logins: { inAll: 500, ofSource: 20, ofThing: NO_MORE },
  /** Questions to the audit, by what they are about. */
  account: { inAll: 100, ofSource: 20, ofThing: 5 },
  message: { inAll: 100, ofSource: 20, ofThing: 5 },
  channel: { inAll: 100, ofSource: 20, ofThing: 5 },
  other: { inAll: 100, ofSource: 20, ofThing: NO_MORE },
  refusals: { inAll: 300, ofSource: 20, ofThing: 5 },
  keys: { inAll: 400, ofSource: 20, ofThing: NO_MORE },
} as const satisfies Readonly<Record<string, RoomLimits>>;

/** Room for the counts of further accesses: of each type, so many sources. All other sources are counted together. */
export const MOST_COUNTED_SOURCES = 50;

/** A limit that a trace counts under. */
export interface Share {
  readonly name: string;
  readonly most: number;
}

/** The limits that a trace counts under: it is remembered if none is reached. */
export function sharesOf(access: Access, actorId: number | null, source: string): readonly Share[] {
  const { room, thing } = placeOf(access, actorId, source);
  const { inAll, ofSource, ofThing } = ROOMS[room];
  return [
    { name: room, most: inAll },
    { name: `${room} from ${source}`, most: ofSource },
    ...(thing === null ? [] : [{ name: `${room} of ${thing}`, most: ofThing }]),
  ];
}

interface Place {
  readonly room: keyof typeof ROOMS;
  readonly thing: string | null;
}

function placeOf({ type, data }: Access, actorId: number | null, source: string): Place {
  switch (type) {
    case 'LoginFailed':
      return data.userId === null ? { room: 'noAccount', thing: null } : { room: 'guesses', thing: `${data.userId}` };
    case 'LoggedIn':
      return { room: 'logins', thing: null };
    case 'AuditRead': {
      const thing = thingAskedFor(data, actorId);
      return { room: questionKind(data, actorId), thing: thing === null ? null : `${thing} by ${source}` };
    }
    case 'ActRefused':
      return { room: 'refusals', thing: `${data.method} ${data.route} by ${source}` };
    case 'KeyUsedElsewhere':
      return { room: 'keys', thing: null };
  }
}
