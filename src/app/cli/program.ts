import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { fileOfPackage } from '../../platform/files/file-of-package.js';
import { backupCommands } from './backup.commands.js';
import { channelCommand } from './channel.command.js';
import { complain, EXIT, failureOf } from './failure.js';
import { inviteCommand } from './invite.command.js';
import { logCommands } from './log.commands.js';
import { grantCommand, whyCommand } from './permission.commands.js';
import { serverCommands } from './server.commands.js';
import type { Shell } from './shell.js';
import { userCommand } from './user.command.js';

/** Runs a command line. @returns the exit code: 0 done, 1 failed, 2 not understood */
export async function run(words: readonly string[], shell: Shell): Promise<number> {
  try {
    await annals(shell).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    const { message, exitCode } = failureOf(error);
    if (message !== '') complain(shell.errors, message);
    return exitCode;
  }
}

function annals(shell: Shell): Command {
  const program = new Command('annals')
    .description('A team messaging server whose log is the truth.')
    .version(version(), '--version', 'print the version')
    .addHelpText('after', `\nExit codes: 0 done, ${EXIT.failed} failed, ${EXIT.usage} not understood.`);
  for (const command of [
    ...serverCommands(shell),
    grantCommand(shell, 'grant'),
    userCommand(shell),
    channelCommand(shell),
    inviteCommand(shell),
    whyCommand(shell, 'why'),
    ...logCommands(shell),
    ...backupCommands(shell),
  ])
    program.addCommand(command);
  const output = {
    writeOut: (text: string) => void shell.output.write(text),
    writeErr: (text: string) => void shell.errors.write(text),
  };
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    command.exitOverride().allowExcessArguments(false).configureOutput(output);
  return program;
}

/** Reads the version of this file's package. */
function version(): string {
  return (JSON.parse(readFileSync(fileOfPackage('package.json'), 'utf8')) as { version: string }).version;
}
