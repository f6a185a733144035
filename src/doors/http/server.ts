import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import Fastify from 'fastify'
import type { Installation } from '../../access/installation.ts'
import type { ServerSettings } from '../../config.ts'
import { mebibyte } from '../../fields/byte-size.ts'
import { nameOfCharacter, uncarriable } from '../../fields/text.ts'
import { decodedPart } from '../../formats/query-string.ts'
import { limits } from '../../limits.ts'
import { Refusal } from '../../refusal.ts'
import { admitInTurn } from './admission.ts'
import { takeRawBodies } from './body.ts'
import { refuseRepeated } from './caller.ts'
import { refuseDryRunInIgnoredBody, watchForDryRun } from './dry-run.ts'
import { abortedLine, brokenLine, requestLine, toStandardOutput, type WriteLine } from './in-flight.ts'
import { addPageWords } from './language.ts'
import { compressAnswer, pathOf } from './negotiation.ts'
import {
  clientAddressOf,
  plainAddress,
  requireTls,
  setSecurityHeaders,
  trustedProxiesOf,
  watchForUnlistedProxies,
} from './origin.ts'
import { answerWithPage } from './page.ts'
import { answerBrokenRequest, answerTo, bodyTooLarge, formOf, type RefusalForm, urlTooLong } from './problem-details.ts'
import { readCertificate } from './tls-certificate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, for the log; a door sets it as soon as it is known. */
    uid: number | null
    /** The result of a failed login, for the log. */
    login: 'failed' | 'refused' | null
    /** The client's address, for the log; undefined if it must not be logged. */
    address: string | undefined
    /** An unexpected error, for the log. */
    bug: unknown
    /** The cause of a refusal, for the log. */
    trouble: unknown
  }
}

/** A way in: adds its routes to the server. */
export type Door = (app: FastifyInstance, installation: Installation) => void

/** The floor every door stands on: limits, raw bodies, headers, refusals, one log line per request. It has no routes of its own. */
export function openServer(
  installation: Installation,
  write: WriteLine = toStandardOutput,
  refusalForms: readonly RefusalForm[] = [],
): FastifyInstance {
  trustedProxiesOf(installation.settings)
  const addressToLog = (request: FastifyRequest) =>
    installation.settings.logAddresses ? clientAddressOf(request, installation) : undefined
  const noteUnlistedProxy = watchForUnlistedProxies(installation, write)
  const bodyBytes = installation.settings.bodyMebibytes * mebibyte
  const app: FastifyInstance = Fastify({
    ...serverOptions,
    ...speakingTls(installation.settings),
    bodyLimit: bodyBytes,
    clientErrorHandler: (error: Error & { code?: string }, socket: Socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed) return
      const address = installation.settings.logAddresses ? plainAddress(socket.remoteAddress ?? '') : undefined
      write(brokenLine({ error, status: answerBrokenRequest(error, socket), address }, installation.clock))
    },
    frameworkErrors: (error, request, reply) => {
      const body = answerTo(error, request, reply)
      request.address = addressToLog(request)
      // No hook runs for an address that could not even be routed.
      reply.hijack()
      reply.raw
        .writeHead(reply.statusCode, { ...asHeaders(reply.getHeaders()), 'content-length': Buffer.byteLength(body) })
        .end(body)
      write(requestLine(request, reply, installation.clock))
    },
  })
  // Bytes are counted, not headers: of more than 2000, Node would drop the rest without a word.
  app.server.maxHeadersCount = 0
  // An expectation that we do not know is ignored, as RFC 9110 (10.1.1) allows: Node alone would answer without a reason.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  takeRawBodies(app)
  app.decorate('refusalForms', refusalForms)
  app.decorateRequest('uid', null)
  app.decorateRequest('login', null)
  app.decorateRequest('address', undefined)
  app.decorateRequest('bug', undefined)
  app.decorateRequest('trouble', undefined)

  app.addHook('onRequest', (request, reply, done) => {
    setSecurityHeaders(reply, request.id)
    // Now: a connection that is gone has no address.
    request.address = addressToLog(request)
    allowSlowAnswer(request, reply)
    noteUnlistedProxy(request)
    if (request.url.length > limits.urlBytes) throw urlTooLong()
    refuseStrange(pathOf(request))
    refuseRepeated(request, 'Host')
    requireTls(request, installation)
    if (request.is404 && request.method !== 'OPTIONS') throw refusalOfUnrouted(app, request)
    watchForDryRun(request, reply)
    if (Number(request.headers['content-length']) > bodyBytes) throw bodyTooLarge(bodyBytes)
    done()
  })
  admitInTurn(app, installation)
  addPageWords(app, installation)
  app.addHook('preHandler', (request, _reply, done) => {
    refuseDryRunInIgnoredBody(request)
    done()
  })
  app.addHook('onSend', compressAnswer)
  app.addHook('onResponse', (request, reply, done) => {
    write(requestLine(request, reply, installation.clock))
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    write(abortedLine(request, installation.clock))
    done()
  })
  app.setErrorHandler((thrown, request, reply) =>
    request.is404 && formOf(request) === undefined
      ? answerWithPage(thrown, request, reply)
      : reply.send(answerTo(thrown, request, reply)),
  )
  app.setNotFoundHandler((request, reply) => answerOptions(app, request, reply))
  return app
}

