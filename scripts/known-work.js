// @ts-check
// A loop of known work, so that bounds of processor time mean the same on every machine and under every load.

/** Milliseconds of processor time that the loop takes on the machine on which the bounds of specs were set. */
export const REFERENCE_MS = 20;

const ROUNDS = 400;
const LINES = Array.from({ length: 100 }, (_, index) => ({
  id: index,
  text: `line ${index}`.repeat(3),
  flags: [index % 7, 'read'],
}));

/**
 * Times the loop.
 *
 * @returns how many times as long as on the reference machine the processor takes for the same work at the moment
 */
export function slowness() {
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) JSON.parse(JSON.stringify(LINES));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / REFERENCE_MS;
}
