import { expect } from 'vitest'
import type { Json } from '../../harness/client.ts'
import type { Older, Showing } from './fact.ts'
import type { ModelRecord } from './record.ts'
import type { StoryFarm } from './story-farm.ts'

/** What follows from logs is compared with a replay of them elsewhere. */
const computed = {
  older: ['location', 'geometry', 'assets', 'parents_all'],
  attributes: ['geometry', 'inventory'],
  relationships: ['location', 'group'],
}

/** Both doors show a record as it is known. */
export async function compare(storyFarm: StoryFarm, record: ModelRecord, step: string): Promise<void> {
  const showing: Showing = { base: storyFarm.farm.base, world: storyFarm }
  const older = await storyFarm.older.client.get(`${record.olderPath}.json`)
  expect(older, `${step}: ${older.text}`).toMatchObject({ status: 200 })
  expect(ordered(olderBody(record, older.body)), `1.x after: ${step}`).toEqual(ordered(record.olderShown(showing)))
  const newer = await storyFarm.newer.client.get(record.newerPath)
  expect(newer, `${step}: ${newer.text}`).toMatchObject({ status: 200 })
  const { type, id, attributes, relationships } = newer.body.data
  const shown = { attributes: attributesIn(record, attributes), relationships: relationshipsIn(record, relationships) }
  record.learn(shown)
  const wanted = record.newerShown(showing)
  expect([type, id], step).toEqual([record.newerType, record.uuid])
  expect(ordered(shown.attributes), `/api after: ${step}`).toEqual(ordered(wanted.attributes))
  expect(ordered(shown.relationships), `/api after: ${step}`).toEqual(ordered(partitioned(wanted.relationships)))
}

const ordered = (record: Older): Older =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const without = (record: Older, names: readonly string[]): Older =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

function olderBody({ bundle, family }: ModelRecord, body: Json): Older {
  if (family === 'log') return body
  const own = without(body, computed.older)
  return family === 'asset' ? own : { ...own, vocabulary: bundle.older }
}

function attributesIn({ family }: ModelRecord, attributes: Json): Older {
  const own = family === 'asset' || family === 'area' ? without(attributes, computed.attributes) : attributes
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, shortened(name, value as Json)]))
}

/** What follows from the text of a shape or of notes is compared elsewhere. */
function shortened(name: string, value: Json): unknown {
  if (value === null) return null
  if (['geometry', 'intrinsic_geometry'].includes(name)) return { value: value.value }
  if (['notes', 'description'].includes(name)) return { value: value.value, format: value.format }
  return value
}

function relationshipsIn({ family }: ModelRecord, relationships: Json): Older {
  const own = family === 'asset' || family === 'area' ? without(relationships, computed.relationships) : relationships
  const data = Object.entries(own as Json).map(([name, { data }]: Json) => [name, shortLinkage(name, data)])
  return partitioned(Object.fromEntries(data))
}

/** A type by its name, and a file by what can be said of it. */
const shortLinkage = (name: string, data: Json): unknown =>
  name === 'image'
    ? data.map(({ id, meta }: Json) => ({ id, alt: meta.alt, title: meta.title }))
    : name === 'file'
      ? data.map(({ id, meta }: Json) => ({ id, description: meta.description }))
      : typeName(name, data)

const typeName = (name: string, data: Json): unknown =>
  /^(vid|\w+_type)$/.test(name) && data?.type?.match(/^(\w+)--\1$/) ? data.meta.drupal_internal__target_id : data

/** A relationship to assets and areas has each kind in its order. */
const partitioned = (relationships: Older): Older =>
  Object.fromEntries(
    Object.entries(relationships).map(([name, data]) => [
      name,
      Array.isArray(data) ? [...data.filter((one) => !isArea(one)), ...data.filter(isArea)] : data,
    ]),
  )

const isArea = ({ meta }: Json): boolean => meta?.drupal_internal__target_id >= 1_000_000_000
