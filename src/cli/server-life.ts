import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Settings } from '../config.ts'
import { listeningAddresses } from '../doors/http/listening-addresses.ts'
import { Refusal } from '../refusal.ts'
import { codeOf } from '../storage/sql/errors.ts'

/** What these functions need of the HTTP library. */
interface Listening {
  readonly server: Server
  listen(where: { readonly host: string; readonly port: number }): Promise<string>
  close(): PromiseLike<unknown>
  addHook(moment: 'preClose', hook: (done: () => void) => void): unknown
}

/** How long a server that closes still reads what its callers had sent; its answers tell them to send no more. */
const farewellMilliseconds = 150

/** Answers the addresses to type into a browser, first one for this machine itself. */
export async function listenAt(doors: Listening, { host, port }: Settings): Promise<readonly [string, ...string[]]> {
  doors.addHook('preClose', (done) => setTimeout(done, farewellMilliseconds))
  try {
    await doors.listen({ host, port })
  } catch (error) {
    await doors.close()
    throw cannotListen(error, host, port)
  }
  return listeningAddresses(host, portOf(doors.server))
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    return new Refusal('busy', `Port ${port} on ${host} is in use by another program. Choose another one with --port.`)
  }
  if (code === 'EACCES') {
    return new Refusal('forbidden', `Port ${port} needs more rights than this user has. Choose one above 1023.`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Refusal('not-found', `This machine has no address "${host}". Choose another one with --host.`)
  }
  return error
}

function portOf(server: Server): number {
  const bound = server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}

export const whenAskedToStop = (): Promise<unknown> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve)
  })

const patienceMilliseconds = 8_000

/** Stops accepting, lets requests in flight be answered, and cuts off those that take too long. */
export async function closeKindly(doors: Listening): Promise<void> {
  // A connection that was busy when the server closed would be kept alive after its answer.
  const sweeping = setInterval(() => {
    if (!doors.server.listening) doors.server.closeIdleConnections()
  }, 50)
  const impatience = setTimeout(() => doors.server.closeAllConnections(), patienceMilliseconds)
  await doors.close()
  clearInterval(sweeping)
  clearTimeout(impatience)
  // The log's last lines are written in the next turn of the event loop.
  await nextTurn()
}
