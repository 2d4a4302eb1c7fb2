import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../scripts/free-port.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { EMPTY_ROOT } from '../../../src/platform/transparency/merkle.js';

const run = promisify(execFile);
const STARTS_WITHIN_MS = 30_000;

/** A witness that others wrote, with its key in an agent of OpenSSH, in a folder. */
export class Litewitness {
  private agent: ChildProcess | null = null;
  private witness: ChildProcess | null = null;
  private port = 0;
  /** Its verifier key, as it prints it. */
  key = '';

  private constructor(
    private readonly program: string,
    private readonly folder: string,
    private readonly fingerprint: string,
  ) {}

  static async start(program: string, folder: string): Promise<Litewitness> {
    const key = join(folder, 'key');
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key, '-C', 'witness']);
    const { stdout } = await run('ssh-keygen', ['-lf', `${key}.pub`]);
    const started = new Litewitness(program, folder, stdout.split(' ')[1] ?? '');
    const socket = join(folder, 'agent');
    started.agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    // It says where it listens once it does.
    await once(started.agent.stdout ?? started.agent, 'data');
    await run('ssh-add', ['-q', key], { env: { ...process.env, SSH_AUTH_SOCK: socket } });
    started.port = await freePort();
    await started.listen();
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Makes it witness a log. */
  knows(origin: string, verifier: string): void {
    const database = new SqliteConnection(join(this.folder, 'db'));
    database.exec(`
      INSERT INTO log (origin, tree_size, tree_hash) VALUES ('${origin}', 0, '${EMPTY_ROOT.toString('base64')}');
      INSERT INTO key (origin, key) VALUES ('${origin}', '${verifier}');
    `);
    database.close();
  }

  async restart(): Promise<void> {
    await end(this.witness);
    await this.listen();
  }

  async stop(): Promise<void> {
    await end(this.witness);
    await end(this.agent);
  }

  private async listen(): Promise<void> {
    const { folder, fingerprint, port } = this;
    const words = ['-name', 'witness.example/lite', '-key', fingerprint, '-ssh-agent', join(folder, 'agent')];
    const witness = spawn(this.program, [...words, '-db', join(folder, 'db'), '-listen', `127.0.0.1:${port}`]);
    this.witness = witness;
    let said = '';
    const timer = setTimeout(() => witness.kill(), STARTS_WITHIN_MS);
    for await (const chunk of witness.stderr.iterator({ destroyOnReturn: false })) {
      said += chunk;
      if (said.includes('msg=listening')) break;
    }
    clearTimeout(timer);
    this.key = /vkey=(\S+)/.exec(said)?.[1] ?? '';
    if (this.key === '') throw new Error(`litewitness did not start: ${said}`);
    witness.stderr.resume();
  }
}

async function end(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
