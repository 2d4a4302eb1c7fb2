import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name a network. One customer of a provider has all addresses of at least one. */
const NETWORK_BITS = 64;

/** Writes an IP address as all its other spellings are written, too. null: the text is no IP address. */
export function canonicalAddress(text: string): string | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.process(text).toString();
}

/** The part of a client's address that limits count by: an IPv4 address, or the network of an IPv6 address. */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const known = ipaddr.process(address);
  if (known instanceof ipaddr.IPv4) return known.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${known.toString()}/${NETWORK_BITS}`).toString()}/${NETWORK_BITS}`;
}
