#!/usr/bin/env node
import { checkNode } from './check-node.js';

checkNode();
await import('../dist/src/main.js');
