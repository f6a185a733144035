import { isDeepStrictEqual } from 'node:util'
import { Model } from './model.mjs'

/**
 * @typedef {import('../ground/wishes.mjs').Campaign} Campaign
 * @typedef {import('../ground/client.mjs').Client} Client
 * @typedef {import('../ground/dice.mjs').Dice} Dice
 * @typedef {import('./model.mjs').Log} Log
 */

const operationsBetweenLooks = 40
/** Concurrent writers, and writes of each. */
const hands = 8
const stepsOfAHand = 4
const mostLogs = 120
const seconds = () => Math.floor(Date.now() / 1000)

/** Applies the same changes to a farm and to a model of it, and compares them. */
export class ModelRun {
  #model = new Model()
  #dice
  #findings
  #client
  #names = 0
  operations = 0
  comparisons = 0

  /** @param {Campaign} campaign @param {Client} client of an empty farm */
  constructor({ dice, findings }, client) {
    this.#dice = dice.apart()
    this.#findings = findings
    this.#client = client
  }

  async begin() {
    for (let n = 0; n < 5; n++) {
      const point = n === 4 ? null : `POINT (${n} ${n + 1})`
      const geofield = point === null ? [] : [{ geom: point }]
      const body = { vocabulary: 'farm_areas', name: `Area ${n}`, area_type: 'field', geofield }
      this.#model.areas.push({ id: await this.#created('taxonomy_term', body), point })
    }
    for (let n = 0; n < 3; n++) {
      this.#model.groups.push({
        id: await this.#created('farm_asset', { type: 'group', name: `Group ${n}` }),
        archived: false,
      })
    }
    for (let n = 0; n < 6; n++) await this.#addAsset()
  }

  async step() {
    const { logs } = this.#model
    const chance = this.#dice.roll()
    this.operations += 1
    if (logs.length < 5 || (chance < 0.45 && logs.length < mostLogs)) await this.#addLog(this.#dice)
    else if (chance < 0.75) await this.#changeLog(this.#dice.pick(logs), this.#dice)
    else if (chance < 0.84) await this.#removeLog(this.#dice.pick(logs))
    else if (chance < 0.9) await this.#archive()
    else if (chance < 0.94) await this.#redraw()
    else if (chance < 0.97) await this.#removeAsset()
    else await this.#addAsset()
    if (this.operations % operationsBetweenLooks !== 0) return this.#compareSome()
    await this.#together()
    await this.compareAll()
  }

  /** Concurrent writers with separate logs about the same assets: in any order, the result must match the logs. */
  async #together() {
    const own = Array.from({ length: hands }, (_, hand) => this.#model.logs.filter((_log, n) => n % hands === hand))
    await Promise.all(
      own.map(async (logs) => {
        const dice = this.#dice.apart()
        for (let step = 0; step < stepsOfAHand; step++) {
          this.operations += 1
          const log = logs.at(-1)
          if (log === undefined || dice.happens(0.4)) await this.#addLog(dice)
          else if (dice.happens(0.7)) await this.#changeLog(log, dice)
          else await this.#removeLog(/** @type {Log} */ (logs.pop()))
        }
      }),
    )
  }

  /** @param {string} type @param {object} body @returns {Promise<string>} */
  async #created(type, body) {
    const { status, text, body: record } = await this.#client.write('POST', `/${type}`, body)
    if (status !== 201) throw new Error(`POST /${type} ${JSON.stringify(body)} answered ${status}: ${text}`)
    return record.id
  }

  async #addAsset() {
    this.#names += 1
    const body = { type: 'animal', name: `Animal ${this.#names}`, animal_type: { name: 'Sheep' } }
    this.#model.assets.push({ id: await this.#created('farm_asset', body), archived: false })
  }

  /** The content of a log. @param {Dice} dice @returns {Omit<Log, 'id' | 'name'>} */
  #saying(dice) {
    const idsOf = (/** @type {readonly { id: string }[]} */ things, /** @type {number} */ most) =>
      dice.some(things, most).map(({ id }) => id)
    const isMove = dice.happens(0.6)
    return {
      // Few different seconds, so that many logs share one; some in the future, some about to come due.
      timestamp: dice.happens(0.1)
        ? seconds() + dice.whole(1, 3)
        : dice.happens(0.1)
          ? 4_000_000_000
          : 1_600_000_000 + dice.whole(0, 6),
      done: dice.happens(0.8),
      assets: idsOf([...this.#model.assets, ...this.#model.groups], 3),
      areas: isMove ? idsOf(this.#model.areas, 2) : [],
      geometry: isMove && dice.happens(0.2) ? `POINT (${dice.whole(0, 90)} 1.50)` : null,
      groups: dice.happens(0.4) ? idsOf(this.#model.groups, 2) : [],
      inventory: dice.happens(0.4)
        ? idsOf(this.#model.assets, 2).map((asset) => ({
            asset,
            value: dice.pick(['1', '-2.5', '0.10', '100', '-0.001']),
          }))
        : [],
    }
  }

  /** @param {Partial<Log>} log */
  #spelled({ assets, areas, geometry, groups, done, ...rest }) {
    const refer = (/** @type {string[]} */ ids) => ids.map((id) => ({ id }))
    return {
      ...rest,
      ...(done === undefined ? {} : { done: done ? '1' : '0' }),
      ...(assets === undefined ? {} : { asset: refer(assets) }),
      ...(groups === undefined ? {} : { membership: { group: refer(groups) } }),
      ...(areas === undefined ? {} : { movement: { area: refer(areas), geometry: geometry ?? null } }),
    }
  }

  /** A group joins only earlier groups, because a cycle is refused. @param {Pick<Log, 'assets' | 'groups'>} said */
  #joinable({ assets, groups }) {
    const ids = this.#model.groups.map(({ id }) => id)
    const first = ids.findIndex((id) => assets.includes(id))
    return first < 0 ? groups : groups.filter((id) => ids.indexOf(id) < first)
  }

  async #addLog(/** @type {Dice} */ dice) {
    this.#names += 1
    const said = this.#saying(dice)
    const log = { name: `Log ${this.#names}`, ...said, groups: this.#joinable(said) }
    const type = dice.pick(['farm_activity', 'farm_observation', 'farm_harvest'])
    const id = await this.#created('log', { type, ...this.#spelled(log) })
    this.#model.logs.push({ id, ...log })
  }

  async #changeLog(/** @type {Log} */ log, /** @type {Dice} */ dice) {
    const { areas, geometry, ...others } = this.#saying(dice)
    const entries = Object.entries(others).filter(() => dice.happens(0.4))
    /** @type {Partial<Log>} */
    const change = { ...Object.fromEntries(entries), ...(dice.happens(0.4) ? { areas, geometry } : {}) }
    if (change.assets !== undefined || change.groups !== undefined)
      change.groups = this.#joinable({ ...log, ...change })
    const { status, text } = await this.#client.write('PUT', `/log/${log.id}`, this.#spelled(change))
    if (this.#findings.check(status === 200, `PUT ${JSON.stringify(change)} answered ${status}: ${text}`))
      Object.assign(log, change)
  }

  async #removeLog(/** @type {Log} */ log) {
    const { status } = await this.#client.send('DELETE', `/log/${log.id}`)
    this.#findings.check(status === 200, `DELETE /log/${log.id} answered ${status}`)
    this.#model.logs = this.#model.logs.filter((one) => one !== log)
  }

  async #archive() {
    const asset = this.#dice.pick(this.#model.assets)
    asset.archived = !asset.archived
    const body = { archived: asset.archived ? 1_700_000_000 : 0 }
    const { status } = await this.#client.write('PUT', `/farm_asset/${asset.id}`, body)
    this.#findings.check(status === 200, `archiving asset ${asset.id} answered ${status}`)
  }

  async #redraw() {
    const area = this.#dice.pick(this.#model.areas)
    area.point = `POINT (${this.#dice.whole(0, 80)} ${this.#dice.whole(0, 80)})`
    const { status } = await this.#client.write('PUT', `/taxonomy_term/${area.id}`, {
      geofield: [{ geom: area.point }],
    })
    this.#findings.check(status === 200, `drawing area ${area.id} anew answered ${status}`)
  }

  async #removeAsset() {
    const asset = this.#dice.pick(this.#model.assets)
    const wanted = this.#model.isReferredTo(asset.id) ? 409 : 200
    const { status } = await this.#client.send('DELETE', `/farm_asset/${asset.id}`)
    this.#findings.check(status === wanted, `DELETE /farm_asset/${asset.id} answered ${status} instead of ${wanted}`)
    if (status === 200) this.#model.assets = this.#model.assets.filter((one) => one !== asset)
  }

  async #compareSome() {
    await this.#compareAsset(this.#dice.pick([...this.#model.assets, ...this.#model.groups]).id)
    await this.#compareArea(this.#dice.pick(this.#model.areas).id)
    const log = this.#model.logs.at(-1)
    if (log) await this.#compareLog(log)
  }

  async compareAll() {
    for (const { id } of [...this.#model.assets, ...this.#model.groups]) await this.#compareAsset(id)
    for (const { id } of this.#model.areas) await this.#compareArea(id)
    for (const log of this.#model.logs) await this.#compareLog(log)
    for (const done of ['1', '0']) {
      const expected = this.#model.logs.filter((log) => log.done === (done === '1')).map(({ id }) => id)
      await this.#same(
        `/log.json?done=${done}&limit=1000`,
        () => sorted(expected),
        (body) => sorted(idsIn(body.list)),
      )
    }
    const counted = await this.#client.get('/log.json?limit=7&full=0')
    const last = Math.max(0, Math.ceil(this.#model.logs.length / 7) - 1)
    this.#findings.check(
      new RegExp(`page=${last}\\b`).test(counted.body.last),
      `the last page of ${this.#model.logs.length} logs is ${counted.body.last}`,
    )
  }

  /**
   * Time passes during the request, so the state at its beginning or its end is right.
   * @param {string} path
   * @param {(now: number) => unknown} expected
   * @param {(body: any) => unknown} shown
   */
  async #same(path, expected, shown) {
    const began = seconds()
    const { status, body, text } = await this.#client.get(path)
    this.comparisons += 1
    if (!this.#findings.check(status === 200, `GET ${path} answered ${status}: ${text.slice(0, 300)}`)) return
    const found = shown(body)
    const ended = seconds()
    for (let now = began; now <= ended; now++) if (isDeepStrictEqual(found, expected(now))) return
    const { logs } = this.#model
    this.#findings.add(
      `after ${this.operations} operations GET ${path} shows ${JSON.stringify(found)}, the model says ${JSON.stringify(expected(ended))}; logs ${JSON.stringify(logs)}`,
    )
  }

  #compareAsset(/** @type {string} */ id) {
    const model = this.#model
    return this.#same(
      `/farm_asset/${id}.json?with=group,inventory`,
      (now) => [
        model.locationOf(id, now),
        model.geometryOf(id, now),
        sorted(model.groupsOf(id, now)),
        model.inventoryOf(id, now),
      ],
      (body) => [idsIn(body.location), body.geometry, sorted(idsIn(body.group)), body.inventory],
    )
  }

  async #compareArea(/** @type {string} */ id) {
    const expected = (/** @type {number} */ now) => sorted(this.#model.contentsOf(id, now))
    await this.#same(`/taxonomy_term/${id}.json`, expected, (body) => sorted(idsIn(body.assets)))
  }

  #compareLog(/** @type {Log} */ log) {
    const { id, name, timestamp, done, assets, areas, groups } = log
    return this.#same(
      `/log/${id}.json`,
      () => [name, String(timestamp), done ? '1' : '0', assets, areas, groups],
      (body) => [
        body.name,
        body.timestamp,
        body.done,
        idsIn(body.asset),
        idsIn(body.movement?.area),
        idsIn(body.membership?.group),
      ],
    )
  }
}

const idsIn = (/** @type {any} */ list) => (list ?? []).map((/** @type {any} */ one) => one.id)
const sorted = (/** @type {string[]} */ ids) => ids.toSorted((one, other) => Number(one) - Number(other))
