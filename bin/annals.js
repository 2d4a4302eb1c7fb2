#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { checkNode } from './check-node.js';

checkNode();
// Node 22 and newer keep compiled code beside the program, where only its owner can write. Elsewhere nothing is kept.
module.enableCompileCache?.(fileURLToPath(new URL('../dist/bundled/compiled', import.meta.url)));
await import('../dist/bundled/src/main.js');
