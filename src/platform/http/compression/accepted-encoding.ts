/** Encodings of answers, the best first. */
const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** A weight of RFC 9110, 12.4.2. */
const WEIGHT = /^q=((?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?))$/;

/** The encoding that a client likes best, by its `Accept-Encoding`; null if it likes none better than none. */
export function preferredEncoding(
  accepted: string | undefined,
  offered: readonly Encoding[] = ENCODINGS,
): Encoding | null {
  if (accepted === undefined || accepted === '') return null;
  const weights = weightsIn(accepted.toLowerCase());
  const any = weights.get('*') ?? 0;
  let best: Encoding | null = null;
  let most = 0;
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? any;
    if (weight > most) {
      best = encoding;
      most = weight;
    }
  }
  return (weights.get('identity') ?? 0) > most ? null : best;
}

function weightsIn(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const element of accepted.split(',')) {
    const [name = '', ...parameters] = element.split(';').map((part) => part.trim());
    weights.set(name === 'x-gzip' ? 'gzip' : name, weightOf(parameters));
  }
  return weights;
}

/** A malformed weight counts as 0: the answer is then sent as it is, which every client can read. */
function weightOf([parameter]: readonly string[]): number {
  return parameter === undefined ? 1 : Number(WEIGHT.exec(parameter)?.[1] ?? 0);
}
