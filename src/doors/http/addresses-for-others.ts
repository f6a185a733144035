import type { FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { isOfThisMachine, listeningAddresses } from '../../access/listening-addresses.ts'
import { baseAddressOf } from './origin.ts'

/** Addresses of the farm for other machines, best first; empty if it listens on loopback only. */
export function addressesForOthers(request: FastifyRequest, installation: Installation): readonly string[] {
  const { baseUrl } = installation.settings
  if (baseUrl !== null) return [baseUrl]
  // A proxy, or a name of the network, is known by the request alone.
  const asked = baseAddressOf(request, installation)
  const addresses = [asked, ...listeningAddresses(installation.settings, request.socket.localPort ?? 0)]
  return [...new Set(addresses)].filter((address) => !isOfThisMachine(address))
}

/** The address that a link begins with which is handed to other people. */
export const addressToHandOn = (request: FastifyRequest, installation: Installation): string =>
  addressesForOthers(request, installation)[0] ?? baseAddressOf(request, installation)
