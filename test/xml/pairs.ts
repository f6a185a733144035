import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { RecordTypeName } from '../../src/farm/farm.ts'
import { recordTypeNames } from '../../src/farm/fields-of.ts'
import type { Answer, Client, Json } from '../harness/client.ts'
import { resourceOf } from '../records/interface-types.ts'
import { asXmlSays, type XmlReader } from './dom-tree.ts'
import type { Hits } from './hits.ts'
import { type Body, type Ground, type Kin, newBody, someOf, underOldNames, writtenFields } from './record-bodies.ts'
import { type Style, spelledXml, styles } from './spelled-xml.ts'
import { spoiledBody } from './spoiled-bodies.ts'

/** The same body in both formats. */
interface Pair {
  readonly kin: Kin
  readonly deed: 'create' | 'change' | 'refuse'
  readonly body: Body
  readonly style: Style
  readonly first: 'json' | 'xml'
}

/** One answer of the pair in JSON (to the XML body) and one in XML (to the JSON body). */
interface Answered {
  readonly pair: Pair
  readonly xml: string
  readonly inJson: Answer
  readonly inXml: Answer
}

export interface Run {
  readonly client: Client
  readonly reader: XmlReader
  readonly ground: Ground
  readonly hits: Hits
  /** Hears how many pairs are done, after every batch. */
  readonly tell?: (done: number) => void
}

/** How many pairs are generated, sent and compared together. */
const batch = 200
const atOnce = 4

/** Writes pairs and throws at the first difference, with all that is needed to see it again. */
export async function comparePairs(run: Run, wanted: { readonly pairs: number; readonly seed: number }): Promise<void> {
  const twins = new Map<string, readonly [string, string]>()
  const generate = generatorOf(run.ground)
  for (let done = 0; done < wanted.pairs; done += batch) {
    const size = Math.min(batch, wanted.pairs - done)
    const pairs = Array.from({ length: size }, (_, index) => generate(done + index, wanted.seed))
    const answered = await inParallel(pairs, (pair) => write(run.client, pair, twins))
    const readings = await run.reader.read(answered.map(({ inXml }) => inXml.text))
    for (const [index, each] of answered.entries()) {
      const where = `pair ${done + index} of seed ${wanted.seed}`
      const difference = readings[index]?.broken ?? differenceIn(each, readings[index]?.tree)
      if (difference !== null) throw new Error(told(each, `${where}: ${difference}`))
      if (each.pair.deed !== 'refuse') run.hits.count(each.pair.kin, each.pair.body)
      else run.hits.countRefusal(each.inJson.body)
    }
    run.tell?.(done + size)
  }
}

type Deed = Pair['deed']
const deeds: readonly Deed[] = ['create', 'change', 'create', 'refuse', 'create']

/** The bundles in turn; every first body of a bundle has all of its fields, and two pairs of five change or spoil one. */
function generatorOf(ground: Ground): (number: number, seed: number) => Pair {
  const kins = kinsOf(ground)
  const known = new Map<string, fc.Arbitrary<Pair>>()
  return (number, seed) => {
    const kin = kins[number % kins.length]
    if (kin === undefined) throw new Error('The farm has no bundles')
    const isFirst = number < kins.length
    const deed = isFirst ? 'create' : (deeds[number % deeds.length] ?? 'create')
    const key = `${kin.type.name} ${kin.bundle} ${deed} ${isFirst}`
    const pairs = known.get(key) ?? pairsOf(ground, { kin, deed, weight: isFirst ? 1 : 0.5 })
    known.set(key, pairs)
    const [pair] = fc.sample(pairs, { seed: seed + number, numRuns: 1 })
    if (pair === undefined) throw new Error('Nothing was generated')
    return pair
  }
}

interface Sort {
  readonly kin: Kin
  readonly deed: Deed
  readonly weight: number
}

