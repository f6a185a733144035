import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { Answer } from '../../harness/client.ts'
import type { BundleModel } from './bundles.ts'
import { compare } from './compared.ts'
import { type Door, type Draw, doors, type Fact, type Newer, type Older } from './fact.ts'
import { one } from './kinds.ts'
import { ModelRecord } from './record.ts'
import type { StoryFarm } from './story-farm.ts'
import { olderResource } from './thing.ts'
import type { World } from './world.ts'

/** What is written through either door, told to the model as well. */
export class Story {
  readonly #storyFarm: StoryFarm
  readonly #draw: Draw
  readonly #told: string[] = []
  readonly records: ModelRecord[] = []

  /** The facts that every step speaks of; without them, each speaks of any. */
  readonly #focus: readonly string[] | undefined

  constructor(storyFarm: StoryFarm, draw: Draw, focus?: readonly string[]) {
    this.#storyFarm = storyFarm
    this.#draw = draw
    this.#focus = focus
  }

  anyDoor(): Door {
    return one(this.#draw, doors)
  }

  async make(bundle: BundleModel, door: Door = this.anyDoor()): Promise<ModelRecord> {
    const now = this.#tick()
    await this.#storyFarm.sendFiles()
    const { user: author } = this.#storyFarm[door]
    const record = new ModelRecord(bundle, { uuid: randomUUID(), door, author, now })
    const said = this.#say(record, door, 'new')
    const answer = await this.#sendNew(record, door, said)
    expect(answer, this.#tell(`make ${bundle.older} through ${door}: ${said.text} ${answer.text}`)).toMatchObject({
      status: 201,
    })
    record.number = numberIn(answer, record, door)
    record.take(said.after)
    this.records.push(record)
    await this.#compareAll()
    return record
  }

