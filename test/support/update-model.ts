type Fields = Record<string, unknown>;

/** MongoDB's update operators as its manual describes them, on a plain document; the oracle of the contract suites. */
export function applyUpdate(document: Fields, update: Readonly<Record<string, Fields>>): void {
  const before = structuredClone(document);
  try {
    for (const [operator, fields] of Object.entries(update)) {
      for (const [path, operand] of Object.entries(fields)) applyOperator(document, operator, path, operand);
    }
  } catch (error) {
    for (const key of Object.keys(document)) delete document[key];
    Object.assign(document, before);
    throw error;
  }
}

function applyOperator(document: Fields, operator: string, path: string, operand: unknown): void {
  const [field, ...above] = path.split('.').reverse() as [string, ...string[]];
  const missing = operator === '$unset' || operator === '$pull' ? undefined : {};
  const holder = above.reduceRight<Fields | undefined>((value, step) => {
    if (value && !(step in value) && missing) value[step] = {};
    return value?.[step] as Fields | undefined;
  }, document);
  if (!holder) return;
  const current = holder[field];
  switch (operator) {
    case '$set':
      holder[field] = operand;
      return;
    case '$unset':
      delete holder[field];
      return;
    case '$inc':
      if (current !== undefined && typeof current !== 'number') throw new Error('no number to add to');
      holder[field] = Number(current ?? 0) + Number(operand);
      return;
    case '$min':
      if (current === undefined || order(operand) < order(current)) holder[field] = operand;
      return;
    case '$max':
      if (current === undefined || order(operand) > order(current)) holder[field] = operand;
      return;
    case '$push':
      holder[field] = [...elements(current), ...eachOf(operand)];
      return;
    case '$addToSet': {
      const set = elements(current);
      const added = new Set(eachOf(operand).filter((value) => !set.includes(value)));
      holder[field] = [...set, ...added];
      return;
    }
    case '$pull':
      if (current !== undefined) holder[field] = elements(current).filter((value) => !isPulled(value, operand));
      return;
    default:
      throw new Error(`the model has no ${operator}`);
  }
}

/** Null comes before every number. */
function order(value: unknown): number {
  return value === null ? Number.NEGATIVE_INFINITY : Number(value);
}

function elements(value: unknown): unknown[] {
  if (value !== undefined && !Array.isArray(value)) throw new Error('no array');
  return value ?? [];
}

function eachOf(operand: unknown): unknown[] {
  const { $each } = Object(operand) as { $each?: unknown[] };
  return $each ?? [operand];
}

function isPulled(value: unknown, operand: unknown): boolean {
  const { $gte } = Object(operand) as { $gte?: number };
  return $gte === undefined ? value === operand : Number(value) >= $gte;
}
