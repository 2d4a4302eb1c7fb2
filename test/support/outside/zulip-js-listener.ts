// Prints each event that zulip-js hands to its caller, a JSON line each. The library listens for ever: kill the process.
// Arguments: REALM USERNAME PASSWORD
import zulip from 'zulip-js';

const [realm = '', username = '', password = ''] = process.argv.slice(2);
const client = await zulip({ realm, username, password });
await client.callOnEachEvent((event) => process.stdout.write(`${JSON.stringify(event)}\n`), ['message']);
