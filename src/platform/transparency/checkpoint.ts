import { HASH_BYTES, type Head } from './merkle.js';
import { MalformedNote } from './signed-note.js';

/** What a log says of itself: the text of a signed note (C2SP tlog-checkpoint). */
export interface Checkpoint extends Head {
  /** Names the log. */
  readonly origin: string;
}

const SIZE = /^(?:0|[1-9][0-9]{0,15})$/;

export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** Reads the text of a checkpoint. Lines below the root are passed over. @throws MalformedNote */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', written = '', ...rest] = text.split('\n');
  const root = Buffer.from(written, 'base64');
  if (origin === '' || !SIZE.test(size) || !Number.isSafeInteger(Number(size)) || rest.length === 0)
    throw new MalformedNote('a checkpoint has an origin, a size and a root');
  if (root.length !== HASH_BYTES || root.toString('base64') !== written)
    throw new MalformedNote("a checkpoint's root is 32 bytes in base64");
  return { origin, size: Number(size), root };
}
