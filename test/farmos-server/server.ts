import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Farm } from './data/farm.ts'
import { type Failure, Occasions, type When } from './failures.ts'
import { type Request, Routes, type Ways } from './routes.ts'
import { type Answer, redirect } from './wire/answer.ts'

export interface FarmosServer {
  readonly address: string
  readonly farm: Farm
  /** Every request that came, in order. */
  readonly requests: readonly Request[]
  /** How many were under way at the same time, at most. */
  readonly mostAtOnce: number
  /** Lets requests fail by a plan; several plans stand beside each other, and the first whose time it is decides. */
  fail(failure: Failure): void
  /** Ends all plans. */
  mend(): void
  /** Changes the farm, once, before such a request is answered. */
  meanwhile(when: When, change: (farm: Farm) => void): void
  /** Tokens that are out stop working; what they can be renewed with does not, unless `all` is said. */
  endTokens(which?: 'access' | 'all'): void
  endSessions(): void
  /** Resolves when so many requests have come since the start. */
  reached(count: number): Promise<void>
  stop(): Promise<void>
}

export interface Start extends Partial<Ways> {
  readonly host?: string
}

const secondsNow = (): number => Math.floor(Date.now() / 1000)

/** A farmOS 1.x on a free port that has this farm. */
export async function startFarmos(farm: Farm, { host = '127.0.0.1', ...ways }: Start = {}): Promise<FarmosServer> {
  const routes = new Routes(farm, {
    now: secondsNow,
    lifetimes: { access: 3600, refresh: 1_209_600 },
    ties: 'by id',
    takesBasic: false,
    mostPerPage: 100,
    under: '',
    ...ways,
  })
  const requests: Request[] = []
  let plans: { failure: Failure; occasions: Occasions }[] = []
  const changes: { occasions: Occasions; change: (farm: Farm) => void }[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const atOnce = { now: 0, most: 0 }

  const server = createServer(async (incoming, response) => {
    atOnce.now += 1
    atOnce.most = Math.max(atOnce.most, atOnce.now)
    response.once('close', () => {
      atOnce.now -= 1
    })
    const request = await received(incoming)
    requests.push(request)
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve()
    for (const { occasions, change } of changes) if (occasions.isNow(request.path)) change(farm)
    const due = plans.filter(({ occasions }) => occasions.isNow(request.path))
    await send(response, () => routes.answer(request), due[0]?.failure)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo

  return {
    address: `http://${host}:${port}${ways.under ?? ''}`,
    farm,
    requests,
    get mostAtOnce() {
      return atOnce.most
    },
    fail: (failure) => {
      plans.push({ failure, occasions: new Occasions(failure) })
    },
    mend: () => {
      plans = []
    },
    meanwhile: (when, change) => {
      changes.push({ occasions: new Occasions({ times: 1, ...when }), change })
    },
    endTokens: (which = 'access') => (which === 'all' ? routes.tokens.endAll() : routes.tokens.endAccess()),
    endSessions: () => routes.sessions.endAll(),
    reached: (count) =>
      new Promise((resolve) => (requests.length >= count ? resolve() : waiting.push({ count, resolve }))),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function received(incoming: IncomingMessage): Promise<Request> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers, body: Buffer.concat(parts).toString() }
}

async function send(response: ServerResponse, answer: () => Answer, failure: Failure | undefined): Promise<void> {
  if (failure === undefined) return write(response, answer())
  if ('silence' in failure) return
  if ('redirect' in failure) return write(response, redirect(failure.redirect))
  if ('status' in failure) {
    const { status, headers = {}, body = `<html><h1>${status}</h1></html>` } = failure
    return write(response, { status, headers: { 'Content-Type': 'text/html', ...headers }, body })
  }
  if ('delay' in failure) {
    await pause(failure.delay)
    return write(response, answer())
  }
  const { status, headers, body } = answer()
  if ('flood' in failure) {
    response.writeHead(status, asOutgoing(headers))
    await pipeline(flooding(failure.flood), response).catch(() => {})
    return
  }
  const half = Buffer.from(body).subarray(0, Math.floor(Buffer.byteLength(body) / 2))
  if (failure.cut === 'quietly') return write(response, { status, headers, body: half })
  response.writeHead(status, { ...asOutgoing(headers), 'Content-Length': Buffer.byteLength(body) })
  response.write(half, () => response.destroy())
}

function* flooding(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, ' ')
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece
}

const asOutgoing = (headers: Answer['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  )

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, asOutgoing(headers))
  response.end(body)
}
