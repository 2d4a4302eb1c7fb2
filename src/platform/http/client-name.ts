const PROGRAM = /^\s*([^/\s(]+)/;
const MAX_LENGTH = 40;

/** The client program's name for messages and events: `ZulipPython/0.9.1 (Debian GNU/Linux; 12)` → `ZulipPython`. */
export function clientName(userAgent: string | undefined): string {
  const name = PROGRAM.exec(userAgent ?? '')?.[1]?.replace(/[^\x20-\x7e]/g, '') ?? '';
  return name === '' ? 'Unspecified' : name.slice(0, MAX_LENGTH);
}
