import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A terminal with a program in it, seen through tmux. */
export class Terminal {
  private constructor(private readonly socket: string) {}

  /** Tells whether tmux is there. */
  static isPossible(): Promise<boolean> {
    return run('tmux', ['-V']).then(
      () => true,
      () => false,
    );
  }

  /** @param home folder of the program's settings */
  static async start(command: string, home: string): Promise<Terminal> {
    const terminal = new Terminal(`annals-${randomBytes(6).toString('hex')}`);
    await terminal.tmux('-f', '/dev/null', 'new-session', '-d', '-x', '160', '-y', '45', '-e', `HOME=${home}`, command);
    return terminal;
  }

  /** The lines that a person sees now. */
  screen(): Promise<string> {
    return this.tmux('capture-pane', '-p');
  }

  /** Presses keys, by tmux' names for them: `Enter`, `Escape`, `a`. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.tmux('send-keys', ...keys);
  }

  async type(text: string): Promise<void> {
    await this.tmux('send-keys', '-l', text);
  }

  async stop(): Promise<void> {
    await this.tmux('kill-server');
  }

  private async tmux(...words: readonly string[]): Promise<string> {
    const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' };
    return (await run('tmux', ['-u', '-L', this.socket, ...words], { env })).stdout;
  }
}