  #sendNew(record: ModelRecord, door: Door, { older, newer }: SaidOfRecord): Promise<Answer> {
    const { bundle, family, uuid, newerType } = record
    if (door === 'older') {
      const kind = family === 'log' || family === 'asset' ? { type: bundle.older } : { vocabulary: bundle.older }
      return this.#storyFarm.older.client.post(`/${olderResource[family]}`, { ...kind, uuid, ...older })
    }
    const type = family === 'area' ? `asset--${bundle.newer}` : newerType
    return this.#storyFarm.newer.client.post(`/api/${type.replace('--', '/')}`, {
      data: { type, id: uuid, ...sentMembers(newer) },
    })
  }

  /** Says something anew of a record: only that, or along with all the rest that the door shows of it. */
  async change(record: ModelRecord, door: Door = this.anyDoor()): Promise<void> {
    const isWhole = this.#draw(fc.boolean)
    const shown = isWhole ? await this.#shownThrough(record, door) : undefined
    const now = this.#tick()
    await this.#storyFarm.sendFiles()
    const said = this.#say(record, door, 'changed')
    const message =
      door === 'newer' && this.#draw(fc.integer, { min: 0, max: 3 }) === 0 ? `because of ${now}` : undefined
    const answer = await this.#sendChange(record, door, { ...said, message, shown })
    const whole = isWhole ? ' as a whole' : ''
    const told = this.#tell(`change ${record.name} (${record.bundle.older})${whole} through ${door}: ${said.text}`)
    expect(answer, `${told} ${answer.text}`).toMatchObject({ status: 200 })
    if (record.differs(said.after) || message !== undefined) {
      record.revision += 1
      record.changed = now
      record.reviser = this.#storyFarm[door].user
      record.message = message ?? null
    }
    record.take(said.after)
    await this.#compareAll()
  }

  #sendChange(record: ModelRecord, door: Door, change: Change): Promise<Answer> {
    const { older, newer, message, shown } = change
    if (door === 'older') return this.#storyFarm.older.client.put(record.olderPath, { ...shown, ...older })
    const whole = shown as Newer | undefined
    const { attributes, relationships } = sentMembers(newer)
    return this.#patch(record, {
      attributes: {
        ...whole?.attributes,
        ...attributes,
        ...(message === undefined ? {} : { revision_log_message: message }),
      },
      relationships: { ...whole?.relationships, ...relationships },
    })
  }

  #patch({ newerPath, newerType, uuid }: ModelRecord, members: Newer): Promise<Answer> {
    const data = { type: newerType, id: uuid, ...members }
    return this.#storyFarm.newer.client.sendJson('PATCH', newerPath, { data })
  }

  async #shownThrough(record: ModelRecord, door: Door): Promise<Older> {
    if (door === 'older') return this.#storyFarm.older.client.read(`${record.olderPath}.json`)
    return (await this.#storyFarm.newer.client.read(record.newerPath)).data
  }

  /** What a door shows, sent back to it, changes nothing. */
  async echo(record: ModelRecord, door: Door = this.anyDoor()): Promise<void> {
    this.#tick()
    const told = this.#tell(`echo ${record.name} (${record.bundle.older}) through ${door}`)
    const shown = await this.#shownThrough(record, door)
    const answer =
      door === 'older'
        ? await this.#storyFarm.older.client.put(record.olderPath, shown)
        : await this.#patch(record, shown as Newer)
    expect(answer, `${told} ${answer.text}`).toMatchObject({ status: 200 })
    await this.#compareAll()
  }

  async remove(record: ModelRecord, door: Door = this.anyDoor()): Promise<void> {
    this.#tick()
    const { older, newer } = this.#storyFarm
    const told = this.#tell(`remove ${record.name} (${record.bundle.older}) through ${door}`)
    const answer =
      door === 'older' ? await older.client.delete(record.olderPath) : await newer.client.delete(record.newerPath)
    if (this.records.some((other) => other !== record && other.refersTo(record))) {
      expect([answer.status, answer.text], told).toEqual([409, expect.anything()])
      return this.#compareAll()
    }
    expect([answer.status, answer.text], told).toEqual([door === 'older' ? 200 : 204, expect.anything()])
    this.records.splice(this.records.indexOf(record), 1)
    expect((await older.client.get(`${record.olderPath}.json`)).status, told).toBe(404)
    expect((await newer.client.get(record.newerPath)).status, told).toBe(404)
    await this.#compareAll()
  }

  #say(record: ModelRecord, door: Door, is: 'new' | 'changed'): SaidOfRecord {
    const isNew = is === 'new'
    const { user: author } = this.#storyFarm[door]
    const now = this.#storyFarm.farm.installation.clock()
    const after = new Map<string, unknown>()
    let older: Older = {}
    let newer: Newer = {}
    for (const fact of record.bundle.facts as readonly Fact[]) {
      const face = fact[door]
      const isDue = isNew && face?.required
      if (face === undefined || !(isDue || this.#isSpokenOf(fact))) continue
      const before = record.stateOf(fact.name)
      const saying = { draw: this.#draw, world: this.#worldOf(record), before, isNew, now, author }
      if (door === 'older' && fact.older) {
        const said = fact.older.say(saying)
        older = { ...older, ...said.sent }
        after.set(fact.name, said.after)
      }
      if (door === 'newer' && fact.newer) {
        const said = fact.newer.say(saying)
        newer = {
          attributes: { ...newer.attributes, ...said.sent.attributes },
          relationships: { ...newer.relationships, ...said.sent.relationships },
        }
        after.set(fact.name, said.after)
      }
    }
    return { older, newer, after, text: JSON.stringify(door === 'older' ? older : newer) }
  }

  /** A log may refer to what the story has made. */
  #worldOf({ family }: ModelRecord): World {
    if (family !== 'log') return this.#storyFarm
    const made = (bundles: readonly string[]) => this.records.filter(({ bundle }) => bundles.includes(bundle.older))
    return {
      ...this.#storyFarm,
      terms: (vocabulary) => [...this.#storyFarm.terms(vocabulary), ...made([vocabulary])],
      assets: (type) => [...this.#storyFarm.assets(type), ...made([type])],
      movers: [...this.#storyFarm.movers, ...made(['animal', 'planting'])],
    }
  }

  #isSpokenOf({ name }: Fact): boolean {
    return this.#focus === undefined ? this.#draw(fc.integer, { min: 0, max: 2 }) === 0 : this.#focus.includes(name)
  }

  /** Every step has its own second. */
  #tick(): number {
    const now = this.#storyFarm.farm.installation.clock() + 1
    this.#storyFarm.farm.setClock(now)
    return now
  }

  #tell(step: string): string {
    this.#told.push(step)
    return this.#told.join('\n')
  }

  async #compareAll(): Promise<void> {
    for (const record of this.records) await compare(this.#storyFarm, record, this.#told.join('\n'))
  }
}

interface SaidOfRecord {
  readonly older: Older
  readonly newer: Newer
  readonly after: ReadonlyMap<string, unknown>
  readonly text: string
}

interface Change extends SaidOfRecord {
  readonly message: string | undefined
  readonly shown: Older | undefined
}

const sentMembers = ({ attributes = {}, relationships = {} }: Newer): Required<Newer> => ({
  attributes,
  relationships: Object.fromEntries(Object.entries(relationships).map(([name, data]) => [name, { data }])),
})

function numberIn({ body }: Answer, record: ModelRecord, door: Door): number {
  if (door === 'older') return Number(body.id)
  const { attributes } = body.data
  const shown = attributes.drupal_internal__tid ?? attributes.drupal_internal__id
  return record.family === 'area' ? shown - 1_000_000_000 : shown
}
