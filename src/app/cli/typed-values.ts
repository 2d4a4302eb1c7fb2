import { InvalidArgumentError } from 'commander';

/** Reads a number that was typed. @throws InvalidArgumentError */
export function count(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 up');
  return Number(text);
}
