import { expect } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import {
  type Asked,
  type AssetImplied,
  decidedSaid,
  type FarmSaid,
  type LogSaid,
  past,
  present,
  replay,
  type StaySaid,
  staysSaid,
} from './replay.ts'
import { areaCount, assetCount, groupCount, type LogTold, moments, type Step, withoutCircles } from './story.ts'

/** One story's own areas, assets and groups on a farm, told over the wire, with a note of every log for the replay. */
export class ToldFarm {
  readonly #client: Client
  readonly #middle: number
  readonly #areas: string[] = []
  readonly #assets: string[] = []
  readonly #groups: string[] = []
  readonly #shapes = new Map<number, readonly string[]>()
  readonly #archived = new Map<number, number>()
  readonly #logs: { readonly id: string; told: LogTold }[] = []
  readonly #removed: { readonly id: string; readonly uuid: string; told: LogTold }[] = []

  constructor(client: Client, middle: number) {
    this.#client = client
    this.#middle = middle
  }

  async begin(): Promise<void> {
    for (let n = 0; n < areaCount; n++) {
      const id = await this.#client.create('taxonomy_term', { name: `Area ${n}`, vocabulary: 'farm_areas' })
      this.#areas.push(id)
      this.#shapes.set(Number(id), [])
    }
    for (let n = 0; n < assetCount + groupCount; n++) {
      const type = n < assetCount ? 'equipment' : 'group'
      const id = await this.#client.create('farm_asset', { name: `Asset ${n}`, type })
      this.#assets.push(id)
      this.#archived.set(Number(id), 0)
      if (type === 'group') this.#groups.push(id)
    }
  }

