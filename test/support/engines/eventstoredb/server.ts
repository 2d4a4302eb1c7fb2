import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiled } from '../../../../scripts/transpile.js';

const STAND_IN = compiled('test/support/engines/eventstoredb/stand-in.ts');
const READY = /at (esdb:\S+:(\d+)\?\S+), commanded at (http:\S+)/;
const START_TIMEOUT_MS = 30_000;

export interface EventStoreDbOptions {
  /** Folder of the events; default: a temporary one that `stop` removes. */
  readonly folder?: string;
  readonly port?: number;
  readonly version?: string;
  /** Memory for event ids, bytes; a real server has 8 MiB. */
  readonly idMemory?: number;
  /** Number of clients' events after which the server writes one of its own. */
  readonly systemEventEvery?: number;
  /** Time that the server goes on after SIGTERM, milliseconds; a real server 5000. */
  readonly grace?: number;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
  readonly control: string;
}

/**
 * Stand-in for EventStoreDB in a child process, with switches for faults. It dies with its parent process. Faults hold until
 * `restore`, or a restart.
 */
export class EventStoreDbServer {
  private constructor(
    private readonly options: EventStoreDbOptions & { readonly folder: string },
    private readonly removesFolder: boolean,
    private running: Running,
  ) {}

  static async start(options: EventStoreDbOptions = {}): Promise<EventStoreDbServer> {
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'annals-eventstoredb-')));
    const withFolder = { ...options, folder };
    return new EventStoreDbServer(withFolder, options.folder === undefined, await run(withFolder));
  }

  /** Connection string, the same after a restart. */
  get url(): string {
    return this.running.url;
  }

  get port(): number {
    return this.running.port;
  }

  /** Ends it with SIGKILL. Acknowledged events are kept, the memory of event ids is lost. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** Ends it with SIGTERM. It serves for its grace, then open calls fail. */
  terminate(): Promise<void> {
    return this.end('SIGTERM');
  }

  /**
   * Kills it if it still runs, and starts it again on the same port and folder.
   * @param meanwhile runs while the server is down
   */
  async restart(meanwhile: (folder: string) => Promise<void> = async () => {}): Promise<void> {
    await this.kill();
    await meanwhile(this.options.folder);
    this.running = await run({ ...this.options, port: this.running.port });
  }

  /** Kills it and removes a temporary folder. */
  async stop(): Promise<void> {
    await this.kill();
    if (this.removesFolder) await rm(this.options.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Freezes the process. Connections stay open, and the kernel accepts new ones. */
  freeze(): void {
    this.running.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.running.child.kill('SIGCONT');
  }

  /** Writes the next `count` appends, and breaks their connections instead of answering. */
  loseAnswers(count: number): Promise<void> {
    return this.command('loseAnswers', count);
  }

  /** Fails every call as unavailable, open ones included. */
  refuse(): Promise<void> {
    return this.command('refuse');
  }

  /** Keeps and accepts connections, and answers nothing on them. */
  acceptAndNeverAnswer(): Promise<void> {
    return this.command('acceptAndNeverAnswer');
  }

  /** Ends every live subscription, as if its consumer were too slow. */
  dropSubscriptions(): Promise<void> {
    return this.command('dropSubscriptions');
  }

  /** Forgets all event ids, so that they can be written again. */
  forgetIds(): Promise<void> {
    return this.command('forgetIds');
  }

  /** Removes events from the log that no reader of a stream is shown. */
  scavenge(): Promise<void> {
    return this.command('scavenge');
  }

  /** Changes the version that the server reports. */
  version(version: string): Promise<void> {
    return this.command('version', version);
  }

  /** Fails every call for lack of permission. */
  denyAccess(): Promise<void> {
    return this.command('denyAccess');
  }

  /** Fails appends for lack of permission. */
  denyAppends(): Promise<void> {
    return this.command('denyAppends');
  }

  /** Ends all faults. */
  async restore(): Promise<void> {
    this.thaw();
    await this.command('restore');
  }

  private async command(name: string, ...parameters: readonly (number | string)[]): Promise<void> {
    const response = await fetch(`${this.running.control}/${name}`, {
      method: 'POST',
      body: JSON.stringify(parameters),
      headers: { connection: 'close' },
    });
    if (!response.ok) throw new Error(`the EventStoreDB stand-in does not know ${name}`);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this.running;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
}

async function run(options: EventStoreDbOptions & { readonly folder: string }): Promise<Running> {
  const settings = {
    folder: options.folder,
    port: options.port,
    version: options.version,
    'id-memory': options.idMemory,
    'system-event-every': options.systemEventEvery,
    grace: options.grace,
  };
  const given = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, `${value}`],
  );
  const child = spawn(process.execPath, [STAND_IN, '--with-parent', ...given], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  return new Promise<Running>((resolve, reject) => {
    const failed = (why: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`the EventStoreDB stand-in ${why}; it printed:\n${output}`));
    };
    const timer = setTimeout(() => failed('did not get ready'), START_TIMEOUT_MS);
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      const [, url, port, control] = READY.exec(output) ?? [];
      if (url === undefined || control === undefined) return;
      clearTimeout(timer);
      resolve({ child, url, port: Number(port), control });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      failed('ended before it was ready');
      // An exit code means that the stand-in failed by itself, in the middle of a test.
      if (code) process.stderr.write(`the EventStoreDB stand-in ended with code ${code}:\n${output}`);
    });
  });
}
