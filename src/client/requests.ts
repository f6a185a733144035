/** A refusal of the farm (RFC 9457). Some have further members. */
export interface ProblemDocument extends Readonly<Record<string, unknown>> {
  /** Such as `urn:furrow:refusal:conflict`; missing if a proxy answered. */
  readonly type?: string
  readonly title?: string
  readonly detail?: string
  readonly errors?: readonly unknown[]
}

/** A proxy may answer with anything. */
export function problemIn(text: string): ProblemDocument {
  try {
    return (JSON.parse(text) as ProblemDocument | null) ?? {}
  } catch {
    return {}
  }
}

/** Seconds of `Retry-After`; null without a number. */
export const secondsToWait = (headers: Headers): number | null => Number(headers.get('retry-after')) || null

export type RequestHeaders = Readonly<Record<string, string>>

/** The proof that admits a request: a token, or the session of a browser with its CSRF token. */
export interface Credential {
  headers(): Promise<RequestHeaders>
  /** Replaces the credential if this answer to these headers says that it has ended. Returns whether the request may be sent again. */
  renew(answer: Response, sent: RequestHeaders): Promise<boolean>
}

/** Sends a request, and once more if its credential had ended. */
export async function sendWith(
  credential: Credential,
  send: (headers: RequestHeaders) => Promise<Response>,
): Promise<Response> {
  const sent = await credential.headers()
  const answer = await send(sent)
  return (await credential.renew(answer, sent)) ? send(await credential.headers()) : answer
}

interface CsrfToken {
  /** Null before the first login: the farm then refuses writes. */
  current(): string | null
  /** Asks the farm for the token of the session (`/me.json`). Null if there is none for this account. */
  renew(): Promise<string | null>
}

/** The credential of a page of the farm itself: the browser sends the cookie of the session. */
export const sessionCredential = ({ current, renew }: CsrfToken): Credential => ({
  headers: async (): Promise<RequestHeaders> => {
    const token = current()
    return token === null ? {} : { 'x-csrf-token': token }
  },
  renew: async (answer) =>
    answer.status === 403 &&
    problemIn(await answer.clone().text()).type === 'urn:furrow:refusal:csrf-failed' &&
    (await renew()) !== null,
})

/** Type and name of a file that is sent alone; RFC 8187 for names beyond Latin-1. */
export function fileHeaders(file: Blob | Uint8Array, name: string): RequestHeaders {
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return {
    'content-type': (file instanceof Blob && file.type) || photoTypeOf(name),
    'content-disposition': `attachment; filename*=UTF-8''${encoded}`,
  }
}

/** Bytes alone do not say what they are, and images are taken only as such. */
function photoTypeOf(name: string): string {
  const [, ending = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? []
  if (ending === 'jpg') return 'image/jpeg'
  return ['jpeg', 'png', 'gif', 'webp', 'heic'].includes(ending) ? `image/${ending}` : 'application/octet-stream'
}

/** One operation of `POST /batch`. */
export interface ClientBatchOperation {
  readonly method: string
  readonly path: string
  /** A name for what it creates, which later ones use as `$name`. */
  readonly as?: string
  readonly body?: unknown
  /** The version that it was written on. */
  readonly if_match?: string
}

export const batchBody = (operations: readonly ClientBatchOperation[], set?: string): string =>
  JSON.stringify({ ...(set !== undefined && { uuid: set }), operations })

/** A page of a list of the first generation. */
export interface ListPage<T> {
  readonly list: readonly T[]
  readonly last: string
}

/** The number of the last page, from 0. */
export const lastPageOf = ({ last }: Pick<ListPage<unknown>, 'last'>): number =>
  Number(new URL(last).searchParams.get('page'))
