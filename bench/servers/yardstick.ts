import { fileURLToPath } from 'node:url';
import { Connection } from '../driver/connection.js';
import { Child, freePort } from './child.js';

export async function startYardstick(name: 'bare-fastify' | 'bare-nest'): Promise<Child> {
  const port = await freePort();
  const script = fileURLToPath(new URL(`../yardsticks/${name}.js`, import.meta.url));
  const child = new Child(name, port, [script, String(port)]);
  await child.ready(() => isListening(port), 60);
  return child;
}

async function isListening(port: number) {
  try {
    (await Connection.open(port)).close();
    return true;
  } catch {
    return false;
  }
}
