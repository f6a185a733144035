import { type ProblemDocument, problemIn, secondsToWait } from './requests.ts'

/** A refusal of the farm (RFC 9457, or an error of JSON:API), or an answer of somebody else. */
export class FurrowError extends Error {
  readonly status: number
  /** Such as `urn:furrow:refusal:conflict`. */
  readonly type: string
  /** Faults by field. */
  readonly errors: readonly unknown[]
  /** Seconds after which the farm wants to be asked again. */
  readonly retryAfter: number | null

  constructor(status: number, problem: ProblemDocument, retryAfter: number | null = null) {
    const { type, title, errors = [] } = problem
    // JSON:API says everything in its list of errors.
    const { code, detail } = (errors[0] ?? {}) as { readonly code?: string; readonly detail?: string }
    super((problem.detail || title || detail) ?? `The server answered ${status}`)
    this.name = 'FurrowError'
    this.status = status
    this.type = type ?? (code === undefined ? '' : `urn:furrow:refusal:${code}`)
    this.errors = errors
    this.retryAfter = retryAfter
  }
}

export async function accepted(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  throw new FurrowError(answer.status, problemIn(await answer.text()), secondsToWait(answer.headers))
}

/** Sends until there is an answer that stands: after a lost connection, and what a busy farm or its proxy says. */
export async function acceptedInTime(
  send: () => Promise<Response>,
  { retries, signal }: { readonly retries: number; readonly signal?: AbortSignal | undefined },
): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await accepted(await send())
    } catch (error) {
      if (tries >= retries || signal?.aborted || !isPassing(error)) throw error
      await pause(error instanceof FurrowError ? error.retryAfter : null, tries, signal)
    }
  }
}

const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Every fault but a refusal is a connection that was not made or was lost. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof FurrowError) || passingStatuses.has(error.status)

const longestWait = 60

/** As long as the server says, or twice as long each time. */
export function pause(seconds: number | null, tries: number, signal?: AbortSignal): Promise<void> {
  const wait = Math.min(seconds ?? 2 ** tries / 4, longestWait) * 1000
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, signal?.aborted ? 0 : wait)
    signal?.addEventListener('abort', end)
  })
}
