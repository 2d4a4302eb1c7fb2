// Runs the tests with the README's command; the arguments go to Jest.
import { runTests } from './processes.js';
import { commandOf } from './readme.js';

const given = process.argv.slice(2).map((argument) => ` '${argument}'`);
process.exitCode = await runTests(`${commandOf(/^npm install && npm test$/)} --${given.join('')}`);
