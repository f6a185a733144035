import type { Answer, Client, Json } from '../harness/client.ts'

/** Speaks to /api of a farm under test. */
export interface Teller {
  make(path: string, attributes: Json, relationships?: Record<string, Json>): Promise<Json>
  ask(path: string, query?: string): Promise<Answer>
  /** All resources of a type. */
  all(path: string): Promise<readonly Json[]>
}

export function tellerOf(client: Client, base: string): Teller {
  return {
    async make(path, attributes, relationships = {}) {
      const linked = Object.entries(relationships).map(([name, to]) => [name, { data: identifierOf(to) }])
      const body = { data: { type: path.replace('/', '--'), attributes, relationships: Object.fromEntries(linked) } }
      const headers = { 'content-type': 'application/vnd.api+json' }
      const answer = await client.send('POST', `/api/${path}`, { headers, body: JSON.stringify(body) })
      if (answer.status !== 201) throw new Error(answer.text)
      return answer.body.data
    },
    ask: (path, query = '') => client.get(`/api/${path}?${query}`),
    async all(path) {
      const found: Json[] = []
      for (let next: string | undefined = `/api/${path}`; next !== undefined; ) {
        const { body } = await client.get(next)
        found.push(...body.data)
        next = body.links.next?.href.replace(base, '')
      }
      return found
    },
  }
}

const identifierOf = (to: Json): Json =>
  Array.isArray(to) ? to.map(identifierOf) : to === null ? null : { type: to.type, id: to.id }
