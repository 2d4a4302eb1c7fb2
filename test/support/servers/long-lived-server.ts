import { freePort } from '../../../scripts/free-port.js';
import { type OwnEngines, ownEngines } from '../engines/own-engines.js';
import { annals } from './command-line.js';
import { RunningServer } from './running-server.js';

/** A server that is killed, restarted and rebuilt at one address, which its clients know from a file. */
export class LongLivedServer {
  private constructor(
    private readonly engines: OwnEngines,
    private readonly settings: Readonly<Record<string, string>>,
    private running: RunningServer,
  ) {}

  static async start(): Promise<LongLivedServer> {
    const engines = await ownEngines();
    const settings = { ...engines.environment, ANNALS_PORT: String(await freePort()) };
    return new LongLivedServer(engines, settings, await start(engines, settings));
  }

  get current(): RunningServer {
    return this.running;
  }

  get dataDirectory(): string {
    return this.engines.dataDirectory;
  }

  async killAndRestart(): Promise<void> {
    await this.running.kill();
    this.running = await start(this.engines, this.settings);
  }

  /** Builds all documents anew while the server answers. @throws Error with what the command printed, if it fails */
  async rebuild(): Promise<void> {
    const { code, stdout, stderr } = await annals(['rebuild'], this.settings);
    if (code !== 0) throw new Error(`the rebuild ended with ${code}:\n${stdout}\n${stderr}`);
  }

  /** Lists events of the log by `annals log`. */
  async log(options: readonly string[]): Promise<readonly string[]> {
    const { code, stdout, stderr } = await annals(['log', '--json', ...options], this.settings);
    if (code !== 0) throw new Error(stderr);
    return stdout.split('\n').filter(Boolean);
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await this.engines.remove();
  }
}

const start = async (engines: OwnEngines, settings: Readonly<Record<string, string>>): Promise<RunningServer> =>
  (await RunningServer.start(engines.dataDirectory, settings)).caughtUp();
