/** Times to come, by the clock and the zone of the browser. */

interface Choice {
  readonly label: string;
  readonly at: Date;
}

const HOUR_MS = 3_600_000;
const MORNING = 9;
const MONDAY = 1;

/** Times that people often mean. */
export function choicesAt(now: Date): readonly Choice[] {
  const toMonday = (MONDAY - now.getDay() + 7) % 7 || 7;
  return [
    { label: 'In an hour', at: new Date(now.getTime() + HOUR_MS) },
    { label: 'Tomorrow morning', at: morningIn(1, now) },
    ...(toMonday === 1 ? [] : [{ label: 'Monday morning', at: morningIn(toMonday, now) }]),
  ];
}

const morningIn = (days: number, now: Date): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);

/** As a field of the type `datetime-local` has it, to the minute. */
export function fieldOf(at: Date): string {
  const [year, ...rest] = [at.getFullYear(), at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()];
  const [month, day, hours, minutes] = rest.map((part) => String(part).padStart(2, '0'));
  return `${String(year).padStart(4, '0')}-${month}-${day}T${hours}:${minutes}`;
}

/** @param field what such a field has. @returns seconds since 1970, as the API has times */
export const secondsOf = (field: string): number => Math.floor(new Date(field).getTime() / 1000);
