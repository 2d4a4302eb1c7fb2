/**
 * Lets through letters, digits, dot, underscore and hyphen, and no file name with a meaning of its own.
 *
 * @throws TypeError for any other name
 */
export function checkedName(name: string): string {
  if (/^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,127}$/.test(name)) return name;
  throw new TypeError(`${JSON.stringify(name)} is no name: letters, digits, dot, underscore and hyphen`);
}
