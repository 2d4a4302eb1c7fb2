// Installs and runs SecantusDB, which speaks MongoDB's protocol: no package registry has MongoDB itself. The server in Rust is
// several times as fast as the one in Python, and holds more. Cargo compiles it for many minutes, so it is used where this program
// was run before: node scripts/run.js scripts/secantusdb.ts
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.js';
import { Program, run } from './processes.js';

const RUST = { package: 'secantus-mdb', version: '0.5.3-beta.196' };
const PYTHON = { package: 'SecantusDB', version: '0.7.0b3' };
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'annals');
const ATTEMPTS = 3;

const BUILT = join(CACHE, `${RUST.package}-${RUST.version}`);
const SERVER_IN_RUST = join(BUILT, 'bin/secantusd-rs');

/** Path of the server in Rust; null if it is not built. */
export const builtInRust = (): string | null => (existsSync(SERVER_IN_RUST) ? SERVER_IN_RUST : null);

/** Builds the server once for all checkouts of a user. @throws Error if cargo is missing or fails */
async function buildInRust(): Promise<void> {
  if (builtInRust()) return;
  const folder = `${BUILT}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  // The package asks for a newer compiler than it needs.
  const options = `--quiet --locked --ignore-rust-version --root '${folder}'`;
  await run(`cargo install ${options} ${RUST.package} --version ${RUST.version}`, {
    environment: { CARGO_TARGET_DIR: join(folder, 'target') },
  });
  await rm(join(folder, 'target'), { recursive: true });
  // Another process may have been first.
  await rename(folder, BUILT).catch(() => rm(folder, { recursive: true }));
}

/** @returns the server's path */
export async function installInPython(folder: string): Promise<string> {
  const environment = join(folder, 'python');
  const server = join(environment, 'bin/secantusd-py');
  if (existsSync(server)) return server;
  await run(`python3 -m venv '${environment}'`);
  const install = `'${environment}/bin/pip' install --quiet --disable-pip-version-check`;
  for (let attempt = 1; ; attempt++) {
    try {
      await run(`${install} ${PYTHON.package}==${PYTHON.version}`);
      return server;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** Runs `work` with a server on empty documents, which are kept in `documents`, and kills the server. */
export async function withSecantusDb<T>(
  server: string,
  documents: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const port = await freePort();
  await rm(documents, { recursive: true, force: true });
  const program = new Program(`'${server}' --port ${port} --storage-path '${documents}' --log-level WARNING`);
  await program.until(() => listens(port));
  try {
    return await work(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  } finally {
    await program.stop('SIGKILL');
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildInRust();
  console.log(SERVER_IN_RUST);
}
