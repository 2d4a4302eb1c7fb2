import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const READY_WITHIN_MS = 240_000;
const GONE_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 5_000;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProgramOptions {
  readonly environment?: Environment;
  readonly cwd?: string;
  /** True: prints as it goes instead of keeping the output. */
  readonly prints?: boolean;
}

const running = new Set<Program>();
process.on('exit', () => {
  for (const program of running) program.signal('SIGKILL');
});
let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void endAll());

/** Lets the programs end what they have started themselves, and ends this one. */
async function endAll(): Promise<void> {
  isEnding = true;
  for (const program of running) program.signal('SIGTERM');
  await Promise.all([...running].map((program) => program.isGone(ENDS_WITHIN_MS)));
  process.exit(130);
}

/** A shell command in its own process group, so that every process that it starts can be found. */
export class Program {
  private readonly child: ChildProcess;
  private readonly exit: Promise<number>;
  output = '';

  constructor(
    readonly command: string,
    { environment = {}, cwd, prints = false }: ProgramOptions = {},
  ) {
    this.child = spawn('bash', ['-c', command], {
      cwd,
      env: { ...process.env, ...environment },
      detached: true,
      stdio: ['ignore', ...(prints ? (['inherit', 'inherit'] as const) : (['pipe', 'pipe'] as const))],
    });
    this.exit = once(this.child, 'close').then(([code]) => (typeof code === 'number' ? code : 1));
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.output += chunk;
      });
    running.add(this);
  }

  /** Resolves with the exit code; 1 after a signal. Never resolves once this process is asked to end: nothing follows. */
  async ended(): Promise<number> {
    const code = await this.exit;
    return isEnding ? new Promise(() => {}) : code;
  }

  /** Waits until `ready` is true. @throws Error with the output, if the program ends before or takes too long */
  async until(ready: (output: string) => boolean | Promise<boolean>): Promise<this> {
    for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; await pause(50)) {
      if (await ready(this.output)) return this;
      if (this.child.exitCode !== null || this.child.signalCode !== null) break;
    }
    throw new Error(`${this.command} did not start:\n${this.output}`);
  }

  signal(signal: NodeJS.Signals): void {
    try {
      if (this.child.pid !== undefined) process.kill(-this.child.pid, signal);
    } catch {
      // The group has ended.
    }
  }

  /** Ends the group. @throws Error if a process must be killed after a while */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.signal(signal);
    if (await this.isGone(GONE_WITHIN_MS)) return;
    this.signal('SIGKILL');
    throw new Error(`${this.command} is still there ${GONE_WITHIN_MS / 1000} s after ${signal}`);
  }

  async isGone(withinMs: number): Promise<boolean> {
    for (const deadline = performance.now() + withinMs; hasProcesses(this.child.pid); await pause(50)) {
      if (performance.now() > deadline) return false;
    }
    running.delete(this);
    return true;
  }
}

/** Tells whether the group has living processes. Zombies do not count, if the system tells. */
function hasProcesses(group: number | undefined): boolean {
  if (group === undefined) return false;
  try {
    process.kill(-group, 0);
    return readdirSync('/proc').some((id) => /^\d+$/.test(id) && isAliveIn(group, id));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function isAliveIn(group: number, id: string): boolean {
  try {
    const [state, , itsGroup] = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(itsGroup) === group && state !== 'Z';
  } catch {
    return false;
  }
}

/** Runs a command to its end. @returns its output @throws Error with the output, if it fails */
export async function run(command: string, options: ProgramOptions = {}): Promise<string> {
  const program = new Program(command, options);
  const code = await program.ended();
  await program.stop('SIGKILL');
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${program.output}`);
  return program.output;
}

/** Runs tests. @returns the exit code; 1 if tests that pass leave processes behind */
export async function runTests(command: string, environment: Environment = {}): Promise<number> {
  const tests = new Program(command, { environment, prints: true });
  const code = await tests.ended();
  if (await tests.isGone(5000)) return code;
  await tests.stop('SIGKILL');
  // A failed test may leave its server behind.
  if (code === 0) console.error('the tests pass and leave processes behind');
  return code || 1;
}

/** Starts the program as a user does. Resolves when it prints its address. */
export async function startAnnals(command: string, options: ProgramOptions): Promise<StartedAnnals> {
  console.log(`$ ${command}`);
  const program = await new Program(command, options).until((output) => /^Annals is running at /m.test(output));
  console.log(program.output.trimEnd());
  return new StartedAnnals(program);
}

export class StartedAnnals {
  constructor(private readonly program: Program) {}

  get output(): string {
    return this.program.output;
  }

  /** The curl lines that a first start prints. */
  get curlLines(): readonly string[] {
    return this.output.split('\n').filter((line) => /^ +curl /.test(line));
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    await this.program.stop(signal);
    console.log(`stopped with ${signal}`);
  }
}

/** Runs a line of shell. @throws Error unless its output contains `expected` */
export async function mustSay(expected: string, line: string | undefined, options: ProgramOptions = {}): Promise<void> {
  if (!line) throw new Error(`no line was printed that would say ${expected}`);
  const said = await run(line, options);
  if (!said.includes(expected)) throw new Error(`expected ${expected} in:\n${said}`);
  console.log(`found: ${expected}`);
}
