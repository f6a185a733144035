import { isIPv4 } from 'node:net'

/** Whether a server that listens on this host can be reached from the same machine only. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