  async tell(step: Step): Promise<void> {
    if (step.does === 'record') {
      const logs = step.logs.map(withoutCircles)
      const ids = await this.#record(logs)
      for (const [index, told] of logs.entries()) this.#logs.push({ id: ids[index] ?? '', told })
    } else if (step.does === 'archive') {
      const id = this.#assets[step.asset]
      const archived = step.moment === null ? 0 : this.#middle + step.moment
      await this.#put(`/farm_asset/${id}`, { archived: String(archived) })
      this.#archived.set(Number(id), archived)
    } else if (step.does === 'reshape') {
      const id = this.#areas[step.area]
      await this.#put(`/taxonomy_term/${id}`, { geofield: step.shapes.map((geom) => ({ geom })) })
      this.#shapes.set(Number(id), step.shapes)
    } else if (step.does === 'restore') {
      const [log] = this.#removed.splice(step.which % Math.max(1, this.#removed.length), 1)
      if (log === undefined) return
      expect(await this.#client.send('POST', `/trash/${log.uuid}/restore`)).toMatchObject({ status: 200 })
      this.#logs.push(log)
    } else {
      const index = step.which % Math.max(1, this.#logs.length)
      const log = this.#logs[index]
      if (log === undefined) return
      if (step.does === 'delete') {
        const { uuid } = await this.#client.read(`/log/${log.id}.json?with=uuid`)
        expect(await this.#client.delete(`/log/${log.id}`)).toMatchObject({ status: 200 })
        this.#removed.push(...this.#logs.splice(index, 1).map((one) => ({ ...one, uuid })))
      } else {
        const before = log.told
        log.told = withoutCircles({ ...before, ...step.change })
        const { groups } = log.told
        const change = groups.length === before.groups.length ? step.change : { ...step.change, groups }
        await this.#put(`/log/${log.id}`, this.#changed(log.told, change))
      }
    }
  }

  /** One log by itself, several in a batch. */
  async #record(logs: readonly LogTold[]): Promise<readonly string[]> {
    const bodies = logs.map((log) => ({ name: 'Log', type: 'farm_activity', ...this.#spelled(log) }))
    if (bodies.length === 1) return [await this.#client.create('log', bodies[0])]
    const operations = bodies.map((body) => ({ method: 'POST', path: '/log', body }))
    const answer = await this.#client.post('/batch', { operations })
    expect(answer, answer.text).toMatchObject({ status: 200 })
    return answer.body.results.map(({ id }: Json) => id)
  }

  /** Everything that the farm answers must be what the replay works out. */
  async compareAt(now: number): Promise<void> {
    await this.#compare(present(now), '')
  }

  async compareAsOf(second: number): Promise<void> {
    await this.#compare(past(second), `&as_of=${second}`)
  }

  async #compare(asked: Asked, asOf: string): Promise<void> {
    const implied = replay(this.#said(), asked)
    const { assets } = implied
    const idsOf = (has: (seen: AssetImplied) => boolean) =>
      [...assets].filter(([, seen]) => has(seen)).map(([id]) => id)
    const own = this.#assets.map((id) => `id[]=${id}`).join('&')
    const ownAreas = this.#areas.map((id) => `id[]=${id}`).join('&')

    const shown = (await this.#list(`/farm_asset.json?${own}&with=group,inventory,members${asOf}`)).map(
      (asset: Json) => [
        Number(asset.id),
        {
          location: ids(asset.location),
          geometry: asset.geometry ?? '',
          group: ids(asset.group),
          inventory: asset.inventory,
          ...(asset.type === 'group' ? { members: ids(asset.members) } : {}),
        },
      ],
    )
    const members = (id: number) => (implied.members.has(id) ? { members: implied.members.get(id) } : {})
    expect(shown).toEqual([...assets].map(([id, seen]) => [id, { ...seen, ...members(id) }]))

    const contents = (await this.#list(`/taxonomy_term.json?${ownAreas}${asOf}`)).map((area: Json) => [
      Number(area.id),
      ids(area.assets),
    ])
    expect(contents).toEqual([...implied.contents])

    for (const area of this.#areas) {
      const there = idsOf((seen) => seen.location.includes(Number(area)))
      expect(await this.#found(`/farm_asset.json?location=${area}${asOf}`)).toEqual(there)
    }
    for (const group of this.#groups) {
      const there = idsOf((seen) => seen.group.includes(Number(group)))
      expect(await this.#found(`/farm_asset.json?group=${group}${asOf}`)).toEqual(there)
    }
    for (const asset of this.#assets) {
      const around = [...implied.contents].filter(([, inside]) => inside.includes(Number(asset))).map(([area]) => area)
      expect(await this.#found(`/taxonomy_term.json?assets=${asset}${asOf}`)).toEqual(around)
      const joined = [...implied.members].filter(([, inside]) => inside.includes(Number(asset))).map(([group]) => group)
      expect(await this.#found(`/farm_asset.json?members=${asset}${asOf}`)).toEqual(joined)
    }
    expect(await this.#found(`/farm_asset.json?${own}&location=${asOf}`)).toEqual(
      idsOf((seen) => seen.location.length === 0),
    )
    expect(await this.#found(`/farm_asset.json?${own}&group=${asOf}`)).toEqual(idsOf((seen) => seen.group.length === 0))
    const vacant = [...implied.contents].filter(([, inside]) => inside.length === 0).map(([area]) => area)
    expect(await this.#found(`/taxonomy_term.json?${ownAreas}&assets=${asOf}`)).toEqual(vacant)
    const [shape] = [...assets.values()].map(({ geometry }) => geometry).filter((geometry) => geometry !== '')
    if (shape === undefined) return
    const alike = idsOf((seen) => seen.geometry === shape)
    const geometry = encodeURIComponent(shape)
    expect(await this.#found(`/farm_asset.json?${own}&geometry=${geometry}${asOf}`)).toEqual(alike)
  }

  /** `/stays` tells what the replay works out: all, of a time, of one asset, of one area. */
  async compareStays(now: number): Promise<void> {
    const own = this.#assets.map((id) => `asset=${id}`).join('&')
    for (const kind of ['movement', 'membership'] as const) {
      const all = staysSaid(this.#said(), kind, now)
      expect(await this.#stays(`kind=${kind}&${own}`)).toEqual(all)
      for (const moment of moments) {
        const [from, to] = [this.#middle + moment, this.#middle + moment + 10]
        const during = all.filter((stay) => stay.from < to && (stay.until ?? Infinity) > from)
        expect(await this.#stays(`kind=${kind}&${own}&from=${from}&to=${to}`)).toEqual(during)
      }
    }
    const moved = staysSaid(this.#said(), 'movement', now)
    for (const area of this.#areas) {
      const there = moved.filter(({ place }) => place === Number(area))
      expect(await this.#stays(`area=${area}`)).toEqual(there)
      expect(await this.#stays(`area=${area}&within=1&from=${this.#middle}`)).toEqual(
        there.filter(({ until }) => (until ?? Infinity) > this.#middle),
      )
    }
    const [first] = this.#assets
    expect(await this.#stays(`asset=${first}&to=${this.#middle}`)).toEqual(
      moved.filter(({ asset, from }) => asset === Number(first) && from < this.#middle),
    )
  }

  /** What `because.json` names is what the replay finds decisive, and its values are those of the record. */
  async compareBecause(second: number): Promise<void> {
    const asOf = `as_of=${second}`
    const topics = { location: 'movement', geometry: 'movement', group: 'membership', inventory: 'inventory' } as const
    const judge = (explained: Json, asset: number) => {
      const field = explained.field as keyof typeof topics
      const expected = decidedSaid(this.#said(), topics[field], { asset, second })
      const shown = explained.decided_by.map(({ id }: Json) => Number(id))
      expect(shown).toEqual(expected.by.slice(0, 5))
      expect(explained.more).toBe(expected.by.length - shown.length)
      expect(explained.others).toHaveLength(Math.min(5, expected.others.size))
      for (const { log, code } of explained.others)
        expect([log.id, code]).toEqual([log.id, expected.others.get(Number(log.id))])
    }
    for (const id of this.#assets) {
      const record = await this.#client.read(`/farm_asset/${id}.json?with=group,inventory,members&${asOf}`)
      const { values, list } = await this.#client.read(`/farm_asset/${id}/because.json?${asOf}`)
      for (const explained of values) {
        expect(explained.value).toEqual(record[explained.field])
        if (explained.field !== 'members') judge(explained, Number(id))
      }
      expect(list.map((one: Json) => one.asset)).toEqual(record.members ?? [])
      for (const explained of list) judge(explained, Number(explained.asset.id))
    }
    for (const id of this.#areas) {
      const { assets } = await this.#client.read(`/taxonomy_term/${id}.json?${asOf}`)
      const { values, list } = await this.#client.read(`/taxonomy_term/${id}/because.json?${asOf}`)
      expect([values[0].value, list.map((one: Json) => one.asset)]).toEqual([assets, assets])
      for (const explained of list) judge(explained, Number(explained.asset.id))
    }
  }

  async #stays(query: string): Promise<StaySaid[]> {
    const answer = await this.#client.read(`/stays?${query}`)
    expect(answer.next).toBeNull()
    return answer.asset.map((asset: string, row: number) => ({
      asset: Number(asset),
      place: answer.place[row] === null ? null : Number(answer.place[row]),
      log: Number(answer.log[row]),
      from: Number(answer.from[row]),
      until: answer.until[row] === null ? null : Number(answer.until[row]),
    }))
  }

  #said(): FarmSaid {
    const logs = this.#logs.map((log) => this.#logSaid(log))
    const removed = this.#removed.map((log) => this.#logSaid(log))
    return { logs, removed, areas: this.#shapes, groups: this.#groups.map(Number), assets: this.#archived }
  }

  #logSaid({ id, told }: { readonly id: string; readonly told: LogTold }): LogSaid {
    return {
      id: Number(id),
      done: told.done,
      timestamp: this.#middle + told.moment,
      asset: numbered(this.#assets, told.assets),
      movement: { area: numbered(this.#areas, told.areas), geometry: told.geometry },
      membership: numbered(this.#groups, told.groups),
      inventory: told.inventory.map(({ asset, value }) => ({ asset: Number(this.#assets[asset]), value })),
    }
  }

  #spelled(log: LogTold): Record<string, unknown> {
    return {
      done: log.done ? '1' : '0',
      timestamp: String(this.#middle + log.moment),
      asset: referring(this.#assets, log.assets),
      movement: { area: referring(this.#areas, log.areas), geometry: log.geometry },
      membership: { group: referring(this.#groups, log.groups) },
      inventory: log.inventory.map(({ asset, value }) => ({ asset: { id: this.#assets[asset] }, value })),
    }
  }

  /** Only the fields that a change touches; a movement is written whole. */
  #changed(log: LogTold, change: Partial<LogTold>): Record<string, unknown> {
    const fieldOf: Readonly<Record<keyof LogTold, string>> = {
      done: 'done',
      moment: 'timestamp',
      assets: 'asset',
      areas: 'movement',
      geometry: 'movement',
      groups: 'membership',
      inventory: 'inventory',
    }
    const all = this.#spelled(log)
    return Object.fromEntries(
      (Object.keys(change) as (keyof LogTold)[]).map((key) => [fieldOf[key], all[fieldOf[key]]]),
    )
  }

  async #put(path: string, body: unknown): Promise<void> {
    const answer = await this.#client.put(path, body)
    expect(answer, answer.text).toMatchObject({ status: 200 })
  }

  async #list(path: string): Promise<Json[]> {
    return (await this.#client.read(path)).list
  }

  async #found(path: string): Promise<number[]> {
    return (await this.#client.ids(path)).map(Number)
  }
}

const ids = (references: readonly Json[]): number[] => references.map((reference) => Number(reference.id))

const numbered = (all: readonly string[], which: readonly number[]): number[] => which.map((n) => Number(all[n]))

const referring = (all: readonly string[], which: readonly number[]) => which.map((n) => ({ id: all[n] }))
