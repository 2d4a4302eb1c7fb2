const NEEDED = [20, 19];

/** Says what is wrong before anything newer than this Node is loaded. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  console.error(`Annals needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