/** Fastify's types tell servers with and without TLS apart; no door asks which one it is in. */
const speakingTls = ({ tls }: ServerSettings): object =>
  tls === null ? {} : { https: { ...serverOptions.http, ...readCertificate(tls) } }

/** Node closes a connection that is silent for too long; but who has sent everything and waits for our answer has every right to be. */
function allowSlowAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.on('timeout', (socket: Socket) => {
    if (!request.raw.complete || reply.raw.headersSent) socket.destroy()
  })
}

const asHeaders = (headers: Record<string, number | string | string[] | undefined>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** No record has such a character in its name, and not every engine can be asked for it. */
function refuseStrange(path: string): void {
  const strange = path.includes('%') ? uncarriable.exec(decodedPart(path) ?? '') : null
  if (strange)
    throw new Refusal('bad-request', `The address holds ${nameOfCharacter(strange[0])}, which nothing is named with.`)
}

const noQuery = Object.freeze({})

/** No route has a schema: what comes in is judged by the catalogue. Loading Fastify's compilers of schemas takes a tenth of a start. */
function withoutSchemas(): never {
  throw new Error('A route has a schema, and there is nothing to compile it')
}

/** The path and query that are asked for, which can be decoded where they are the address of a file. */
const requestTargetOf = (request: IncomingMessage): string =>
  originForm(request).replace(addressOfFile, (path) => (isEncoded(path) ? path : path.replaceAll('%', '%25')))

const serverOptions = {
  logger: false,
  schemaController: { compilersFactory: { buildValidator: withoutSchemas, buildSerializer: withoutSchemas } },
  genReqId: () => randomUUID(),
  rewriteUrl: requestTargetOf,
  requestIdHeader: false,
  http: {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: limits.headersMs / 2,
  },
  requestTimeout: limits.requestMs,
  connectionTimeout: limits.silenceMs,
  keepAliveTimeout: limits.idleMs,
  return503OnClosing: false,
  exposeHeadRoutes: true,
  routerOptions: {
    caseSensitive: true,
    ignoreTrailingSlash: true,
    maxParamLength: limits.headerBytes,
    // Doors read the raw address with readQuery; nobody is to find half-understood values in request.query.
    querystringParser: () => noQuery,
  },
} as const

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The refusal of a request without a route: an unknown path, or another method. */
function refusalOfUnrouted(app: FastifyInstance, request: FastifyRequest): Refusal {
  const allow = methodsOf(app, request)
  if (allow.length === 0) return new Refusal('not-found', 'There is nothing at this address.')
  const named = allow.join(', ')
  return new Refusal('method-not-allowed', `${request.method} does not work here; ${named} do.`, { allow })
}

/** OPTIONS on a path that has no answer of its own to it. */
async function answerOptions(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const allow = methodsOf(app, request)
  if (allow.length === 0) throw refusalOfUnrouted(app, request)
  await reply.code(204).header('allow', allow.join(', ')).send()
}

function methodsOf(app: FastifyInstance, request: FastifyRequest): string[] {
  const url = pathOf(request)
  const found: string[] = methods.filter((method) => app.findRoute({ method, url }) !== null)
  return found.length === 0 ? found : [...found, 'OPTIONS']
}

/** Addresses of files once had names as they are: a percent sign in one is no encoding. */
const addressOfFile = /^\/file\/\d+\/[^?]*/

function isEncoded(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** `http://user:secret@host/path`, as a client writes it that takes us for its proxy. */
const absoluteForm = /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)/i

/** A host in the request line wins over the Host header (RFC 9112, 3.2.2). */
function originForm(request: IncomingMessage): string {
  const target = request.url ?? '/'
  if (target.startsWith('/')) return target
  const [whole, host = ''] = absoluteForm.exec(target) ?? []
  if (whole === undefined) return target
  request.headers.host = host
  const rest = target.slice(whole.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
