const PROGRAM = /^\s*([^/\s(]+)/;
const MAX_LENGTH = 40;

/** `ZulipPython/0.9.1 (Debian GNU/Linux; 12)` → `ZulipPython`: what messages and events say they were sent with. */
export function clientName(userAgent: string | undefined): string {
  const name = PROGRAM.exec(userAgent ?? '')?.[1]?.replace(/[^\x20-\x7e]/g, '') ?? '';
  return name === '' ? 'Unspecified' : name.slice(0, MAX_LENGTH);
}
