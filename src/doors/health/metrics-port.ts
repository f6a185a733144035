import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Settings } from '../../config.ts'
import { Refusal } from '../../refusal.ts'
import { messageOf } from '../../storage/sql/errors.ts'

/** What each address of the port answers. */
export type Answers = Readonly<Record<string, () => Promise<Answer>>>

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
  /** For the log. */
  readonly bug?: unknown
  readonly trouble?: unknown
}

/** A small server of its own, so that nothing of it can be reached through the public port. */
export async function openMetricsPort(answers: Answers, settings: Settings): Promise<Server> {
  const { metricsHost: host, metricsPort: port } = settings
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined
    if (answer === undefined || !['GET', 'HEAD'].includes(request.method ?? '')) return send(response, notHere(answers))
    answer().then(
      (found) => send(response, found),
      () => send(response, { status: 500, type: 'text/plain', body: 'failed\n' }),
    )
  })
  server.headersTimeout = 5_000
  server.requestTimeout = 10_000
  try {
    server.listen(port ?? 0, host)
    await once(server, 'listening')
  } catch (error) {
    throw new Refusal('busy', `The metrics port ${port} on ${host} cannot be opened: ${messageOf(error)}.`)
  }
  return server
}

const notHere = (answers: Answers): Answer => ({
  status: 404,
  type: 'text/plain',
  body: `${Object.keys(answers).join('\n')}\n`,
})

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(body)
}
