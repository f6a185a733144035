import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { Answer, Json } from '../../harness/client.ts'
import type { Draw, Newer } from './fact.ts'
import { one, some } from './kinds.ts'
import { MeasuringLog } from './measuring-log.ts'
import {
  anyInventoryRow,
  anyMeasured,
  anyRow,
  type Measured,
  newerQuantitySent,
  newerQuantityShown,
  olderInventorySent,
  olderInventoryShown,
  olderRowSent,
  olderRowShown,
  type Quantity,
  type QuantityType,
} from './quantity.ts'
import type { StoryFarm } from './story-farm.ts'
import { olderSent, olderShown } from './thing.ts'

const logTypes = ['input', 'input', 'harvest', 'activity']
const quantityTypes: readonly QuantityType[] = ['standard', 'material', 'test']

/** Quantities that wait for a log, are taken, let go, changed and removed, through either door. */
export class QuantityStory {
  readonly #storyFarm: StoryFarm
  readonly #draw: Draw
  readonly #told: string[] = []
  readonly #logs: MeasuringLog[] = []
  #waiting: readonly Quantity[] = []
  readonly #gone: Quantity[] = []

  constructor(storyFarm: StoryFarm, draw: Draw) {
    this.#storyFarm = storyFarm
    this.#draw = draw
  }

