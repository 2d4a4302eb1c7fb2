// @ts-check
import { fileURLToPath } from 'node:url';
import { Connection } from '../driver/connection.js';
import { Child, freePort } from './child.js';

/**
 * @param {'bare-fastify' | 'bare-nest'} name
 * @returns {Promise<Child>}
 */
export async function startYardstick(name) {
  const port = await freePort();
  const script = fileURLToPath(new URL(`../yardsticks/${name}.js`, import.meta.url));
  const child = new Child(name, port, [script, String(port)]);
  await child.ready(() => isListening(port), 60);
  return child;
}

/** @param {number} port */
async function isListening(port) {
  try {
    (await Connection.open(port)).close();
    return true;
  } catch {
    return false;
  }
}
