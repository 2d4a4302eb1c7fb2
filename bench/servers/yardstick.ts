import { fileURLToPath } from 'node:url';
import { Connection } from '../driver/connection.js';
import { Child, freePort } from './child.js';

/** @param directory for the data of a yardstick that stores any */
export async function startYardstick(
  name: 'bare-fastify' | 'bare-nest' | 'floor' | 'campfire',
  directory?: string,
): Promise<Child> {
  const port = await freePort();
  const script = fileURLToPath(new URL(`../yardsticks/${name}.js`, import.meta.url));
  const child = new Child(name, port, [script, String(port), ...(directory === undefined ? [] : [directory])]);
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
