import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { fileOfPackage } from '../../platform/files/file-of-package.js';
import { apiCommand } from './api.command.js';
import { auditCommand } from './audit.command.js';
import { backupCommand } from './backup.command.js';
import { channelCommand } from './channel.command.js';
import { copyCommand } from './copy.command.js';
import { complain, EXIT, failureOf } from './failure.js';
import { grantCommand } from './grant.command.js';
import { inviteCommand } from './invite.command.js';
import { keyCommand } from './key.command.js';
import { logCommand } from './log.command.js';
import { projectionsCommand } from './projections.command.js';
import { proveCommand } from './prove.command.js';
import { rebuildCommand } from './rebuild.command.js';
import { restoreCommand } from './restore.command.js';
import type { Shell } from './shell.js';
import { startCommand } from './start.command.js';
import { statusCommand } from './status.command.js';
import { userCommand } from './user.command.js';
import { verifyCommand } from './verify.command.js';
import { whyCommand } from './why.command.js';

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
    startCommand(shell),
    apiCommand(shell),
    projectionsCommand(shell),
    statusCommand(shell),
    rebuildCommand(shell),
    grantCommand(shell),
    userCommand(shell),
    channelCommand(shell),
    inviteCommand(shell),
    whyCommand(shell),
    logCommand(shell),
    auditCommand(shell),
    keyCommand(shell),
    proveCommand(shell),
    verifyCommand(shell),
    backupCommand(shell),
    restoreCommand(shell),
    copyCommand(shell),
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
