import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import type { Installation } from '../../src/access/installation.ts'
import { defaultSettings, type ServerSettings } from '../../src/config.ts'
import type { RefusalForm } from '../../src/doors/http/problem-details.ts'
import { openServer } from '../../src/doors/http/server.ts'

export interface Floor {
  readonly address: string
  readonly port: number
  readonly app: FastifyInstance
  /** The log, one object per line. */
  readonly lines: Record<string, unknown>[]
}

export function houseWith(settings: Partial<ServerSettings> = {}): Installation {
  // The floor looks at the clock and the settings, and would hear from a database; catalogue and rows are for the doors.
  const database = {}
  return {
    clock: () => 1_700_000_000,
    settings: { ...defaultSettings, ...settings },
    database,
  } as unknown as Installation
}

/** A listening server with throw-away routes, closed when the test is over. */
export async function openFloor(
  addRoutes: (app: FastifyInstance, installation: Installation) => void,
  settings?: Partial<ServerSettings>,
  refusalForms?: readonly RefusalForm[],
): Promise<Floor> {
  const installation = houseWith(settings)
  const lines: Record<string, unknown>[] = []
  const app = openServer(installation, (line) => lines.push(JSON.parse(line)), refusalForms)
  addRoutes(app, installation)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return { address, port: Number(new URL(address).port), app, lines }
}

/** Sends bytes as they are and gives all that comes back before the connection closes. */
export async function sendRaw(port: number, ...pieces: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (bytes) => received.push(bytes))
  // A reset closes it, too.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const piece of pieces) socket.write(piece)
  await closed
  return Buffer.concat(received).toString()
}
