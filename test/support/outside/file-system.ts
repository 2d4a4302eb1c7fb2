import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const BYTES = 512 * 1024 * 1024;

/**
 * `EXT4_IOC_SHUTDOWN` without a flush, of the journal either: what is not on the disk by then never will be. The program says
 * when it is ready, waits for its input to end, and says when it is done.
 */
const SHUT_DOWN = `
import fcntl, os, struct, sys
folder = os.open(sys.argv[1], os.O_RDONLY)
print("ready", flush=True)
sys.stdin.read()
fcntl.ioctl(folder, 0x8004587d, struct.pack("I", 2))
print("cut", flush=True)
`;

/** A file system in a file, whose power can be cut. */
export class OwnFileSystem {
  private isMounted = false;

  private constructor(private readonly folder: string) {}

  /** @returns null where file systems cannot be made and mounted; prints a line then */
  static async create(): Promise<OwnFileSystem | null> {
    const own = new OwnFileSystem(await mkdtemp(join(tmpdir(), 'annals-')));
    try {
      await writeFile(own.image, '');
      await truncate(own.image, BYTES);
      await run('mkfs.ext4', ['-q', '-F', own.image]);
      await mkdir(own.path);
      await own.mount();
      return own;
    } catch (error) {
      const [reason] = String(error instanceof Error ? error.message : error)
        .trim()
        .split('\n');
      process.stdout.write(`a power cut is not tried, because no file system can be mounted: ${reason}\n`);
      await own.remove();
      return null;
    }
  }

  get path(): string {
    return join(this.folder, 'mounted');
  }

  /** @returns cuts the power at once: nothing more can be written, and what waits to be written is lost */
  async powerSwitch(): Promise<() => Promise<void>> {
    const program = spawn('python3', ['-c', SHUT_DOWN, this.path], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(program, 'exit');
    await once(program.stdout, 'data');
    return async () => {
      program.stdin.end();
      const [code] = await ended;
      if (code !== 0) throw new Error(`the power was not cut: ${code}`);
    };
  }

  /** Mounts what is on the disk. No process may have an open file there. */
  async mountAgain(): Promise<void> {
    await this.unmount();
    await this.mount();
  }

  async remove(): Promise<void> {
    // Databases that were closed in this process may let go of their files later.
    await this.unmount('--lazy');
    await rm(this.folder, { recursive: true, force: true });
  }

  private get image(): string {
    return join(this.folder, 'image');
  }

  private async mount(): Promise<void> {
    await run('mount', ['-o', 'loop', this.image, this.path]);
    this.isMounted = true;
  }

  private async unmount(...options: readonly string[]): Promise<void> {
    if (!this.isMounted) return;
    await run('umount', [...options, this.path]);
    this.isMounted = false;
  }
}
