import type { Visitor } from '../../farmos-server/client.ts'
import type { FarmosServer } from '../../farmos-server/server.ts'
import type { Client, Json } from '../../harness/client.ts'

const kinds = [
  ['log', 'id'],
  ['farm_asset', 'id'],
  ['taxonomy_term', 'tid'],
] as const

type Get = (path: string) => Promise<Json>

/** What is the same in other words, or belongs to one server only. */
const aside = new Set(['url', 'node_count', 'parents_all', 'notes', 'description', 'sensor_type', 'sensor_settings'])

/** Every record of both servers, compared over the wire; a line for each field that differs. */
export async function differences(there: Visitor, here: Client): Promise<string[]> {
  const found: string[] = []
  for (const [kind, idName] of kinds) {
    const [theirs, ours] = [
      await listed(async (path) => (await there.get(path)).body, kind, idName),
      await listed((path) => here.read(path), kind, idName),
    ]
    for (const id of new Set([...theirs.keys(), ...ours.keys()])) {
      const [one, other] = [theirs.get(id), ours.get(id)]
      if (one === undefined || other === undefined)
        found.push(`${kind} ${id} is only ${one === undefined ? 'here' : 'there'}`)
      else found.push(...fieldsThatDiffer(one, other).map((field) => `${kind} ${id} ${field}`))
    }
  }
  return found
}

/** The names of files of the other server that have other bytes here, or are not here. */
export async function filesThatDiffer({ farm }: FarmosServer, here: Client): Promise<string[]> {
  const found: string[] = []
  for (const { id, name, mime, content } of farm.files) {
    const { status, body } = await here.get(`/file/${id}.json`)
    const answer = status === 200 ? await here.stream(new URL(body.url).pathname, {}) : undefined
    const bytes = Buffer.from(await (answer ?? new Response()).arrayBuffer())
    if (status !== 200 || body.name !== name || body.mime !== mime || !bytes.equals(content)) found.push(name)
  }
  return found
}

async function listed(get: Get, kind: string, idName: string): Promise<ReadonlyMap<string, Json>> {
  const found = new Map<string, Json>()
  for (let page = 0; ; page += 1) {
    const { list, next } = await get(`/${kind}.json?sort=${idName}&limit=100&page=${page}`)
    for (const record of list) found.set(record[idName], record)
    if (next === undefined) return found
  }
}

function fieldsThatDiffer(theirs: Json, ours: Json): string[] {
  const names = Object.keys(theirs).filter((name) => !aside.has(name))
  return names.flatMap((name) => {
    const [there, here] = [plain(theirs[name]), plain(ours[name])].map((value) => JSON.stringify(value))
    return there === here ? [] : [`${name}: ${there} there, ${here} here`]
  })
}

/** References and files by their number, geometries by their text; nothing, false, and lists of nothing are the same. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.every((item) => plain(item) === null) ? null : value.map(plain)
  if (value === undefined || value === false || value === '') return null
  if (typeof value === 'string') return value.replace(/^http.*\/file\/(\d+)\/[^/]*$/, 'file $1')
  if (value === null || typeof value !== 'object') return value
  if ('file' in value) return plain(value.file)
  if ('resource' in value) return `${value.resource} ${value.id}`
  if ('geom' in value) return value.geom
  const entries = Object.entries(value).map(([name, inner]) => [name, plain(inner)] as const)
  const some = entries.filter(([, inner]) => inner !== null).toSorted(([a], [b]) => a.localeCompare(b))
  return some.length === 0 ? null : Object.fromEntries(some)
}
