/** Reads the records of a CSV text as RFC 4180 has it. */
export function csvRecords(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const found = field.exec(text);
    if (!found) throw new Error(`no field of a CSV text: ${text.slice(at, at + 80)}`);
    const [, quoted, plain = '', end] = found;
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}