const pairsOf = (ground: Ground, sort: Sort): fc.Arbitrary<Pair> =>
  fc.record({
    kin: fc.constant(sort.kin),
    deed: fc.constant(sort.deed),
    body: bodyFor(ground, sort),
    style: styles,
    first: fc.constantFrom('json' as const, 'xml' as const),
  })

const kinsOf = ({ farm }: Ground): readonly Kin[] =>
  recordTypeNames.flatMap((name) =>
    Object.keys(farm.records[name].bundles).map((bundle) => ({ type: farm.records[name], bundle })),
  )

function bodyFor(ground: Ground, { kin, deed, weight }: Sort): fc.Arbitrary<Body> {
  if (deed === 'refuse') return spoiledBody(kin, ground)
  const body =
    deed === 'create' ? newBody(kin, ground, weight) : someOf(writtenFields(kin.type, kin.bundle), ground, 0.3)
  return fc.tuple(body, fc.nat(9)).map(([given, way]) => (way === 0 ? underOldNames(kin, given) : given))
}

async function write(client: Client, pair: Pair, twins: Map<string, readonly [string, string]>): Promise<Answered> {
  const { kin, deed, body } = pair
  const key = `${kin.type.name} ${kin.bundle}`
  const twin = deed === 'change' ? twins.get(key) : undefined
  // Nobody else changes these two meanwhile; the next create brings new ones.
  if (twin !== undefined) twins.delete(key)
  const method = twin === undefined ? 'POST' : 'PUT'
  const resource = resourceOf[kin.type.name]
  const path = (id: string | undefined) => (id === undefined ? `/${resource}` : `/${resource}/${id}`)
  const xml = spelledXml(resource, body, pair.style)
  const writeJson = () =>
    client.send(method, path(twin?.[0]), {
      headers: { 'content-type': 'application/json', accept: 'application/xml' },
      body: JSON.stringify(body),
    })
  const writeXml = () =>
    client.send(method, path(twin?.[1]), {
      headers: { 'content-type': 'application/xml', accept: 'application/json' },
      body: xml,
    })
  const early = pair.first === 'json' ? await writeJson() : await writeXml()
  const late = pair.first === 'json' ? await writeXml() : await writeJson()
  const [inXml, inJson] = pair.first === 'json' ? [early, late] : [late, early]
  const id = /^.*?<id>(\d+)<\/id>/s.exec(inXml.text)?.[1]
  if (deed === 'create' && id !== undefined && inJson.status === 201) twins.set(key, [id, inJson.body.id])
  return { pair, xml, inJson, inXml }
}

/** Null where the XML answer to the JSON body says what the JSON answer to the XML body says. */
function differenceIn({ pair, inJson, inXml }: Answered, tree: unknown): string | null {
  if (inJson.status !== inXml.status) return `the statuses are ${inXml.status} for JSON and ${inJson.status} for XML`
  const isRefused = inJson.status >= 400
  if (isRefused !== (pair.deed === 'refuse')) return `${pair.deed} was answered with ${inJson.status} ${inJson.text}`
  const type = pair.kin.type.name
  const left = isRefused ? tree : impersonal(tree, type)
  const right = isRefused ? asXmlSays(inJson.body) : impersonal(asXmlSays(inJson.body), type)
  return isDeepStrictEqual(left, right) ? null : `\n${JSON.stringify(left)}\n is not\n${JSON.stringify(right)}`
}

/** Without what tells one record from its twin. */
function impersonal(record: unknown, type: RecordTypeName): unknown {
  const { id, tid: _tid, url: _url, uri: _uri, ...rest } = record as Json
  if (type === 'term') rest.parents_all = rest.parents_all.filter((term: Json) => term.id !== id)
  return rest
}

const told = ({ pair, xml, inJson, inXml }: Answered, what: string): string =>
  [what, `JSON: ${JSON.stringify(pair.body)}`, `XML: ${xml}`, `answers: ${inXml.text}`, inJson.text].join('\n\n')

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as T)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
