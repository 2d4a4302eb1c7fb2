import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './transpile.js';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** Text of the blocks in a language, of the README or another page. */
export const blocksOf = (language: string, page = README): string =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text).join('');

/** The commands in the README's shell blocks that match. @throws Error if there are none */
export function commandsOf(pattern: RegExp): readonly string[] {
  const commands = blocksOf('sh')
    .split('\n')
    .filter((line) => pattern.test(line));
  if (commands.length === 0) throw new Error(`no command in README.md matches ${pattern}`);
  return commands;
}

export function commandOf(pattern: RegExp): string {
  const [command = ''] = commandsOf(pattern);
  return command;
}
