/** Who asks: accounts of that name, `info` with a token for the farm's own record only, and someone who is not logged in. */
export type Caller = 'ada' | 'ben' | 'cora' | 'dora' | 'info' | 'anonymous'

export interface Request {
  readonly as: Caller
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

type More = Partial<Pick<Request, 'as' | 'headers'>>

const request = (method: string, path: string, more: Partial<Request> = {}): Request => ({
  as: 'ada',
  headers: {},
  ...more,
  method,
  path,
})

const inJson = { 'content-type': 'application/json' }
const inXml = { 'content-type': 'application/xml' }

const withJson =
  (method: string) =>
  (path: string, body: unknown, more: More = {}) =>
    request(method, path, { ...more, headers: { ...inJson, ...more.headers }, body: JSON.stringify(body) })

const withXml =
  (method: string) =>
  (path: string, body: string, more: More = {}) =>
    request(method, path, { ...more, headers: { ...inXml, ...more.headers }, body })

export const get = (path: string, more: More = {}): Request => request('GET', path, more)
export const remove = (path: string, more: More = {}): Request => request('DELETE', path, more)
export const post = withJson('POST')
export const put = withJson('PUT')
export const postXml = withXml('POST')
export const putXml = withXml('PUT')
/** Whatever else a caller may send. */
export const send = request

/** What was asked, in one line. */
export const lineOf = ({ as, method, path, body }: Request): string =>
  [`${as}:`, method, path, ...(body === undefined ? [] : [shortened(body)])].join(' ')

const shortened = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 160)}…`)