  async anyStep(): Promise<void> {
    const log = this.#logs.length === 0 ? undefined : one(this.#draw, this.#logs)
    const steps =
      log === undefined
        ? [() => this.#wait(), () => this.#makeThroughNewer(), () => this.#makeThroughOlder()]
        : [
            ...[() => this.#wait(), () => this.#wait(), () => this.#makeThroughNewer(), () => this.#makeThroughOlder()],
            ...[() => this.#relink(log), () => this.#relink(log), () => this.#add(log), () => this.#takeOut(log)],
            ...[() => this.#changeQuantity(), () => this.#changeQuantity(), () => this.#removeQuantity()],
            ...[() => this.#tellRows(log), () => this.#tellRows(log), () => this.#tellInventory(log)],
            ...[() => this.#tellMaterials(log), () => this.#takeFrom(log), () => this.#removeLog(log)],
          ]
    this.#storyFarm.farm.setClock(this.#storyFarm.farm.installation.clock() + 1)
    await one(this.#draw, steps)()
    await this.#compareAll()
  }

  /** A quantity of its own. */
  async #wait(): Promise<void> {
    const type = one(this.#draw, quantityTypes)
    const says = anyMeasured(this.#draw, this.#storyFarm, type)
    const uuid = randomUUID()
    const data = { type: `quantity--${type}`, id: uuid, ...members(newerQuantitySent(type, says)) }
    await this.#newer('POST', `/api/quantity/${type}`, { is: 201, data })
    this.#waiting = [...this.#waiting, { type, uuid, says }]
  }

  async #makeThroughNewer(): Promise<void> {
    const log = new MeasuringLog(one(this.#draw, logTypes), randomUUID())
    const wanted = some(this.#draw, this.#waiting, 4)
    const data = { id: log.uuid, ...this.#named(log, wanted) }
    const { body } = await this.#newer('POST', `/api/log/${log.bundle}`, { is: 201, data })
    log.number = body.data.attributes.drupal_internal__id
    log.want(wanted)
    this.#waiting = this.#waiting.filter((quantity) => !wanted.includes(quantity))
    this.#logs.push(log)
  }

  async #makeThroughOlder(): Promise<void> {
    const log = new MeasuringLog(one(this.#draw, logTypes), randomUUID())
    const rows = this.#some(2, () => anyRow(this.#draw, this.#storyFarm))
    const inventory = this.#some(2, () => anyInventoryRow(this.#draw, this.#storyFarm))
    const materials = log.hasMaterials ? some(this.#draw, this.#storyFarm.terms('farm_materials')) : []
    const { body } = await this.#older('POST', '/log', {
      is: 201,
      body: {
        uuid: log.uuid,
        type: `farm_${log.bundle}`,
        name: 'Log',
        timestamp: 1_600_000_000,
        quantity: rows.map(olderRowSent),
        inventory: inventory.map(olderInventorySent),
        ...(log.hasMaterials ? { material: materials.map(olderSent) } : {}),
      },
    })
    log.number = Number(body.id)
    log.tell({ measured: rows.map(fromOlder), adjustments: inventory.map(fromOlder), materials })
    this.#logs.push(log)
  }

  #some<T>(most: number, any: () => T): readonly T[] {
    return Array.from({ length: this.#draw(fc.integer, { min: 0, max: most }) }, any)
  }

  /** The whole list anew: some that it has, some that wait. */
  async #relink(log: MeasuringLog): Promise<void> {
    const wanted = some(this.#draw, [...log.quantities, ...this.#waiting], 5)
    const data = { id: log.uuid, ...this.#named(log, wanted) }
    await this.#newer('PATCH', `/api/log/${log.bundle}/${log.uuid}`, { is: 200, data })
    this.#nowHas(log, wanted)
  }

  #nowHas(log: MeasuringLog, wanted: readonly Quantity[]): void {
    const left = log.want(wanted)
    const merged = wanted.filter((quantity) => !log.quantities.includes(quantity))
    this.#gone.push(...merged)
    this.#waiting = [...this.#waiting.filter((quantity) => !wanted.includes(quantity)), ...left]
  }

  /** One more, or one fewer, at the address of the relationship. */
  async #add(log: MeasuringLog): Promise<void> {
    if (this.#waiting.length === 0) return
    const added = one(this.#draw, this.#waiting)
    await this.#linkage('POST', log, added)
    this.#nowHas(log, [...log.quantities, added])
  }

  async #takeOut(log: MeasuringLog): Promise<void> {
    if (log.quantities.length === 0) return
    const out = one(this.#draw, log.quantities)
    await this.#linkage('DELETE', log, out)
    this.#nowHas(
      log,
      log.quantities.filter((quantity) => quantity !== out),
    )
  }

  #linkage(method: 'POST' | 'DELETE', { bundle, uuid }: MeasuringLog, quantity: Quantity): Promise<Answer> {
    const data = [identifier(quantity)]
    return this.#newer(method, `/api/log/${bundle}/${uuid}/relationships/quantity`, { is: 200, data })
  }

  /** A log does not give away what it has. */
  async #takeFrom(log: MeasuringLog): Promise<void> {
    const other = this.#logs.find((one) => one !== log && one.quantities.length > 0)
    if (other === undefined) return
    const [first] = other.quantities as readonly [Quantity]
    const data = { id: log.uuid, ...this.#named(log, [...log.quantities, first]) }
    await this.#newer('PATCH', `/api/log/${log.bundle}/${log.uuid}`, { is: 422, data })
  }

  #named({ bundle }: MeasuringLog, wanted: readonly Quantity[]) {
    return { type: `log--${bundle}`, relationships: { quantity: { data: wanted.map(identifier) } } }
  }

  async #changeQuantity(): Promise<void> {
    const all = [...this.#waiting, ...this.#logs.flatMap(({ quantities }) => quantities)]
    if (all.length === 0) return
    const quantity = one(this.#draw, all)
    const { type, uuid } = quantity
    const anew = anyMeasured(this.#draw, this.#storyFarm, type)
    const said = some(this.#draw, Object.keys(anew) as (keyof Measured)[], 4)
    const says = { ...quantity.says, ...Object.fromEntries(said.map((name) => [name, anew[name]])) }
    const sent = newerQuantitySent(type, says)
    const data = { type: `quantity--${type}`, id: uuid, ...members(only(sent, said)) }
    await this.#newer('PATCH', `/api/quantity/${type}/${uuid}`, { is: 200, data })
    const log = this.#logs.find(({ quantities }) => quantities.includes(quantity))
    const isOther =
      JSON.stringify(newerQuantityShown(type, says)) !== JSON.stringify(newerQuantityShown(type, quantity.says))
    quantity.says = says
    if (log === undefined || !isOther) return
    log.want(log.quantities, [quantity])
  }

  async #removeQuantity(): Promise<void> {
    const all = [...this.#waiting, ...this.#logs.flatMap(({ quantities }) => quantities)]
    if (all.length === 0) return
    const quantity = one(this.#draw, all)
    await this.#newer('DELETE', `/api/quantity/${quantity.type}/${quantity.uuid}`, { is: 204 })
    this.#gone.push(quantity)
    this.#waiting = this.#waiting.filter((one) => one !== quantity)
    for (const log of this.#logs)
      if (log.quantities.includes(quantity)) log.want(log.quantities.filter((one) => one !== quantity))
  }

  /** One row more, one fewer, one changed, or another order. */
  async #tellRows(log: MeasuringLog): Promise<void> {
    const measured = this.#edited(log.measured, {
      any: () => anyRow(this.#draw, this.#storyFarm),
      // What the record interface does not show stays; a fraction goes with the value that it was rounded to.
      changed: (before, row) => ({
        ...before,
        measure: row.measure,
        unit: row.unit,
        label: row.label,
        value: row.value,
      }),
    })
    if (measured === undefined) return
    await this.#put(log, { quantity: measured.map(({ says }) => olderRowSent(says)) })
    this.#gone.push(...log.tell({ measured: measured.map(({ quantity, says }) => saying(quantity, says)) }))
  }

  async #tellInventory(log: MeasuringLog): Promise<void> {
    const adjustments = this.#edited(log.adjustments, {
      any: () => anyInventoryRow(this.#draw, this.#storyFarm),
      changed: (_before, row) => row,
    })
    if (adjustments === undefined) return
    await this.#put(log, { inventory: adjustments.map(({ says }) => olderInventorySent(says)) })
    this.#gone.push(...log.tell({ adjustments: adjustments.map(({ quantity, says }) => saying(quantity, says)) }))
  }

  #edited(
    rows: readonly Quantity[],
    { any, changed }: { any(): Measured; changed(before: Measured, row: Measured): Measured },
  ): readonly { readonly quantity?: Quantity; readonly says: Measured }[] | undefined {
    const standing = rows.map((quantity) => ({ quantity, says: quantity.says }))
    const looks = rows.map(({ says }) => JSON.stringify(olderRowSent(says)))
    // Rows that look the same cannot be told apart.
    if (new Set(looks).size < looks.length) return undefined
    const at = this.#draw(fc.integer, { min: 0, max: Math.max(0, rows.length - 1) })
    const edits = [
      () => [...standing, { says: any() }],
      () => standing.filter((_, index) => index !== at),
      () => standing.map((row, index) => (index === at ? { ...row, says: changed(row.says, any()) } : row)),
      () => standing.toReversed(),
    ]
    return one(this.#draw, edits)()
  }

  async #tellMaterials(log: MeasuringLog): Promise<void> {
    if (!log.hasMaterials) return
    const materials = some(this.#draw, this.#storyFarm.terms('farm_materials'))
    await this.#put(log, { material: materials.map(olderSent) })
    this.#gone.push(...log.tell({ materials }))
  }

  #put({ number }: MeasuringLog, body: object): Promise<Answer> {
    return this.#older('PUT', `/log/${number}`, { is: 200, body })
  }

  /** What was measured in it goes with a log. */
  async #removeLog(log: MeasuringLog): Promise<void> {
    if (this.#draw(fc.boolean)) await this.#older('DELETE', `/log/${log.number}`, { is: 200 })
    else await this.#newer('DELETE', `/api/log/${log.bundle}/${log.uuid}`, { is: 204 })
    this.#logs.splice(this.#logs.indexOf(log), 1)
    this.#gone.push(...log.quantities)
  }

  async #older(method: string, path: string, { is, body }: { is: number; body?: object }): Promise<Answer> {
    return this.#asked(await this.#storyFarm.older.client.sendJson(method, path, body), {
      is,
      asked: [method, path, body],
    })
  }

  async #newer(method: string, path: string, { is, data }: { is: number; data?: unknown }): Promise<Answer> {
    const { client } = this.#storyFarm.newer
    const answer = data === undefined ? await client.send(method, path) : await client.sendJson(method, path, { data })
    return this.#asked(answer, { is, asked: [method, path, data] })
  }

  #asked(answer: Answer, { is, asked }: { is: number; asked: readonly unknown[] }): Answer {
    this.#told.push(JSON.stringify(asked))
    expect(answer.status, `${this.#told.join('\n')}\n${answer.text}`).toBe(is)
    return answer
  }

  async #compareAll(): Promise<void> {
    for (const log of this.#logs) await this.#compareLog(log)
    for (const quantity of this.#waiting) await this.#compareQuantity(quantity)
    for (const { type, uuid } of this.#gone) {
      if (uuid === undefined) continue
      const { client } = this.#storyFarm.newer
      expect((await client.get(`/api/quantity/${type}/${uuid}`)).status, this.#so()).toBe(404)
      expect((await client.delete(`/api/quantity/${type}/${uuid}`)).status, this.#so()).toBe(204)
    }
  }

  async #compareLog(log: MeasuringLog): Promise<void> {
    const { older, newer, farm } = this.#storyFarm
    const before = await this.#shown(log)
    const { quantity, inventory, material } = before.older
    expect({ quantity, inventory, material }, this.#so()).toEqual({
      quantity: log.measured.map(({ says }) => olderRowShown(farm.base)(says)),
      inventory: log.adjustments.map(({ says }) => olderInventoryShown(farm.base)(says)),
      material: log.hasMaterials ? log.materials.map(olderShown(farm.base)) : undefined,
    })
    const listed = before.newer.data.relationships.quantity.data
    for (const [index, one] of log.quantities.entries()) one.uuid ??= listed[index]?.id
    expect(
      listed.map(({ type, id }: Json) => ({ type, id })),
      this.#so(),
    ).toEqual(log.quantities.map(identifier))
    for (const one of log.quantities) await this.#compareQuantity(one)
    // What a door shows, sent back to it, changes nothing.
    expect((await older.client.put(`/log/${log.number}`, before.older)).status, this.#so()).toBe(200)
    expect(await this.#shown(log), this.#so()).toEqual(before)
    const echoed = await newer.client.sendJson('PATCH', `/api/log/${log.bundle}/${log.uuid}`, before.newer)
    expect([echoed.status, echoed.body], this.#so()).toEqual([200, before.newer])
    expect(await this.#shown(log), this.#so()).toEqual(before)
  }

  async #shown({ number, bundle, uuid }: MeasuringLog): Promise<{ older: Json; newer: Json }> {
    const { older, newer } = this.#storyFarm
    return {
      older: await older.client.read(`/log/${number}.json`),
      newer: await newer.client.read(`/api/log/${bundle}/${uuid}`),
    }
  }

  async #compareQuantity({ type, uuid, says }: Quantity): Promise<void> {
    const { client } = this.#storyFarm.newer
    const path = `/api/quantity/${type}/${uuid}`
    const shown = await client.get(path)
    expect(shown.status, `${this.#so()}\n${path}\n${shown.text}`).toBe(200)
    const wanted = newerQuantityShown(type, says)
    const { attributes, relationships } = shown.body.data
    expect(attributes, this.#so()).toMatchObject(wanted.attributes)
    expect(relationships, this.#so()).toMatchObject(
      Object.fromEntries(Object.entries(wanted.relationships).map(([name, data]) => [name, { data }])),
    )
    const echoed = await client.sendJson('PATCH', path, { data: shown.body.data })
    expect([echoed.status, echoed.body], this.#so()).toEqual([200, shown.body])
  }

  #so(): string {
    return this.#told.join('\n')
  }
}

const identifier = ({ type, uuid }: Quantity) => ({ type: `quantity--${type}`, id: uuid })

const fromOlder = (says: Measured): Quantity => ({ type: 'standard', uuid: undefined, says })

function saying(quantity: Quantity | undefined, says: Measured): Quantity {
  if (quantity === undefined) return fromOlder(says)
  quantity.says = says
  return quantity
}

const members = ({ attributes = {}, relationships = {} }: Newer) => ({
  attributes,
  relationships: Object.fromEntries(Object.entries(relationships).map(([name, data]) => [name, { data }])),
})

const newerNames: Readonly<Record<keyof Measured, string>> = {
  measure: 'measure',
  value: 'value',
  unit: 'units',
  label: 'label',
  adjustment: 'inventory_adjustment',
  inventoryOf: 'inventory_asset',
  materials: 'material_type',
  method: 'test_method',
}

/** Only what is said of these. */
function only({ attributes, relationships }: Required<Newer>, said: readonly (keyof Measured)[]): Newer {
  const names = said.map((name) => newerNames[name])
  const picked = (all: object) => Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
  return { attributes: picked(attributes), relationships: picked(relationships) }
}
