import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOf } from '../harness/share-of-engine.ts'
import {
  everyKind,
  everyValue,
  fairFarm,
  nonsense,
  questions,
  sortable,
  type Targets,
  unsortable,
} from './every-kind.ts'

const types = ['log', 'farm_asset', 'taxonomy_term'] as const
type Type = (typeof types)[number]

const identity: Record<Type, Json> = {
  log: { name: 'Round', type: 'carousel_ride', timestamp: '1700000000' },
  farm_asset: { name: 'Carousel', type: 'carousel' },
  taxonomy_term: { name: 'Ticket', vocabulary: 'carousel_words' },
}
const bundleOf = { log: 'carousel_ride', farm_asset: 'carousel', taxonomy_term: 'carousel_words' }

/** A read with its data URIs in place of file addresses, its references as bare ids, and no durations. */
function bare(value: Json): Json {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null) return value
  if ('resource' in value && 'uri' in value) return { id: value.id }
  const members = Object.entries(value).filter(([key]) => key !== 'duration')
  return Object.fromEntries(members.map(([key, one]) => [key, bare(one)]))
}

describe.each(engines)('a made-up bundle with every kind of field on %s', (engine) => {
  let client: Client
  let targets: Targets

  beforeAll(async () => {
    client = await (await openFarm({ engine, farm: fairFarm })).login('manager')
    const info = await client.read('/farm.json')
    const material = await client.create('taxonomy_term', { name: 'Straw', vocabulary: 'farm_materials' })
    targets = {
      material,
      log: await client.create('log', { name: 'Set up', type: 'farm_activity', timestamp: 1 }),
      animal: await client.create('farm_asset', { name: 'Bella', type: 'animal', animal_type: { name: 'Horse' } }),
      tractor: await client.create('farm_asset', { name: 'Tractor', type: 'equipment' }),
      user: info.user.uid,
      vid: info.resources.taxonomy_term.carousel_words.vid,
    }
  })

  it('is described in the info record, with every field', async () => {
    const { resources } = await client.read('/farm.json')
    for (const type of types) {
      const { fields } = resources[type][bundleOf[type]]
      expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(everyKind)))
      expect(fields.a_choice.allowed_values).toEqual(['waltz', 'polka'])
      expect(fields.some_parts.fields.inner.fields.a_text.type).toBe('text')
    }
    expect((await client.get('/farm.xml')).status).toBe(200)
    expect(await client.ids('/taxonomy_term.json?bundle=carousel_words&name=hop%20on')).toHaveLength(1)
  })

  describe.each(types)('as a record of type %s', (type) => {
    let full: string
    let empty: string
    const read = () => client.read(`/${type}/${full}.json`)
    const inBundle = async (query: string) =>
      (await client.ids(`/${type}.json?bundle=${bundleOf[type]}&${query}`)).filter((id) => [full, empty].includes(id))

    beforeAll(async () => {
      full = await client.create(type, { ...identity[type], ...everyValue(targets) })
      empty = await client.create(type, { ...identity[type], name: 'Zero' })
    })

    it('reads back what was written', async () => {
      const record = bare(await read())
      const { name: _, ...sawdust } = (await client.read(`/taxonomy_term.json?name=sawdust`)).list[0]
      const written = everyValue(targets)
      const named = (value: Json): Json =>
        JSON.parse(JSON.stringify(value).replaceAll('{"name":"Sawdust"}', `{"id":"${sawdust.id}"}`))
      expect(record).toMatchObject(named(written))
    })

    it('shows nothing where nothing was said', async () => {
      const record = await client.read(`/${type}/${empty}.json`)
      expect(record).toMatchObject({
        a_text: null,
        a_texts: [],
        a_rich_text: [],
        a_yes_no: false,
        a_digit: '0',
        a_file: [],
      })
      expect(record).toMatchObject({ a_period: [], some_parts: [], a_part: { a_text: null, a_terms: [] } })
      expect(record).not.toHaveProperty('a_term')
    })

    it('is found by each field with each operator that applies', async () => {
      for (const [field, asked] of shareOf(engine)(Object.entries(questions(targets)))) {
        for (const [index, [question, isFound]] of asked.entries()) {
          const inside = [[`a_part[${field}]`], [`some_parts[${field}]`]][index] ?? []
          for (const path of [field, ...inside]) {
            const query = `${path}${question.replaceAll('@', path)}`
            expect((await inBundle(query)).includes(full), query).toBe(isFound)
          }
        }
        expect(await inBundle(`${field}=`), `${field} is empty`).toEqual([empty])
        expect(await inBundle(`${field}[ne]=`), `${field} is not empty`).toEqual([full])
      }
      expect(await inBundle('some_parts[inner][a_text][sw]=DE')).toEqual([full])
      for (const part of ['a_part', 'some_parts', 'some_parts[inner]']) {
        expect(await inBundle(`${part}=`), part).toEqual([empty])
        expect(await inBundle(`${part}[ne]=`), part).toEqual([full])
      }
    })

    it('refuses questions that make no sense, naming them', async () => {
      for (const [field, asked] of Object.entries(nonsense)) {
        for (const question of asked) {
          const answer = await client.get(`/${type}.json?${field}${question}`)
          expect(answer.status, field + question).toBe(400)
          expect(answer.text).toContain(field)
        }
      }
    })

    it('is sorted by what has an order, and by nothing else', async () => {
      for (const field of sortable) {
        expect(await inBundle(`sort=${field}`), field).toEqual([empty, full])
        expect(await inBundle(`sort=${field}&direction=DESC`)).toEqual([full, empty])
      }
      for (const field of unsortable) expect((await client.get(`/${type}.json?sort=${field}`)).status, field).toBe(400)
    })

    it('stays the same when any form of a read is written back', async () => {
      const before = await read()
      const listed = (await client.read(`/${type}.json?id=${full}`)).list[0]
      const linked = await client.read(`/${type}/${full}.json?files=link`)
      for (const form of [before, listed, linked]) {
        expect(await client.put(`/${type}/${full}`, form)).toMatchObject({ status: 200, body: before })
      }
      const xml = await client.get(`/${type}/${full}.xml`)
      const put = { headers: { 'content-type': 'application/xml' }, body: xml.text }
      expect(await client.send('PUT', `/${type}/${full}`, put)).toMatchObject({ status: 200, text: xml.text })
      expect(await read()).toEqual(before)
    })

    it('can be written in XML and reads back equal', async () => {
      const { text } = await client.get(`/${type}/${full}.xml`)
      const mine = ['id', 'tid', 'uid', 'created', 'changed', 'url', 'parents_all', 'location', 'geometry', 'assets']
      const fresh = mine.reduce(
        (xml, name) => xml.replace(new RegExp(`<${name}(?: [^>]*)?(?:/>|>[\\s\\S]*?</${name}>)`), ''),
        text,
      )
      const made = await client.send('POST', `/${type}.xml`, {
        headers: { 'content-type': 'application/xml' },
        body: fresh,
      })
      expect(made.status, made.text).toBe(201)
      const id = /<t?id>(\d+)</.exec(made.text)?.[1]
      const [before, copy] = [await read(), await client.read(`/${type}/${id}.json`)]
      for (const field of Object.keys(everyKind)) expect(copy[field], field).toEqual(before[field])
      expect(await client.delete(`/${type}/${id}`)).toMatchObject({ status: 200, body: [] })
    })

    it('changes field by field, and empties each', async () => {
      const id = await client.create(type, { ...identity[type], ...everyValue(targets), name: 'Changing' })
      const before = await client.read(`/${type}/${id}.json`)
      const nothing = await client.read(`/${type}/${empty}.json`)
      const left = new Set(Object.keys(everyKind))
      for (const field of Object.keys(everyKind)) {
        const { body } = await client.put(`/${type}/${id}`, { [field]: null })
        left.delete(field)
        for (const name of Object.keys(everyKind)) {
          expect(body[name], `${name} after ${field} was emptied`).toEqual((left.has(name) ? before : nothing)[name])
        }
      }
      await client.delete(`/${type}/${id}`)
      expect((await client.get(`/${type}/${id}.json`)).status).toBe(404)
    })

    it('names every fault of a body, also inside parts', async () => {
      const wrong = {
        a_whole: 51,
        a_choice: 'tango',
        a_part: { a_decimal: 'much', a_log: { id: 999_999 } },
        some_parts: [{ nothing: 1 }],
      }
      const { status, body } = await client.post(`/${type}`, { ...identity[type], ...wrong })
      expect(status).toBe(422)
      const named = body.errors.map((fault: Json) => fault.field)
      expect(named).toEqual(
        expect.arrayContaining(['a_whole', 'a_choice', 'a_part.a_decimal', 'some_parts[0].nothing']),
      )
    })

    it('keeps from deletion what it refers to, also from inside parts', async () => {
      expect((await client.delete(`/farm_asset/${targets.tractor}`)).status).toBe(409)
      expect((await client.delete(`/taxonomy_term/${targets.material}`)).status).toBe(409)
    })
  })

  it('takes fields that other record types have under the same name', async () => {
    const ride = await client.create('log', { ...identity.log, archived: 5, weight: '70.5', property_tax: '3' })
    expect(await client.read(`/log/${ride}.json`)).toMatchObject({ archived: '5', weight: '70.5' })
    const light = await client.create('log', identity.log)
    expect(await client.read(`/log/${light}.json`)).toMatchObject({ archived: null, weight: null })
    expect(await client.ids('/log.json?archived=5')).toEqual([ride])
    expect(await client.ids('/log.json?weight[ge]=70&property_tax=3')).toEqual([ride])
  })
})
